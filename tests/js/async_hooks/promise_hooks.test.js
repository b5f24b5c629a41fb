// Hooks hear of promises when they are made, of each then() and await, and of their resolution, in Node's order and with Node's ids.
'use strict';
const assert = require('node:assert');
const { createHook, executionAsyncId, executionAsyncResource, triggerAsyncId, AsyncLocalStorage } = require('node:async_hooks');

let lines = [];
let names = new Map();
const nameOf = (id) => names.get(id) ?? 'task';
const hook = createHook({
  init(id, type, trigger, resource) {
    if (type !== 'PROMISE') return;
    assert.ok(resource instanceof Promise);
    names.set(id, `p${names.size}`);
    lines.push(`init ${nameOf(id)} of ${nameOf(trigger)}`);
  },
  before: (id) => names.has(id) && lines.push(`before ${nameOf(id)}`),
  after: (id) => names.has(id) && lines.push(`after ${nameOf(id)}`),
  promiseResolve: (id) => names.has(id) && lines.push(`resolve ${nameOf(id)}`),
});

// Without promises of this file's own.
function record(program, done) {
  lines = [];
  names = new Map();
  hook.enable();
  program();
  setImmediate(() => {
    hook.disable();
    done(lines);
  });
}

const cases = [
  [
    () => new Promise((resolve) => resolve(5)).then(() => lines.push(`run ${nameOf(executionAsyncId())} ${nameOf(triggerAsyncId())}`)),
    'init p0 of task,resolve p0,init p1 of p0,before p1,run p1 p0,resolve p1,after p1',
  ],
  [
    () => {
      (async () => {
        await 1;
        lines.push('body');
      })();
    },
    'init p0 of task,init p1 of p0,resolve p1,init p2 of p1,before p2,body,resolve p0,resolve p2,after p2',
  ],
  [
    () => {
      const known = Promise.resolve();
      (async () => {
        lines.push(`start ${nameOf(executionAsyncId())}`);
        await known;
        lines.push(`on ${nameOf(executionAsyncId())}`);
        throw new Error('x');
      })().catch(() => lines.push('caught'));
    },
    'init p0 of task,resolve p0,init p1 of task,start task,init p2 of p0,init p3 of p1,before p2,on p2,resolve p1,resolve p2,after p2,before p3,caught,resolve p3,after p3',
  ],
  [
    () => {
      Promise.reject(1).catch(() => {});
    },
    'init p0 of task,resolve p0,init p1 of p0,before p1,resolve p1,after p1',
  ],
  [
    () => {
      (async () => Promise.resolve())();
    },
    'init p0 of task,init p1 of task,resolve p1,before p0,init p2 of p1,after p0,before p2,resolve p0,resolve p2,after p2',
  ],
];

function next(index) {
  if (index === cases.length) return rest();
  record(cases[index][0], (found) => {
    assert.deepStrictEqual(found, cases[index][1].split(','), `case ${index}`);
    setImmediate(next, index + 1);
  });
}
setImmediate(next, 0);

// The resource that an await runs in carries what init put on it; hooks without promises hear of none; a store is not lost.
function rest() {
  const key = Symbol('state');
  const carrier = createHook({
    init(id, type, trigger, resource) {
      const current = executionAsyncResource();
      if (current) resource[key] = current[key];
    },
  }).enable();
  const untold = createHook({ init: (id, type) => assert.notStrictEqual(type, 'PROMISE'), trackPromises: false }).enable();
  const storage = new AsyncLocalStorage();
  setImmediate(async () => {
    executionAsyncResource()[key] = 'kept';
    await storage.run('store', async () => {
      await null;
      await Promise.resolve();
      await new Promise((resolve) => setTimeout(resolve, 1));
      assert.strictEqual(executionAsyncResource()[key], 'kept');
      assert.strictEqual(storage.getStore(), 'store');
    });
    carrier.disable();
    untold.disable();
    const ids = new Set();
    process.on('unhandledRejection', () => {
      assert.ok(ids.has(executionAsyncId()));
      finished();
    });
    const finder = createHook({ init: (id, type) => type === 'PROMISE' && ids.add(id) }).enable();
    Promise.reject(new Error('nobody'));
    const finished = () => finder.disable();
  });
}
