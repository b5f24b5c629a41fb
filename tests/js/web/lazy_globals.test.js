// Globals and parts of process that load when first touched are ordinary data properties to a program, as in Node.
'use strict';

const assert = require('assert');

const ofGlobal = (name) => Object.getOwnPropertyDescriptor(globalThis, name);

// Listing does not load, reading gives the same value every time.
assert.ok(Object.getOwnPropertyNames(globalThis).includes('BroadcastChannel'));
assert.ok(!Object.keys(globalThis).includes('BroadcastChannel'));
assert.ok(Object.keys(globalThis).includes('structuredClone'));
assert.strictEqual(globalThis.Blob, Blob);
assert.strictEqual(new Blob([]).constructor, globalThis.Blob);

for (const name of ['Blob', 'URL', 'TextDecoder', 'ReadableStream', 'CustomEvent']) {
  const { value, writable, enumerable, configurable } = ofGlobal(name);
  assert.deepStrictEqual([typeof value, writable, enumerable, configurable], ['function', true, false, true], name);
}
assert.strictEqual(ofGlobal('atob').enumerable, true);

// Written to, defined anew or deleted before it was ever read.
globalThis.MessageChannel = 1;
assert.deepStrictEqual(ofGlobal('MessageChannel'), { value: 1, writable: true, enumerable: false, configurable: true });
Object.defineProperty(globalThis, 'CountQueuingStrategy', { get: () => 'mine' });
assert.strictEqual(CountQueuingStrategy, 'mine');
assert.strictEqual(delete globalThis.BroadcastChannel, true);
assert.strictEqual(typeof BroadcastChannel, 'undefined');

// In code that runs often, before and after the value is there.
const readOften = (object, name) => {
  let last;
  for (let i = 0; i < 20_000; i++) last = object[name];
  return last;
};
assert.strictEqual(readOften(globalThis, 'TransformStream').name, 'TransformStream');
assert.strictEqual(typeof readOften(process, 'memoryUsage'), 'function');

assert.strictEqual(Object.getOwnPropertyDescriptor(process, 'chdir').value, process.chdir);
process.umask = 'replaced';
assert.strictEqual(process.umask, 'replaced');
assert.ok(Object.keys(process).includes('umask'));
assert.deepStrictEqual(Object.getOwnPropertySymbols(process).map(String).filter((name) => name.includes('lazy')), []);
