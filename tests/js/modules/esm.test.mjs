// ES modules: interop with CommonJS, JSON, import.meta, conditions, detection, errors, dynamic import.
import assert from 'node:assert';
import { createRequire, findPackageJSON, registerHooks } from 'node:module';
import * as path from 'node:path';
import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const here = (name) => new URL(`./fixtures/${name}`, import.meta.url).href;

// import.meta
assert.strictEqual(import.meta.main, true);
assert.strictEqual(import.meta.filename, path.join(import.meta.dirname, 'esm.test.mjs'));
assert.strictEqual(import.meta.resolve('./fixtures/data.json'), here('data.json'));
assert.strictEqual(import.meta.resolve('node:fs'), 'node:fs');

// CommonJS and JSON through import; one instance for both loaders.
const graph = await import('./fixtures/graph.mjs');
assert.deepStrictEqual(graph.data, { answer: 42 });
assert.strictEqual(graph.a, 1);
assert.strictEqual(graph.all, require('./fixtures/named.cjs'));
assert.strictEqual(graph.meta.main, false);
assert.strictEqual(await import('./fixtures/graph.mjs'), graph);

// Builtins are live.
const real = fs.readFileSync;
fs.readFileSync = 'patched';
syncBuiltinESMExports();
assert.strictEqual(readFileSync, 'patched');
fs.readFileSync = real;
syncBuiltinESMExports();
assert.strictEqual(readFileSync, real);

// require() of ES modules.
const scoped = createRequire(here('entry.js'))('@scope/pkg');
assert.strictEqual(scoped.default.name, 'scoped');
assert.strictEqual(scoped.__esModule, true);
assert.throws(() => require('./fixtures/awaits.mjs'), { code: 'ERR_REQUIRE_ASYNC_MODULE' });
assert.strictEqual((await import('./fixtures/awaits.mjs')).late, 1);

// A .js file without a "type" is what it parses as.
assert.strictEqual((await import('./fixtures/ambiguous.js')).value, 'detected');

// data: URLs.
assert.strictEqual((await import('data:text/javascript,export default 5')).default, 5);
assert.deepStrictEqual((await import('data:application/json,{"x":1}', { with: { type: 'json' } })).default, { x: 1 });

// Errors.
const rejects = (specifier, code) => assert.rejects(import(specifier), { code });
await rejects('./fixtures/no-such.mjs', 'ERR_MODULE_NOT_FOUND');
await rejects('./fixtures', 'ERR_UNSUPPORTED_DIR_IMPORT');
await rejects('no-such-package', 'ERR_MODULE_NOT_FOUND');
await rejects('node:no-such', 'ERR_UNKNOWN_BUILTIN_MODULE');
await rejects('#undefined-import', 'ERR_PACKAGE_IMPORT_NOT_DEFINED');
await rejects('./fixtures/node_modules/dual/package.json', 'ERR_IMPORT_ATTRIBUTE_MISSING');
await rejects('http://example.org/x.js', 'ERR_UNSUPPORTED_ESM_URL_SCHEME');
await assert.rejects(import('./fixtures/cycle_a'), /Did you mean to import "\.\/cycle_a\.cjs"\?|Cannot find module/);

// Hooks stand around both loaders.
const hooks = registerHooks({
  resolve: (specifier, context, next) => (specifier === 'virtual' ? { url: 'virtual:x', shortCircuit: true } : next(specifier, context)),
  load: (url, context, next) => (url === 'virtual:x' ? { format: 'module', source: 'export default "made up"', shortCircuit: true } : next(url, context)),
});
assert.strictEqual((await import('virtual')).default, 'made up');
hooks.deregister();

assert.strictEqual(findPackageJSON('exporter', here('entry.js')), path.join(import.meta.dirname, 'fixtures/node_modules/exporter/package.json'));
