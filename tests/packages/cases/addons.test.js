// Native addons as they come from npm: bcrypt (registers itself in a constructor, works on the pool), bufferutil, and rollup, whose
// parser is an addon written in Rust.
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

  const { rollup } = require('rollup');
  const files = { main: 'import { used } from "part"; console.log(used);', part: 'export const used = 1; export const unused = 2;' };
  const bundle = await rollup({ input: 'main', plugins: [{ name: 'files', resolveId: (id) => id, load: (id) => files[id] }] });
  const { output } = await bundle.generate({ format: 'es' });
  assert.strictEqual(output[0].code, 'const used = 1;\n\nconsole.log(used);\n');
  await assert.rejects(rollup({ input: 'bad', plugins: [{ name: 'bad', resolveId: (id) => id, load: () => 'let let = 1' }] }), { code: 'PARSE_ERROR' });
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
