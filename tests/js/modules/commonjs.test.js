// CommonJS as programs use it: resolution, cache, cycles, JSON, errors, and the Module class that tools patch.
'use strict';

const assert = require('assert');
const path = require('path');
const Module = require('module');

const fixtures = path.join(__dirname, 'fixtures');
const fromFixtures = Module.createRequire(path.join(fixtures, 'entry.js'));

// What a module is given.
assert.strictEqual(module.exports, exports);
assert.strictEqual(this, exports);
assert.strictEqual(require.main, module);
assert.strictEqual(__filename, module.filename);
assert.strictEqual(module.id, '.');
assert.deepStrictEqual(Object.keys(require), ['resolve', 'main', 'extensions', 'cache']);

// Packages.
assert.strictEqual(fromFixtures('exporter').kind, 'cjs');
assert.deepStrictEqual(fromFixtures('exporter/feature/one'), { one: 1 });
assert.strictEqual(fromFixtures('exporter').inner(), fromFixtures('exporter/feature/one'));
assert.strictEqual(fromFixtures('exporter').self(), fromFixtures('exporter/feature/one'));
assert.strictEqual(fromFixtures('dual').name, 'dual');
assert.strictEqual(fromFixtures('mainless'), 'index of mainless');
assert.throws(() => fromFixtures('exporter/features/one.cjs'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
assert.throws(() => fromFixtures('exporter/feature/secret'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
assert.throws(() => fromFixtures('exporter/bad'), { code: 'ERR_INVALID_PACKAGE_TARGET' });
assert.throws(() => fromFixtures('broken'), { code: 'ERR_INVALID_PACKAGE_CONFIG' });

// Cycles see what is there so far.
const a = fromFixtures('./cycle_a.cjs');
assert.deepStrictEqual(a, { early: true, fromB: true, late: true });
assert.strictEqual(fromFixtures('./cycle_b.cjs').sawLate, undefined);

// Not found: the error says who asked.
assert.throws(() => require('no-such-package'), (error) => {
  assert.strictEqual(error.code, 'MODULE_NOT_FOUND');
  assert.deepStrictEqual(error.requireStack, [__filename]);
  assert.strictEqual(error.message, `Cannot find module 'no-such-package'\nRequire stack:\n- ${__filename}`);
  return true;
});
assert.throws(() => require('node:no-such'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' });
assert.throws(() => require(''), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => require(7), { code: 'ERR_INVALID_ARG_TYPE' });

// JSON, cache, require.resolve.
const data = fromFixtures('./data.json');
assert.deepStrictEqual(data, { answer: 42 });
const file = fromFixtures.resolve('./data.json');
delete require.cache[file];
assert.notStrictEqual(fromFixtures('./data.json'), data);
assert.strictEqual(require.resolve('fs'), 'fs');
assert.strictEqual(require.resolve('node:fs'), 'node:fs');
assert.strictEqual(require.resolve.paths('fs'), null);
assert.strictEqual(require.resolve.paths('x')[0], path.join(__dirname, 'node_modules'));

// The Module class.
assert.strictEqual(require('module'), Module);
assert.deepStrictEqual(Module._nodeModulePaths('/a/node_modules/b'), ['/a/node_modules/b/node_modules', '/a/node_modules', '/node_modules']);
assert.ok(Module.isBuiltin('node:fs') && Module.isBuiltin('fs') && !Module.isBuiltin('lodash'));
assert.ok(Module.builtinModules.includes('fs'));
const original = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => original.call(Module, request === 'alias' ? './fixtures/data.json' : request, ...rest);
assert.deepStrictEqual(require('alias'), { answer: 42 });
Module._resolveFilename = original;
Module._extensions['.shout'] = (target, name) => { target.exports = path.basename(name).toUpperCase(); };
require('fs').writeFileSync(path.join(require('fs').mkdtempSync('/tmp/rondo-ext-'), 'x.shout'), '');
delete Module._extensions['.shout'];

// TypeScript by erasure; what needs code generation is refused.
assert.strictEqual(fromFixtures('./typed.mts').default, 7);
assert.throws(() => fromFixtures('./enum.cts'), { code: 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' });
