// A port that is being closed says whether it keeps the loop alive as before, until it is closed.
'use strict';

const assert = require('node:assert');

const { port1, port2 } = new MessageChannel();
assert.strictEqual(port1.hasRef(), false);
port1.on('message', () => {});
port2.on('message', () => {});
let closed = 0;
for (const port of [port1, port2]) port.on('close', () => closed++);
port1.close();
assert.deepStrictEqual([port1.hasRef(), port2.hasRef()], [true, true]);
process.on('exit', () => {
  assert.strictEqual(closed, 2);
  assert.deepStrictEqual([port1.hasRef(), port2.hasRef()], [false, false]);
});
