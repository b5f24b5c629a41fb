// The microtask queue: first in, first out for promise jobs, async functions and queueMicrotask alike; nothing a program does to
// its built-in objects reaches it.
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');

// More than the queue holds before it is moved to the front, never empty in between: the order stays.
async function keepsOrderWhileItMoves() {
  const order = [];
  const kRounds = 20000;
  for (let i = 0; i < 3000; i++) queueMicrotask(() => order.push(i));
  let round = 0;
  await new Promise((resolve) => {
    const step = () => {
      const at = 3000 + 2 * round;
      round++;
      Promise.resolve().then(() => order.push(at));
      queueMicrotask(() => {
        order.push(at + 1);
        if (round === kRounds) resolve();
      });
      if (round < kRounds) queueMicrotask(step);
    };
    queueMicrotask(step);
  });
  assert.strictEqual(order.length, 3000 + 2 * kRounds);
  assert.ok(order.every((value, index) => value === index));
}

async function mixesAllKinds() {
  const seen = [];
  const say = (word) => () => { seen.push(word); };
  const plain = async (word) => { await 0; seen.push(word); };
  const fulfilled = async (word) => { await Promise.resolve(); seen.push(word); };
  const thenable = async (word) => { await { then: (go) => go() }; seen.push(word); };
  plain('await a value');
  queueMicrotask(say('callback'));
  fulfilled('await a promise');
  Promise.resolve().then(say('then'));
  thenable('await a thenable');
  Promise.resolve().then(() => {}).then(say('then of then'));
  await new Promise(setImmediate);
  assert.deepStrictEqual(seen, ['await a value', 'callback', 'await a promise', 'then', 'await a thenable', 'then of then']);
}

async function contextsShareTheQueue() {
  const seen = [];
  const context = vm.createContext({ say: (word) => seen.push(word) });
  Promise.resolve().then(() => seen.push('program 1'));
  vm.runInContext('Promise.resolve().then(() => say("context")); (async () => { await 0; say("context await"); })()', context);
  Promise.resolve().then(() => seen.push('program 2'));
  await new Promise(setImmediate);
  assert.deepStrictEqual(seen, ['program 1', 'context', 'context await', 'program 2']);
}

// The constructor is read when a promise is awaited; if that throws, the async function sees it.
async function awaitReadsTheConstructor() {
  const promise = Promise.resolve(1);
  Object.defineProperty(promise, 'constructor', { get() { throw new Error('from constructor'); } });
  await assert.rejects(async () => { await promise; }, { message: 'from constructor' });
  const caught = await (async () => {
    try {
      await promise;
    } catch (error) {
      return error.message;
    }
  })();
  assert.strictEqual(caught, 'from constructor');

  class Own extends Promise {}
  assert.strictEqual(await Own.resolve('own'), 'own');
  const rejected = Promise.reject(new Error('rejected'));
  await assert.rejects((async () => { await rejected; })(), { message: 'rejected' });
}

async function builtinsOfTheProgramDoNotMatter() {
  let touched = 0;
  Object.defineProperty(Array.prototype, 0, { configurable: true, set() { touched++; }, get() { touched++; } });
  const { push, slice, shift } = Array.prototype;
  Array.prototype.push = Array.prototype.slice = Array.prototype.shift = () => { touched++; };
  let ran = 0;
  try {
    for (let i = 0; i < 10; i++) {
      Promise.resolve().then(() => { ran++; });
      queueMicrotask(() => { ran++; });
    }
    await null;
    await undefined;
  } finally {
    delete Array.prototype[0];
    Object.assign(Array.prototype, { push, slice, shift });
    for (const name of ['push', 'slice', 'shift']) Object.defineProperty(Array.prototype, name, { enumerable: false });
  }
  assert.strictEqual(ran, 20);
  assert.strictEqual(touched, 0);
}

async function leavesNoFrame() {
  await 0;
  const { stack } = new Error('here');
  assert.match(stack, /at leavesNoFrame \(/);
  assert.doesNotMatch(stack, /microtask_queue|<anonymous>/);
}

function callbackGetsNothing() {
  return new Promise((resolve, reject) => {
    queueMicrotask(function() {
      'use strict';
      try {
        assert.strictEqual(arguments.length, 0);
        assert.strictEqual(this, undefined);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
}

(async () => {
  await keepsOrderWhileItMoves();
  await mixesAllKinds();
  await contextsShareTheQueue();
  await awaitReadsTheConstructor();
  await builtinsOfTheProgramDoNotMatter();
  await leavesNoFrame();
  await callbackGetsNothing();
  process.exitCode = 0;
})();
process.exitCode = 3;
