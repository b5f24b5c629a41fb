// natives: napi, process, zlib
// Constant facts of the process object: versions, release, config, features.
'use strict';

const { opensslVersion, rondoVersion, sqliteVersion } = native('process');
const { versions: libraries } = native('zlib');

const { getOptionValue } = require('internal/process/options');

// Of what is in this binary. (`uv` and `modules` are what programs take for Node's generation.)
function versions(node) {
  const all = {
    node,
    rondo: rondoVersion,
    acorn: '8.19.0',
    amaro: '1.2.1',
    ares: '1.18.1',
    cjs_module_lexer: '2.3.0',
    modules: '147',
    napi: `${native('napi').version}`,
    nghttp2: '1.52.0',
    ...libraries,
    openssl: opensslVersion,
    sqlite: sqliteVersion,
    undici: '8.12.4',
    unicode: '15.1',
    uv: '1.51.0',
    webkit: 'f8aa36d4737f',
  };
  const versions = {}; // to which programs may add: Yarn does
  for (const name of each(Object.keys(all))) {
    Object.defineProperty(versions, name, { __proto__: null, value: all[name], writable: false, enumerable: true, configurable: true });
  }
  return versions;
}

function release() {
  return { name: 'node' };
}

function config() {
  const variables = {
    node_builtin_shareable_builtins: [],
    node_byteorder: 'little',
    node_prefix: '/usr/local',
    node_shared: false,
    v8_enable_i18n_support: 1,
    node_use_openssl: true,
    node_use_amaro: true,
    node_quic: false,
    asan: 0,
    node_without_node_options: false,
    node_module_version: 147,
    icu_small: false,
  };
  return Object.freeze({
    target_defaults: Object.freeze({ cflags: [], default_configuration: 'Release', defines: [], include_dirs: [], libraries: [] }),
    variables: Object.freeze(variables),
  });
}

function features() {
  const all = {
    inspector: true,
    debug: false,
    uv: true,
    ipv6: true,
    tls_alpn: true,
    tls_sni: true,
    tls_ocsp: true,
    tls: true,
    quic: false,
    openssl_is_boringssl: false,
    cached_builtins: true,
    require_module: getOptionValue('--require-module'),
    typescript: getOptionValue('--strip-types') ? 'strip' : false,
  };
  const features = {};
  for (const name of each(Object.keys(all))) {
    Object.defineProperty(features, name, { __proto__: null, enumerable: true, configurable: false, get: () => all[name] });
  }
  return features;
}

module.exports = { versions, release, config, features };
