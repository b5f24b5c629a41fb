// natives: modules
//
// package.json as the loaders see it: parsed once, kept for the life of the
// process, looked up by path, by nearest parent and by package name. Only the
// fields that resolution needs are kept. Not for user code, which reads the
// file itself or calls module.findPackageJSON.

'use strict';

const binding = native('modules');
const { displayName } = require('internal/modules/file_url');

const byPath = new Map();
const nearestByDirectory = new Map();

// Stands for a missing package.json.
function absent(path) {
  return { exists: false, path, name: undefined, main: undefined, exports: undefined, imports: undefined, type: 'none' };
}

function invalidConfig(path, importer, specifier) {
  const { ERR_INVALID_PACKAGE_CONFIG } = require('internal/errors/coded').codes;
  const base = importer === undefined ? undefined : `"${specifier}" from ${displayName(importer)}`;
  return new ERR_INVALID_PACKAGE_CONFIG(path, base, '');
}

// Node appends the full stop that its message template leaves out.
function throwInvalid(path, importer, specifier) {
  const error = invalidConfig(path, importer, specifier);
  if (!stringEndsWith.call(error.message, '.')) error.message += '.';
  throw error;
}

const isStringOrAbsent = (value) => value === undefined || typeof value === 'string';

// A program may have put fields of these names on Object.prototype.
function ownFields(json) {
  const own = { __proto__: null };
  for (const name of each(Object.keys(json))) own[name] = json[name];
  return own;
}

function parse(path, text, importer, specifier) {
  let json;
  try {
    json = JSON.parse(stringCharCodeAt.call(text, 0) === 0xfeff ? stringSlice.call(text, 1) : text);
  } catch {
    throwInvalid(path, importer, specifier);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throwInvalid(path, importer, specifier);
  const { name, main, exports, imports, type } = ownFields(json);
  // As in Node: a name and a type must be strings; other fields of the wrong kind are as good as absent.
  if (!isStringOrAbsent(name) || !isStringOrAbsent(type)) throwInvalid(path, importer, specifier);
  const hasExports = typeof exports === 'string' || (typeof exports === 'object' && exports !== null);
  return {
    exists: true,
    path,
    name,
    main: typeof main === 'string' ? main : undefined,
    exports: hasExports ? exports : undefined,
    imports: typeof imports === 'object' && imports !== null ? imports : undefined,
    type: type === 'module' || type === 'commonjs' ? type : 'none',
  };
}

// `path` names the package.json itself. Throws ERR_INVALID_PACKAGE_CONFIG when it is not JSON.
function read(path, importer, specifier) {
  let config = byPath.get(path);
  if (config !== undefined) return config;
  const text = binding.readPackageJson(path);
  config = text === undefined ? absent(path) : parse(path, text, importer, specifier);
  byPath.set(path, config);
  return config;
}

function parentOf(directory) {
  const slash = stringLastIndexOf.call(directory, '/');
  return slash <= 0 ? '/' : stringSlice.call(directory, 0, slash);
}

function nearestFrom(directory) {
  const known = nearestByDirectory.get(directory);
  if (known !== undefined) return known;
  let config;
  if (stringEndsWith.call(directory, '/node_modules')) {
    config = absent(directory + '/package.json');
  } else {
    config = read(directory === '/' ? '/package.json' : directory + '/package.json');
    if (!config.exists && directory !== '/') config = nearestFrom(parentOf(directory));
  }
  nearestByDirectory.set(directory, config);
  return config;
}

// The package.json that governs a file: the nearest one up the tree, never past
// a node_modules folder. `exists` is false when there is none.
function nearest(filename) {
  return nearestFrom(parentOf(filename));
}

const packageName = /^((?:@[^/\\%]+\/)?[^./\\%@][^/\\%]*)(\/.*)?$/;

// 'name/sub' -> { name, subpath: './sub' }; throws on a name no package can have.
function splitSpecifier(specifier, importer) {
  const match = regexpExec.call(packageName, specifier);
  if (match === null) {
    const { ERR_INVALID_MODULE_SPECIFIER } = require('internal/errors/coded').codes;
    throw new ERR_INVALID_MODULE_SPECIFIER(specifier, 'is not a valid package name', importer && displayName(importer));
  }
  return { name: match[1], subpath: match[2] === undefined ? '.' : '.' + match[2] };
}

// Forgets what was read; for tests and for tools that rewrite package.json.
function clear() {
  byPath.clear();
  nearestByDirectory.clear();
}

module.exports = { read, nearest, parentOf, splitSpecifier, packageName, clear };
