// webpack: bundles CommonJS and modules, with terser in parallel workers behind it; what it makes runs.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const webpack = require('webpack');
const TerserPlugin = require('terser-webpack-plugin');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webpack-'));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
write('one.js', "import { twice } from './lib.mjs';\nimport('./later.mjs').then(({ later }) => { module.exports.done(twice(later)); });\nexport const unused = 1;\n");
write('two.js', "const { twice } = require('./lib.mjs');\n// a comment that goes\nmodule.exports = twice(21);\n");
write('lib.mjs', 'export const twice = (value) => value * 2;\nexport const nobodyAsks = () => "dropped";\n');
write('later.mjs', 'export const later = 21;\n');

webpack({
  mode: 'production', target: 'node', context: folder, entry: { one: './one.js', two: './two.js' },
  output: { path: path.join(folder, 'out'), library: { type: 'commonjs2' } },
  optimization: { minimize: true, minimizer: [new TerserPlugin({ parallel: 2, extractComments: false })] },
}, (error, stats) => {
  assert.ifError(error);
  assert.deepStrictEqual(stats.toJson({ all: false, errors: true }).errors, []);
  assert.strictEqual(require(path.join(folder, 'out/two.js')), 42);
  const text = fs.readFileSync(path.join(folder, 'out/one.js'), 'utf8');
  assert.ok(!text.includes('dropped') && !text.includes('\n'), text);
  fs.rmSync(folder, { recursive: true });
});
