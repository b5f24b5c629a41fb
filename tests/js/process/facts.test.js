'use strict';
// process.versions, config and features tell of nothing that is not there.
const assert = require('node:assert');
const { dependencies } = require('../../../package.json');
const { versions, features, config } = process;

assert.strictEqual(versions.napi, '10');
assert.ok(!('napi_build_version' in config.variables));
assert.strictEqual(versions.acorn, dependencies.acorn);
assert.strictEqual(versions.amaro, dependencies.amaro);
assert.strictEqual(versions.cjs_module_lexer, dependencies['cjs-module-lexer']);
const { builtinModules } = require('node:module');
assert.strictEqual('undici' in versions, typeof fetch === 'function');  // which it stands behind
for (const [name, module] of [['zlib', 'zlib'], ['brotli', 'zlib'], ['zstd', 'zlib'], ['nghttp2', 'http2']]) {
  assert.strictEqual(name in versions, builtinModules.includes(module), name);
}
for (const name of ['tls', 'tls_alpn', 'tls_sni', 'tls_ocsp']) assert.strictEqual(features[name], builtinModules.includes('tls'), name);
assert.strictEqual(features.inspector, builtinModules.includes('inspector'));

assert.ok(process.getgroups().includes(process.getegid()));
