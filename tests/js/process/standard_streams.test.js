// The standard streams are accessors without setters, before the first look and after it, in a worker, too.
'use strict';

const assert = require('assert');
const { Worker, isMainThread } = require('worker_threads');

for (const name of ['stdin', 'stdout', 'stderr']) {
  for (let round = 0; round < 2; round++) {
    const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(process, name);
    assert.strictEqual(typeof get, 'function');
    assert.strictEqual(set, undefined);
    assert.ok(enumerable && configurable);
    assert.throws(() => { process[name] = 5; }, TypeError);
    assert.strictEqual(process[name], process[name]);
    assert.strictEqual(typeof process[name].on, 'function');
  }
}

if (isMainThread) new Worker(__filename).on('exit', (code) => { assert.strictEqual(code, 0); });
