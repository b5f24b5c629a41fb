// utf8Write, latin1Write and asciiWrite refuse a length beyond the end; write() clamps it.
'use strict';

const assert = require('node:assert');

for (const name of ['utf8Write', 'latin1Write', 'asciiWrite']) {
  assert.throws(() => Buffer.alloc(1)[name]('ww', 0, 2), { code: 'ERR_BUFFER_OUT_OF_BOUNDS' });
  assert.throws(() => Buffer.alloc(1)[name]('ww', 1, 1), { code: 'ERR_BUFFER_OUT_OF_BOUNDS' });
  assert.throws(() => Buffer.alloc(1)[name]('ww', 0, -1), { code: 'ERR_BUFFER_OUT_OF_BOUNDS' });
  assert.strictEqual(Buffer.alloc(1)[name]('ww', 0), 1);
}
for (const name of ['hexWrite', 'base64Write', 'ucs2Write']) Buffer.alloc(1)[name]('ffff', 0, 9);
assert.strictEqual(Buffer.alloc(1).write('ww', 0, 'latin1'), 1);
