// Globals are loaded when they are first touched: each has something behind it, and every one that the table knows is installed.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');

for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (name !== 'undefined' && name !== 'localStorage') assert.notStrictEqual(globalThis[name], undefined, name);
}

const table = fs.readFileSync(path.join(__dirname, '../../../lib/internal/process/web_globals.js'), 'utf8');
const names = [...table.matchAll(/^ {2}\['(\w+)', '/gm)].map(([, name]) => name);
assert.ok(names.length > 60);
const byOption = ['EventSource', 'Worker'];  // Node has the one with --experimental-eventsource, and none of the other
for (const name of byOption) assert.ok(names.splice(names.indexOf(name), 1)[0] === name && !Object.hasOwn(globalThis, name), name);
for (const name of names) assert.ok(Object.hasOwn(globalThis, name), name);
for (const [flag, name] of [['--experimental-eventsource', 'EventSource'], ['--experimental-web-worker', 'Worker']]) {
  const program = `console.log(typeof ${name}, Object.getOwnPropertyDescriptor(globalThis, '${name}').enumerable)`;
  assert.strictEqual(require('child_process').execFileSync(process.execPath, [flag, '-e', program], { encoding: 'utf8' }), 'function false\n');
}

// To a program they are data properties, but for the six that Node has as accessors.
for (const name of names) {
  const { value, get, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
  const isAccessor = ['performance', 'navigator', 'crypto', 'Buffer', 'sessionStorage', 'localStorage'].includes(name);
  assert.strictEqual(get === undefined, !isAccessor || value !== undefined, name);
  assert.strictEqual(configurable, true, name);
  assert.strictEqual(enumerable, ['fetch', 'structuredClone', 'atob', 'btoa', 'performance', 'navigator', 'crypto', 'sessionStorage'].includes(name), name);
}

// One that is written before it is read is never loaded.
globalThis.WebSocket = 5;
assert.strictEqual(WebSocket, 5);
delete globalThis.WebSocket;
assert.strictEqual(typeof WebSocket, 'undefined');

// The console is one of them, and knows a replaced stream although it is made after it.
assert.deepStrictEqual(Object.keys(Object.getOwnPropertyDescriptor(globalThis, 'console')), ['value', 'writable', 'enumerable', 'configurable']);
assert.strictEqual(require('console'), console);
