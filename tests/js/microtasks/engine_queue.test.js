// env: RONDO_ENGINE_QUEUE=1
// The switch that sets the patches of promises aside: programs run, ticks come first, errors are told; and the order is the engine's own.
'use strict';

const assert = require('assert');

const order = [];
const say = (word) => () => order.push(word);

process.on('uncaughtException', (error) => order.push(error.message));
process.nextTick(say('tick'));
queueMicrotask(say('microtask'));
queueMicrotask(() => { throw new Error('thrown'); });
Promise.resolve().then(() => Promise.resolve()).then(say('adopted'));
Promise.resolve().then(say('one')).then(say('two')).then(say('three'));

setImmediate(() => {
  // With the patches 'adopted' comes after 'three', as in Node: when it does here, the engine needs them no more.
  assert.deepStrictEqual(order, ['tick', 'microtask', 'thrown', 'one', 'two', 'adopted', 'three']);
});
