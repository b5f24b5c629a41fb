// natives: modules
//
// node:module. The Module class itself, with the functions that stand beside
// it: createRequire, hooks, package lookup, type stripping. The loaders are in
// lib/internal/modules.

'use strict';

const path = require('path');
const { Module, makeRequire, stateOf } = require('internal/modules/cjs_loader');
const { builtinModules, syncBuiltinESMExports } = require('internal/modules/builtins');
const { registerHooks } = require('internal/modules/hooks');
const { defineLazy } = require('internal/lazy_property');
const { pathToUrl, urlToPath } = require('internal/modules/file_url');

function invalidFilename(value) {
  const { ERR_INVALID_ARG_VALUE } = require('internal/errors').codes;
  return new ERR_INVALID_ARG_VALUE('filename', value, 'must be a file URL object, file URL string, or absolute path string');
}

function isUrl(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

function createRequire(filename) {
  let file = filename;
  if (isUrl(filename) || (typeof filename === 'string' && !path.isAbsolute(filename))) {
    try {
      file = require('url').fileURLToPath(isUrl(filename) ? filename : new (require('url').URL)(filename));
    } catch {
      throw invalidFilename(filename);
    }
  } else if (typeof filename !== 'string') {
    throw invalidFilename(filename);
  }
  const isDirectory = file.endsWith('/');
  const proxy = new Module(isDirectory ? path.join(file, 'noop.js') : file);
  proxy.filename = proxy.id;
  proxy.paths = Module._nodeModulePaths(isDirectory ? file : path.dirname(file));
  if (file !== filename) stateOf(proxy).url = `${filename}`;
  return makeRequire(proxy);
}

function startOfSearch(base) {
  if (base === undefined) return undefined;
  const text = isUrl(base) ? base.href : `${base}`;
  if (text.startsWith('file:')) return urlToPath(text);
  return path.isAbsolute(text) ? text : undefined;
}

// A bare specifier names a package; anything else a file inside one.
function findPackageJSON(specifier, base = 'data:') {
  if (arguments.length === 0) {
    const { ERR_MISSING_ARGS } = require('internal/errors').codes;
    throw new ERR_MISSING_ARGS('specifier');
  }
  const { validateString } = require('internal/validators');
  if (!isUrl(specifier)) validateString(specifier, 'specifier');
  const { nearest, read, splitSpecifier } = require('internal/modules/package_json');
  const request = isUrl(specifier) ? specifier.href : specifier;
  const from = startOfSearch(base);
  const relative = /^\.{0,2}(?:\/|$)/.test(request) || request === '.' || request === '..';
  if (relative || request.startsWith('file:')) {
    const file = request.startsWith('file:') ? urlToPath(request) :
      path.resolve(from === undefined ? '/' : path.dirname(from + (from.endsWith('/') ? 'x' : '')), request) +
      (request.endsWith('/') ? '/' : '');
    const config = nearest(binding().statKind(file) === 1 ? path.join(file, 'x') : file);
    return config.exists ? config.path : undefined;
  }
  const { name } = splitSpecifier(request, from && pathToUrl(from));
  const own = from === undefined ? undefined : nearest(from);
  if (own?.exists && own.name === name && own.exports !== undefined) return own.path;
  for (const folder of Module._nodeModulePaths(from === undefined ? '/' : path.dirname(from))) {
    const home = path.join(folder, name);
    if (binding().statKind(home) !== 1) continue;
    const config = read(path.join(home, 'package.json'));
    return config.exists ? config.path : undefined;
  }
  const { ERR_MODULE_NOT_FOUND } = require('internal/errors').codes;
  throw new ERR_MODULE_NOT_FOUND(name, from ?? `${base}`);
}

const binding = () => native('modules');

Object.assign(Module, { Module, createRequire, findPackageJSON, registerHooks, syncBuiltinESMExports });
defineLazy(Module, 'register', () => require('internal/modules/remote_hooks').register, true);
defineLazy(Module, 'constants', () => Object.freeze({
  __proto__: null, compileCacheStatus: require('internal/modules/compile_cache').status,
}), true);
for (const name of ['enableCompileCache', 'flushCompileCache', 'getCompileCacheDir']) {
  defineLazy(Module, name, () => require('internal/modules/compile_cache')[name], true);
}
for (const name of ['findSourceMap', 'getSourceMapsSupport', 'setSourceMapsSupport']) {
  defineLazy(Module, name, () => require('internal/source_map/cache')[name], true);
}
defineLazy(Module, 'SourceMap', () => require('internal/source_map/source_map').SourceMap, true);
defineLazy(Module, 'stripTypeScriptTypes', () => require('internal/modules/typescript').stripTypeScriptTypes, true);
Module.builtinModules ??= builtinModules();

module.exports = Module;
