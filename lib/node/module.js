// natives: modules
//
// node:module. The Module class itself, with the functions that stand beside
// it: createRequire, hooks, package lookup, type stripping. The loaders are in
// lib/internal/modules.

'use strict';

const path = require('internal/path/path');
const { Module, makeRequire, stateOf } = require('internal/modules/cjs_loader');
const { builtinModules, syncBuiltinESMExports } = require('internal/modules/builtins');
const { registerHooks } = require('internal/modules/hooks');
const { addLazy } = require('internal/util/lazy_property');
const { pathToUrl, urlToPath } = require('internal/modules/file_url');

function invalidFilename(value) {
  const { ERR_INVALID_ARG_VALUE } = require('internal/errors/coded').codes;
  return new ERR_INVALID_ARG_VALUE('filename', value, 'must be a file URL object, file URL string, or absolute path string');
}

function isUrl(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

function createRequire(filename) {
  let file = filename;
  if (isUrl(filename) || (typeof filename === 'string' && !path.isAbsolute(filename))) {
    try {
      file = require('internal/url/url').fileURLToPath(isUrl(filename) ? filename : new (require('internal/url/url').URL)(filename));
    } catch {
      throw invalidFilename(filename);
    }
  } else if (typeof filename !== 'string') {
    throw invalidFilename(filename);
  }
  const isDirectory = stringEndsWith.call(file, '/');
  const proxy = new Module(isDirectory ? path.join(file, 'noop.js') : file);
  proxy.filename = proxy.id;
  proxy.paths = Module._nodeModulePaths(isDirectory ? file : path.dirname(file));
  if (file !== filename) stateOf(proxy).url = `${filename}`;
  return makeRequire(proxy);
}

function asText(specifier) {
  try {
    return `${specifier}`;
  } catch {
    require('internal/util/validators').validateString(specifier, 'specifier');
    return undefined;
  }
}

function baseUrl(base) {
  if (isUrl(base)) return base.href;
  require('internal/util/validators').validateString(base, 'base');
  return path.isAbsolute(base) ? pathToUrl(base) : new (require('internal/url/url').URL)(base).href;
}

// The package.json of a package that a module at `from` may import by name.
function packageByName(request, from, base) {
  const { nearest, read, splitSpecifier } = require('internal/modules/package_json');
  const { name } = splitSpecifier(request, base);
  const own = nearest(from);
  if (own.exists && own.name === name && own.exports !== undefined) return own.path;
  for (const folder of each(Module._nodeModulePaths(path.dirname(from)))) {
    const home = path.join(folder, name);
    if (binding().statKind(home) !== 1) continue;
    const config = read(path.join(home, 'package.json'));
    return config.exists ? config.path : undefined;
  }
  const { ERR_MODULE_NOT_FOUND } = require('internal/errors/coded').codes;
  throw new ERR_MODULE_NOT_FOUND(name, from, undefined);
}

function resolvedUrl(request, base) {
  try {
    return require('internal/modules/esm_resolve').defaultResolve(request, base);
  } catch (error) {
    if (error.code === 'ERR_UNSUPPORTED_DIR_IMPORT') return error.url;
    throw error;
  }
}

// A bare specifier names a package; anything else a file inside one.
function findPackageJSON(specifier, base = 'data:') {
  if (arguments.length === 0) {
    const { ERR_MISSING_ARGS } = require('internal/errors/coded').codes;
    throw new ERR_MISSING_ARGS('specifier');
  }
  const request = asText(specifier);
  const parent = baseUrl(base);
  const isPlace = request === '' || request[0] === '.' || request[0] === '/' || require('internal/url/url').URL.canParse(request);
  if (!isPlace) {
    if (!stringStartsWith.call(parent, 'file:')) throw new (require('internal/errors/coded').codes.ERR_INVALID_URL)(request);
    return packageByName(request, urlToPath(parent), parent);
  }
  const config = require('internal/modules/package_json').nearest(require('internal/url/url').fileURLToPath(resolvedUrl(request, parent)));
  return config.exists ? config.path : undefined;
}

const binding = () => native('modules');

Object.assign(Module, { Module, createRequire, findPackageJSON, registerHooks, syncBuiltinESMExports });
addLazy(Module, ['register'], () => require('internal/modules/remote_hooks').register, true);
addLazy(
  Module,
  ['constants'],
  () =>
    Object.freeze({
      __proto__: null,
      compileCacheStatus: require('internal/modules/compile_cache').status,
    }),
  true,
);
addLazy(
  Module,
  ['enableCompileCache', 'flushCompileCache', 'getCompileCacheDir'],
  (name) => require('internal/modules/compile_cache')[name],
  true,
);
addLazy(
  Module,
  ['findSourceMap', 'getSourceMapsSupport', 'setSourceMapsSupport'],
  (name) => require('internal/source_map/cache')[name],
  true,
);
addLazy(Module, ['SourceMap'], () => require('internal/source_map/source_map').SourceMap, true);
addLazy(Module, ['stripTypeScriptTypes'], () => require('internal/modules/typescript').stripTypeScriptTypes, true);
Module.builtinModules ??= builtinModules();

module.exports = Module;
