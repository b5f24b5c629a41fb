// QuotaExceededError is cloned as itself and checks its receiver; any number of listeners may wait for an AbortSignal; a stack that cannot
// be made does not come from a worker.
'use strict';

const assert = require('node:assert');
const { getMaxListeners } = require('node:events');
const { Worker } = require('node:worker_threads');

const cloned = structuredClone(new QuotaExceededError('full', { quota: 1, requested: 2 }));
assert.ok(cloned instanceof QuotaExceededError);
assert.deepStrictEqual([cloned.message, cloned.quota, cloned.requested], ['full', 1, 2]);
for (const name of ['quota', 'requested']) {
  const { get } = Object.getOwnPropertyDescriptor(QuotaExceededError.prototype, name);
  assert.throws(() => get.call({}), { code: 'ERR_INVALID_THIS' });
}

assert.strictEqual(getMaxListeners(new AbortController().signal), 0);
assert.strictEqual(getMaxListeners(new EventTarget()), 10);

let error;
new Worker("Error.prepareStackTrace = () => { throw new Error('no') }; throw new Error('own')", { eval: true }).on('error', (e) => (error = e));
process.on('exit', () => {
  assert.strictEqual(error.message, 'own');
  assert.strictEqual(error.stack, undefined);
});
