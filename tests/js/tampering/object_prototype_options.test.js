'use strict';
// Options that a caller did not give are not looked for in Object.prototype: by events.once and on, timers/promises, spawn and spawnSync, as in Node.
const assert = require('node:assert');
const { execFileSync, spawn } = require('node:child_process');
const EventEmitter = require('node:events');
const timers = require('node:timers/promises');

const fields = ['signal', 'stdio', 'ref'];

async function withFields(descriptor, run) {
  for (const name of fields) Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, ...descriptor(name) });
  try {
    return await run();
  } finally {
    for (const name of fields) delete Object.prototype[name];
  }
}

const kinds = [() => ({ get() { throw new Error('asked'); } }), () => ({ value: 'odd', writable: true }), () => ({ value: null, writable: true })];
const eventsAndTimers = async () => {
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('x', 1));
  const [value] = await EventEmitter.once(emitter, 'x');
  await timers.setTimeout(1);
  await timers.setImmediate();
  for await (const tick of timers.setInterval(1, 2)) return value + tick;
};
const children = async () => {
  const child = spawn('echo', ['out']);
  let text = '';
  child.stdout.on('data', (chunk) => { text += chunk; });
  await new Promise((resolve) => { child.on('close', resolve); });
  return `${text}${execFileSync('echo', ['sync'])}`;
};

(async () => {
  for (const kind of kinds) assert.strictEqual(await withFields(kind, eventsAndTimers), 3);
  fields.splice(0, fields.length, 'stdio');
  for (const kind of kinds.slice(1)) assert.strictEqual(await withFields(kind, children), 'out\nsync\n');
})();
