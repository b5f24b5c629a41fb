'use strict';
// createHook hears ticks, timers, immediates, files, sockets and chained promises, with the ids of who runs and who caused it.
const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const { createHook, executionAsyncId, executionAsyncResource, triggerAsyncId } = require('node:async_hooks');

const made = new Map();  // id → { type, trigger, resource, before, after, destroyed }
const hook = createHook({
  init(id, type, trigger, resource) { made.set(id, { type, trigger, resource, before: 0, after: 0, destroyed: 0 }); },
  before(id) { made.get(id).before++; },
  after(id) { made.get(id).after++; },
  destroy(id) { made.get(id).destroyed++; },
}).enable();

const main = executionAsyncId();
assert.strictEqual(main, 1);
const of = (type) => [...made.values()].filter((one) => one.type === type);
const seen = new Set();
let timerId;

function check(type, trigger) {
  const self = made.get(executionAsyncId());
  assert.strictEqual(self.type, type);
  assert.strictEqual(self.trigger, triggerAsyncId());
  if (trigger !== undefined) assert.strictEqual(self.trigger, trigger);
  assert.strictEqual(self.before, self.after + 1);
  seen.add(type);
}

process.nextTick(() => check('TickObject', main));
queueMicrotask(() => check('Microtask', main));
Promise.resolve(1).then(() => check('PROMISE'));
setImmediate(() => check('Immediate', main));
fs.stat(__filename, () => check('FSREQCALLBACK', main));
const timer = setTimeout(() => {
  check('Timeout', main);
  timerId = executionAsyncId();
  assert.strictEqual(executionAsyncResource(), timer);
  process.nextTick(() => check('TickObject', timerId));
}, 1);
let fired = 0;
const interval = setInterval(() => {
  check('Timeout', main);
  if (++fired === 3) clearInterval(interval);
}, 1);
const server = net.createServer((socket) => {
  check('TCPSERVERWRAP');
  socket.end();
}).listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').resume().on('close', () => server.close());
});

process.on('exit', () => {
  hook.disable();
  for (const type of ['TickObject', 'Microtask', 'PROMISE', 'Immediate', 'FSREQCALLBACK', 'Timeout', 'TCPSERVERWRAP']) {
    assert.ok(seen.has(type), type);
  }
  assert.ok(of('TCPCONNECTWRAP').length === 1 && of('TCPWRAP').length === 2);
  for (const type of ['Timeout', 'TickObject', 'FSREQCALLBACK']) {
    for (const one of of(type)) assert.strictEqual(one.before, one.after, type);
  }
  assert.strictEqual(of('Timeout').find((one) => one.resource === timer).destroyed, 1);
  assert.strictEqual(of('Timeout').find((one) => one.resource === interval).before, 3);
});
