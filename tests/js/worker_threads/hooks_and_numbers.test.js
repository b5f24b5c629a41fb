// What async hooks see of a worker (a hook is `this` of its callbacks; the resource says whether it keeps the loop alive), and the warnings
// about descriptors that a worker's program did not open, or opened twice.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { createHook } = require('node:async_hooks');
const { once } = require('node:events');
const { inspect } = require('node:util');
const { MessageChannel, Worker } = require('node:worker_threads');

async function hooks() {
  const seen = [], selves = new Set();
  const hook = createHook({
    init(id, type, trigger, resource) {
      selves.add(this);
      if (type === 'WORKER' || type === 'MESSAGEPORT') seen.push({ type, resource });
    },
  }).enable();
  const worker = new Worker('', { eval: true });
  hook.disable();
  assert.deepStrictEqual([...selves], [hook]);
  const alive = () => seen.filter(({ resource }) => resource.hasRef() === true).map(({ type }) => type);  // in the order of making
  assert.deepStrictEqual(alive(), ['WORKER']);
  worker.unref();
  assert.deepStrictEqual(alive(), []);
  worker.ref();
  assert.deepStrictEqual(alive(), ['WORKER', 'MESSAGEPORT']);
  worker.once('exit', () => assert.deepStrictEqual(alive(), ['WORKER']));
  await once(worker, 'exit');
  await new Promise(setImmediate);
  assert.deepStrictEqual(alive(), []);
}

// A port is its own resource, and can be looked at while the hook is told of it.
function portHooks() {
  const seen = [], shown = [];
  const hook = createHook({
    init(id, type, trigger, resource) {
      seen.push(resource);
      shown.push(inspect(resource));
    },
  }).enable();
  const { port1, port2 } = new MessageChannel();
  hook.disable();
  for (const text of shown) assert.strictEqual(text, 'MessagePort [EventTarget] { active: true, refed: false }');
  assert.ok(seen[0] === port1 && seen[1] === port2);
}

// The worker answers with the text of its first warning.
async function warningOf(text, message) {
  const worker = new Worker(`const fs = require('node:fs'), { parentPort } = require('node:worker_threads');
    process.on('warning', (warning) => parentPort.postMessage(warning.message));${text}`, { eval: true });
  worker.postMessage(await message(worker));
  const [warning] = await once(worker, 'message');
  await once(worker, 'exit');
  return warning;
}

async function numbers() {
  const twice = await warningOf(`parentPort.postMessage(fs.openSync('/dev/null'));
    parentPort.once('message', () => fs.closeSync(fs.openSync('/dev/null')))`, async (worker) => {
    const [fd] = await once(worker, 'message');
    fs.closeSync(fd);  // behind the worker's back: the number is free again
    return '';
  });
  assert.match(twice, /^File descriptor \d+ opened in unmanaged mode twice$/);
  const foreign = await warningOf("parentPort.once('message', (fd) => fs.closeSync(fd))", () => fs.openSync('/dev/null'));
  assert.match(foreign, /^File descriptor \d+ closed but not opened in unmanaged mode$/);
}

let done = false;
(async () => {
  await hooks();
  portHooks();
  await numbers();
  done = true;
})();
process.on('exit', () => assert(done));
