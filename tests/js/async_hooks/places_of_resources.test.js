'use strict';
// A hook that looks at the stack of init finds the program's call among its ten frames, for a listening server too: neither natives
// nor what tells hooks stand in stacks (why-is-node-running prints the program's lines by it).
const assert = require('node:assert');
const { createHook } = require('node:async_hooks');
const net = require('node:net');

const stacks = new Map();
const stackHere = () => new Error('here').stack.split('\n').slice(1).map((line) => line.trim());
createHook({
  init(asyncId, type) {
    if (!stacks.has(type)) stacks.set(type, stackHere());
  },
}).enable();

const server = net.createServer();
(function program() {
  server.listen(0);
  setTimeout(() => {}, 1);
  setImmediate(() => {});
  queueMicrotask(() => {});
})();

for (const type of ['TCPSERVERWRAP', 'TickObject', 'Timeout', 'Immediate', 'Microtask']) {
  const stack = stacks.get(type);
  assert.ok(stack, type);
  assert.ok(stack.length <= 10);
  assert.ok(stack.some((line) => line.startsWith(`at program (${__filename}:`)), `${type}: ${stack.join(', ')}`);
  assert.ok(!stack.some((line) => /\(<anonymous>\)|async_hooks\/(tracking|context)/.test(line)), `${type}: ${stack.join(', ')}`);
}
server.close();
