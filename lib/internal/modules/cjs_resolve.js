// natives: modules, process
//
// From a require() request to a file name: lookup paths, extensions, package
// "main", "exports" and "imports". These are the functions behind
// Module._findPath, Module._resolveLookupPaths and Module._resolveFilename;
// Module itself (cjs_loader.js) is passed in, because programs patch it.

'use strict';

const binding = native('modules');
const { getEnv } = native('process');
const { directoryOf, resolved } = require('internal/modules/places');
const { builtinId } = require('internal/modules/builtins');
const { getOptionValue } = require('internal/process/options');

// Loaded with the first request that needs them: one for a builtin does not.
const path = () => require('internal/path/path');
const packageJson = () => require('internal/modules/package_json');
const requireConditions = () => require('internal/modules/conditions').requireConditions();

// While one require() runs, a path is looked at once.
let statCache = null;
let depth = 0;

function beginStatCache() {
  if (depth++ === 0) statCache = new Map();
}

function endStatCache() {
  if (--depth === 0) statCache = null;
}

function stat(filename) {
  const known = statCache?.get(filename);
  if (known !== undefined) return known;
  const kind = binding.statKind(filename);
  if (kind >= 0) statCache?.set(filename, kind);
  return kind;
}

// Module._stat and Module._readPackage may be replaced by tools.
const patchable = {
  stat,
  readPackage: (directory) => packageJson().read(path().resolve(directory, 'package.json')),
};

function isRelative(request) {
  return request === '.' || request === '..' || stringStartsWith.call(request, './') || stringStartsWith.call(request, '../');
}

function notFound(message, fields) {
  return Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' }, fields);
}

function settle(file, isMain) {
  return getOptionValue(isMain ? '--preserve-symlinks-main' : '--preserve-symlinks')
    ? resolved(file)
    : require('internal/modules/real_path').realPath(file);
}

function tryFile(file, isMain) {
  return patchable.stat(file) === 0 ? settle(file, isMain) : undefined;
}

function tryExtensions(base, extensions, isMain) {
  for (const extension of each(extensions)) {
    const found = tryFile(base + extension, isMain);
    if (found) return found;
  }
  return undefined;
}

function tryDirectory(directory, extensions, isMain, request) {
  const { main, path: configPath } = patchable.readPackage(directory);
  const index = path().resolve(directory, 'index');
  if (!main) return tryExtensions(index, extensions, isMain);
  const file = path().resolve(directory, main);
  const found =
    tryFile(file, isMain) ?? tryExtensions(file, extensions, isMain) ?? tryExtensions(path().resolve(file, 'index'), extensions, isMain);
  if (found) return found;
  const fallback = tryExtensions(index, extensions, isMain);
  if (!fallback) {
    throw notFound(`Cannot find module '${file}'. Please verify that the package.json has a valid "main" entry`, {
      path: configPath,
      requestPath: request,
    });
  }
  process.emitWarning(
    `Invalid 'main' field in '${configPath}' of '${main}'. Please either fix that or report it to the module author`,
    'DeprecationWarning',
    'DEP0128',
  );
  return fallback;
}

// A target out of "exports" or "imports" (path or URL) as an existing file.
function finishTarget(target, importer, packagePath) {
  if (stringStartsWith.call(target, 'node:')) return target;
  let file = target;
  if (target[0] !== '/') {
    const { encodedSeparator } = require('internal/modules/esm_resolve');
    if (regexpTest.call(encodedSeparator, target)) {
      const { ERR_INVALID_MODULE_SPECIFIER } = require('internal/errors/coded').codes;
      throw new ERR_INVALID_MODULE_SPECIFIER(target, 'must not include encoded "/" or "\\" characters', importer);
    }
    file = require('internal/modules/file_url').urlToPath(target);
  }
  const found = tryFile(file, false);
  if (found) return found;
  throw notFound(`Cannot find module '${file}'`, packagePath ? { path: packagePath } : undefined);
}

function throughExports(config, subpath, importer, conditions, request, place) {
  const { packageExportsResolve } = require('internal/modules/package_targets');
  try {
    return finishTarget(packageExportsResolve(config, subpath, importer, conditions), importer, place);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw notFound(`Cannot find module '${request}'`, { path: config.path });
    throw error;
  }
}

function exportsOf(folder, request, conditions) {
  const match = regexpExec.call(packageJson().packageName, request);
  if (match === null) return undefined;
  const home = path().resolve(folder, match[1]);
  const config = patchable.readPackage(home);
  if (!config.exists || config.exports == null) return undefined;
  return throughExports(config, '.' + (match[2] ?? ''), undefined, conditions, request, home);
}

const endsAsDirectory = /(?:^|\/)\.{0,2}$/;

function findIn(folder, request, isMain, extensions) {
  const base = folder === '' ? resolved(request) : path().resolve(folder, request);
  const kind = patchable.stat(base);
  let found;
  if (!regexpTest.call(endsAsDirectory, request)) {
    if (kind === 0) found = settle(base, isMain);
    found ??= tryExtensions(base, extensions, isMain);
  }
  if (!found && kind === 1) found = tryDirectory(base, extensions, isMain, request);
  return found;
}

// Module._findPath
function findPath(Module, request, paths, isMain, conditions = requireConditions()) {
  const absolute = typeof request === 'string' ? stringStartsWith.call(request, '/') : path().isAbsolute(request);
  if (absolute) paths = [''];
  else if (!paths || paths.length === 0) return false;
  const cacheKey = request + '\x00' + arrayJoin.call(paths, '\x00');
  const cached = Module._pathCache[cacheKey];
  if (cached) return cached;
  const inside = !isRelative(request) || !stringStartsWith.call(path().normalize(request), '..');
  const extensions = Object.keys(Module._extensions);
  for (const folder of each(paths)) {
    if (typeof folder !== 'string') {
      const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;
      throw new ERR_INVALID_ARG_TYPE('paths', 'array of strings', paths);
    }
    if (inside && folder && patchable.stat(folder) < 1) continue;
    if (!absolute) {
      const exported = exportsOf(folder, request, conditions);
      if (exported) return exported;
    }
    const found = findIn(folder, request, isMain, extensions);
    if (found) return (Module._pathCache[cacheKey] = found);
  }
  return false;
}

// Module._nodeModulePaths
function nodeModulePaths(from) {
  let directory = resolved(from);
  const paths = [];
  while (directory !== '/') {
    const slash = stringLastIndexOf.call(directory, '/');
    if (stringSlice.call(directory, slash + 1) !== 'node_modules') arrayPush.call(paths, directory + '/node_modules');
    directory = slash === 0 ? '/' : stringSlice.call(directory, 0, slash);
  }
  arrayPush.call(paths, '/node_modules');
  return paths;
}

// Module._resolveLookupPaths; null means: not a matter of paths.
function lookupPaths(request, parent, searchPaths) {
  if (builtinId(request) !== undefined) return null;
  if (!isRelative(request)) {
    const globalPaths = searchPaths();
    const paths = parent?.paths?.length ? [...each(parent.paths), ...each(globalPaths)] : globalPaths;
    return paths.length > 0 ? paths : null;
  }
  if (!parent || !parent.id || !parent.filename) return ['.'];
  return [directoryOf(parent.filename)];
}

function parentFile(parent) {
  if (!parent) return undefined;
  if (parent.filename) return parent.filename;
  if (parent.id !== '<repl>' && parent.id !== 'internal/preload') return undefined;
  try {
    return process.cwd() + '/';
  } catch {
    return undefined;
  }
}

function resolveSelf(importer, request, conditions) {
  if (!importer) return undefined;
  const config = packageJson().nearest(importer);
  if (!config.exists || config.exports === undefined || config.name === undefined) return undefined;
  const { name } = config;
  if (request !== name && !stringStartsWith.call(request, name + '/')) return undefined;
  const subpath = request === name ? '.' : '.' + stringSlice.call(request, name.length);
  return throughExports(config, subpath, importer, conditions, subpath, directoryOf(config.path));
}

function resolveImports(request, importer, conditions) {
  const config = packageJson().nearest(importer);
  if (config.imports == null) return undefined;
  const { packageImportsResolve } = require('internal/modules/package_targets');
  try {
    return finishTarget(packageImportsResolve(request, importer, conditions), importer, config.path);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw notFound(`Cannot find module '${request}'`);
    throw error;
  }
}

function pathsFromOptions(Module, request, paths) {
  if (isRelative(request)) return paths;
  const probe = new Module('', null);
  const found = new Set();
  for (const folder of each(paths)) {
    probe.paths = Module._nodeModulePaths(folder);
    for (const candidate of each(Module._resolveLookupPaths(request, probe))) found.add(candidate);
  }
  return [...each(found)];
}

function chosenPaths(Module, request, parent, options) {
  if (typeof options === 'object' && options !== null && options.paths !== undefined) {
    if (Array.isArray(options.paths)) return pathsFromOptions(Module, request, options.paths);
    const { ERR_INVALID_ARG_VALUE } = require('internal/errors/coded').codes;
    throw new ERR_INVALID_ARG_VALUE('options.paths', options.paths);
  }
  return Module._resolveLookupPaths(request, parent);
}

function requireStack(parent, parentOf) {
  const stack = [];
  for (let cursor = parent; cursor; cursor = parentOf(cursor)) arrayPush.call(stack, cursor.filename || cursor.id);
  return stack;
}

const isBare = (request) => !isRelative(request) && request[0] !== '/';

// A bare request by --experimental-package-map: the file, or undefined when its package is none of the importer's dependencies.
function resolveByMap(request, importer, conditions, Module) {
  const found = require('internal/modules/package_map').findPackage(request, importer);
  if (found === undefined) return undefined;
  const { folder, subpath } = found;
  const config = patchable.readPackage(folder);
  if (config.exists && config.exports != null) return throughExports(config, subpath, importer, conditions, request, folder);
  return findIn(folder, subpath, false, Object.keys(Module._extensions));
}

// Module._resolveFilename
function resolveFilename(Module, request, parent, isMain, options, parentOf) {
  if (builtinId(request) !== undefined) return request;
  const conditions = options?.conditions || requireConditions();
  const paths = chosenPaths(Module, request, parent, options);
  const importer = parentFile(parent);
  if (request[0] === '#' && importer && (parent.filename || parent.id === '<repl>')) {
    const found = resolveImports(request, importer, conditions);
    if (found) return found;
  }
  const byMap = importer && getOptionValue('--experimental-package-map') !== false && isBare(request);
  const found =
    resolveSelf(importer, request, conditions) ??
    (byMap ? resolveByMap(request, importer, conditions, Module) : Module._findPath(request, paths, isMain, conditions));
  if (found) return found;
  const stack = requireStack(parent, parentOf);
  const trail = stack.length > 0 ? '\nRequire stack:\n- ' + arrayJoin.call(stack, '\n- ') : '';
  throw notFound(`Cannot find module '${request}'${trail}`, { requireStack: stack });
}

// Their current value in the environment.
const searchVariables = () => ({ home: getEnv('HOME'), extra: getEnv('NODE_PATH') });

// NODE_PATH and the two folders of old.
function globalSearchPaths({ home, extra }) {
  if (!getOptionValue('--global-search-paths')) return [];
  const paths = [path().resolve(process.execPath, '..', '..', 'lib', 'node')];
  if (home) arrayUnshift.call(paths, path().resolve(home, '.node_modules'), path().resolve(home, '.node_libraries'));
  if (extra) arrayUnshift.call(paths, ...each(arrayFilter.call(stringSplit.call(extra, path().delimiter), Boolean)));
  return paths;
}

module.exports = {
  beginStatCache,
  endStatCache,
  patchable,
  findPath,
  nodeModulePaths,
  lookupPaths,
  resolveFilename,
  requireStack,
  searchVariables,
  globalSearchPaths,
  isRelative,
};
