// esbuild is a child process that answers over its standard streams: once for transformSync, and as a service for build().
'use strict';
const assert = require('node:assert');
const esbuild = require('esbuild');

assert.strictEqual(esbuild.transformSync('let x: number = 1; export default x', { loader: 'ts' }).code, 'let x = 1;\nexport default x;\n');
assert.throws(() => esbuild.transformSync('let = ;', { logLevel: 'silent' }), { name: 'Error', message: /^Transform failed with 1 error/ });
esbuild.build({
  stdin: { contents: 'import { half } from "virtual"; console.log(half(4))', resolveDir: __dirname },
  bundle: true, write: false, platform: 'node', minify: true,
  plugins: [{
    name: 'virtual',
    setup(build) {
      build.onResolve({ filter: /^virtual$/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      build.onLoad({ filter: /.*/, namespace: 'virtual' }, async () => ({ contents: 'export const half = (n) => n / 2' }));
    },
  }],
}).then(({ outputFiles }) => {
  let said;
  new Function('console', outputFiles[0].text)({ log(value) { said = value; } });
  assert.strictEqual(said, 2);
  esbuild.stop();
  console.log('done');
});
