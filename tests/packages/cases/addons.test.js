// Native addons as they come from npm, with their prebuilt files: bcrypt, whose work is done on the pool, and bufferutil.
'use strict';
const assert = require('assert');

(async () => {
  const bcrypt = require('bcrypt');
  const hash = await bcrypt.hash('secret', 4);
  assert.strictEqual(await bcrypt.compare('secret', hash), true);
  assert.strictEqual(bcrypt.compareSync('other', hash), false);
  await assert.rejects(bcrypt.hash('secret', 'no salt'), /salt/);

  const { mask } = require('bufferutil');
  const masked = Buffer.alloc(4);
  mask(Buffer.from('abcd'), Buffer.from([1, 2, 3, 4]), masked, 0, 4);
  assert.strictEqual(masked.toString('hex'), '60606060');
  assert.ok(Object.keys(require.cache).some((file) => file.endsWith('.node') && file.includes('bufferutil')));
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
