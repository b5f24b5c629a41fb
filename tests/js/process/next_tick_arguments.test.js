// nextTick refuses what cannot be called, as Node does.
const assert = require('node:assert');

for (const value of [undefined, null, 1, 'x', {}, []])
  assert.throws(() => process.nextTick(value), { code: 'ERR_INVALID_ARG_TYPE', name: 'TypeError' });
for (const value of [undefined, null, 1, 'x', {}]) {
  assert.throws(() => setTimeout(value), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => setImmediate(value), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => setInterval(value), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => queueMicrotask(value), { code: 'ERR_INVALID_ARG_TYPE' });
}
