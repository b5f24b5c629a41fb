// natives: modules
//
// Which names are builtin modules, and how user code reaches them. The list is
// Node's; a name counts only when this binary carries lib/node/<name>.js, so
// module.builtinModules never promises what cannot be loaded.

'use strict';

const binding = native('modules');

const withOrWithoutScheme = [
  '_http_agent',
  '_http_client',
  '_http_common',
  '_http_incoming',
  '_http_outgoing',
  '_http_server',
  '_stream_duplex',
  '_stream_passthrough',
  '_stream_readable',
  '_stream_transform',
  '_stream_wrap',
  '_stream_writable',
  '_tls_common',
  '_tls_wrap',
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'child_process',
  'cluster',
  'console',
  'constants',
  'crypto',
  'dgram',
  'diagnostics_channel',
  'dns',
  'dns/promises',
  'domain',
  'events',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'inspector/promises',
  'module',
  'net',
  'os',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'readline',
  'readline/promises',
  'repl',
  'stream',
  'stream/consumers',
  'stream/iter',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'sys',
  'timers',
  'timers/promises',
  'tls',
  'trace_events',
  'tty',
  'url',
  'util',
  'util/types',
  'v8',
  'vm',
  'wasi',
  'worker_threads',
  'zlib',
  'zlib/iter',
];
const onlyWithScheme = ['sea', 'sqlite', 'test', 'test/reporters'];

// Of our own: 'rondo:serve' is lib/rondo/serve.js.
const ownNames = new Set(['explore', 'mesh', 'serve']);

const bareNames = new Set(withOrWithoutScheme);
const schemeNames = new Set(onlyWithScheme);
const present = new Map();

const optionOf = {
  __proto__: null,
  sqlite: '--experimental-sqlite',
  'stream/iter': '--experimental-stream-iter',
  'zlib/iter': '--experimental-stream-iter',
};

function isSwitchedOff(id) {
  const option = optionOf[id];
  return option !== undefined && !require('internal/process/options').getOptionValue(option);
}

function exists(id) {
  let known = present.get(id);
  if (known === undefined) present.set(id, (known = binding.hasBuiltin(id) && !isSwitchedOff(id)));
  return known;
}

// 'fs' may be required as it is; 'test' may not.
function isBareBuiltin(id) {
  return (bareNames.has(id) || (stringStartsWith.call(id, 'internal/') && isExposed())) && exists(id);
}

// 'node:fs', 'rondo:serve'; whether there is such a module, builtinId says.
function hasBuiltinScheme(request) {
  return stringStartsWith.call(request, 'node:') || stringStartsWith.call(request, 'rondo:');
}

// The id under which lib/ knows the module, or undefined when it is no builtin.
function builtinId(request) {
  if (stringStartsWith.call(request, 'node:')) {
    const id = stringSlice.call(request, 5);
    return (bareNames.has(id) || schemeNames.has(id)) && exists(id) ? id : undefined;
  }
  if (stringStartsWith.call(request, 'rondo:')) {
    const id = 'rondo/' + stringSlice.call(request, 6);
    return ownNames.has(stringSlice.call(request, 6)) && exists(id) ? id : undefined;
  }
  return isBareBuiltin(request) ? request : undefined;
}

// --expose-internals: files of lib/internal, which are not Node's.
function isExposed() {
  return require('internal/process/options').getOptionValue('--expose-internals');
}

function isBuiltin(request) {
  return typeof request === 'string' && builtinId(request) !== undefined;
}

let names;
function builtinModules() {
  names ??= Object.freeze([
    ...each(arrayFilter.call(withOrWithoutScheme, exists)),
    ...each(arrayMap.call(arrayFilter.call(onlyWithScheme, exists), (id) => 'node:' + id)),
  ]);
  return names;
}

function loadBuiltin(id) {
  return require(id);
}

// Live ES module faces of builtins: id -> the setter the engine handed us.
const faces = new Map();

// A getter may throw (a feature that is switched off); its name is then there without a value.
function readOwn(object, name) {
  try {
    return Object.hasOwn(object, name) ? object[name] : undefined;
  } catch {
    return undefined;
  }
}

function assignFace({ id, names: exported, set }) {
  const value = loadBuiltin(id);
  for (const name of each(exported)) {
    if (name !== 'default') set(name, readOwn(value, name));
  }
  set('default', value);
}

// The module that the ES loader links when `import` names a builtin.
function builtinSynthetic(id) {
  const value = loadBuiltin(id);
  const exported = arrayFilter.call(Object.keys(value), (name) => name !== 'default');
  arrayPush.call(exported, 'default');
  return {
    kind: 'synthetic',
    names: exported,
    evaluate(set) {
      const face = { id, names: exported, set };
      faces.set(id, face);
      assignFace(face);
    },
  };
}

function syncBuiltinESMExports() {
  for (const face of each(faces.values())) assignFace(face);
}

module.exports = {
  builtinId,
  hasBuiltinScheme,
  isBareBuiltin,
  exists,
  isBuiltin,
  builtinModules,
  loadBuiltin,
  builtinSynthetic,
  syncBuiltinESMExports,
};
