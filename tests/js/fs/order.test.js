// Where file callbacks stand in the loop: never before the call returns, in poll, so that an immediate set there runs before
// a timer (S71, S85).
'use strict';

const assert = require('assert');
const fs = require('fs');

const order = [];
let inCall = true;
fs.stat(__filename, () => assert.ok(!inCall));
fs.readFile(__filename, () => {
  assert.ok(!inCall);
  setTimeout(() => order.push('timeout'), 0);
  setImmediate(() => order.push('immediate'));
  process.nextTick(() => order.push('tick'));
  Promise.resolve().then(() => order.push('microtask'));
});
fs.read(fs.openSync(__filename), Buffer.alloc(1), 0, 1, 0, () => assert.ok(!inCall));
inCall = false;

process.on('exit', () => assert.deepStrictEqual(order, ['tick', 'microtask', 'immediate', 'timeout']));
