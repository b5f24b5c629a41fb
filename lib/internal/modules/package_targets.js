// natives: none
//
// The "exports" and "imports" fields of package.json: from a subpath and a set
// of conditions to a target. Follows the algorithms PACKAGE_EXPORTS_RESOLVE and
// PACKAGE_IMPORTS_RESOLVE of Node's documentation (esm.html, "Resolution
// algorithm"). Both loaders call it; neither file system nor symlinks are
// looked at here.
//
// A result is a string: an absolute path, or a URL where the target is not a
// plain path (percent escapes, queries, builtins reached through "imports").

'use strict';

const path = require('internal/path/path');
const { displayName } = require('internal/modules/file_url');
const { nearest } = require('internal/modules/package_json');

const plain = /^[^%?#\\\t\n\r]*$/;
// A segment that is `.`, `..` or `node_modules`, each character plain or percent-encoded in either case.
const kNode = '(n|%6e|%4e)(o|%6f|%4f)(d|%64|%44)(e|%65|%45)';
const kModules = '(m|%6d|%4d)(o|%6f|%4f)(d|%64|%44)(u|%75|%55)(l|%6c|%4c)(e|%65|%45)(s|%73|%53)';
const badSegment = new RegExp(`(^|\\\\|/)((\\.|%2e)(\\.|%2e)?|${kNode}(_|%5f)${kModules})(\\\\|/|$)`, 'i');
const emptySegment = /(^|\\|\/)(\\|\/)|(\\|\/)$|^$/;

function errors() {
  return require('internal/errors/coded').codes;
}

function directoryOf(config) {
  return stringSlice.call(config.path, 0, -'package.json'.length);
}

function notExported(subpath, config, base) {
  const { ERR_PACKAGE_PATH_NOT_EXPORTED } = errors();
  return new ERR_PACKAGE_PATH_NOT_EXPORTED(directoryOf(config), subpath, base && displayName(base));
}

function invalidTarget(query, target) {
  const { ERR_INVALID_PACKAGE_TARGET } = errors();
  const shown = typeof target === 'object' && target !== null ? JSON.stringify(target, null, '') : `${target}`;
  return new ERR_INVALID_PACKAGE_TARGET(directoryOf(query.config), query.key, shown, query.internal, query.base && displayName(query.base));
}

function invalidSubpath(request, query) {
  const { ERR_INVALID_MODULE_SPECIFIER } = errors();
  const field = query.internal ? 'imports' : 'exports';
  return new ERR_INVALID_MODULE_SPECIFIER(
    request,
    `request is not a valid match in pattern "${query.key}" for the "${field}" resolution of ${query.config.path}`,
    query.base && displayName(query.base),
  );
}

let isQuiet = false;

// Runs a resolution that only looks for words of an error.
function withoutWarnings(resolve) {
  isQuiet = true;
  try {
    return resolve();
  } finally {
    isQuiet = false;
  }
}

function warnSlashes(query, target, isTarget) {
  if (isQuiet || query.trailingSlash || process.noDeprecation) return;
  const request = stringReplace.call(query.key, '*', () => query.match);
  const resolved = query.match === undefined ? target : stringReplaceAll.call(target, '*', () => query.match);
  const double = regexpTest.call(/[/\\][/\\]/, isTarget ? resolved : request);
  process.emitWarning(
    `Use of deprecated ${double ? 'double slash' : 'leading or trailing slash matching'} resolving "${resolved}" for module ` +
      `request "${request}" ${request !== query.key ? `matched to "${query.key}" ` : ''}in the "${
        query.internal ? 'imports' : 'exports'
      }" field module resolution of the package at ${query.config.path}${query.base ? ` imported from ${displayName(query.base)}` : ''}.`,
    'DeprecationWarning',
    'DEP0166',
  );
}

function canParseUrl(text) {
  return regexpTest.call(/^[A-Za-z][A-Za-z0-9+.-]*:/, text) && require('internal/url/url').URL.canParse(text);
}

function bareTarget(target, query) {
  if (query.internal && target[0] !== '/' && !stringStartsWith.call(target, '../') && !canParseUrl(target)) {
    const specifier = query.match === undefined ? target : stringReplaceAll.call(target, '*', () => query.match);
    const { packageResolve } = require('internal/modules/esm_resolve');
    const { pathToUrl } = require('internal/modules/file_url');
    return packageResolve(specifier, pathToUrl(query.config.path), query.conditions);
  }
  throw invalidTarget(query, target);
}

// PACKAGE_TARGET_RESOLVE, step 1: the target is a string.
function stringTarget(target, query) {
  if (!stringStartsWith.call(target, './')) return bareTarget(target, query);
  const rest = stringSlice.call(target, 2);
  if (regexpTest.call(badSegment, rest)) throw invalidTarget(query, target);
  if (regexpTest.call(emptySegment, rest)) warnSlashes(query, target, true);
  const { match } = query;
  if (match !== undefined) {
    if (regexpTest.call(badSegment, match))
      throw invalidSubpath(
        stringReplace.call(query.key, '*', () => match),
        query,
      );
    if (regexpTest.call(emptySegment, match)) warnSlashes(query, target, false);
  }
  const full = match === undefined ? target : stringReplaceAll.call(target, '*', () => match);
  const directory = directoryOf(query.config);
  if (regexpTest.call(plain, full)) {
    const resolved = path.normalize(directory + stringSlice.call(full, 2));
    if (!stringStartsWith.call(resolved, directory)) throw invalidTarget(query, target);
    return resolved;
  }
  const { pathToUrl } = require('internal/modules/file_url');
  const { URL } = require('internal/url/url');
  const base = pathToUrl(query.config.path);
  const url = new URL(target, base);
  if (!stringStartsWith.call(url.pathname, new URL('.', base).pathname)) throw invalidTarget(query, target);
  return match === undefined ? url.href : new URL(stringReplaceAll.call(url.href, '*', () => match)).href;
}

function isArrayIndex(key) {
  const number = +key;
  return `${number}` === key && number >= 0 && number < 0xffff_ffff;
}

function objectTarget(target, query) {
  const keys = Object.getOwnPropertyNames(target);
  if (arraySome.call(keys, isArrayIndex)) {
    const { ERR_INVALID_PACKAGE_CONFIG } = errors();
    throw new ERR_INVALID_PACKAGE_CONFIG(query.config.path, query.base, '"exports" cannot contain numeric property keys.');
  }
  for (const key of each(keys)) {
    if (key !== 'default' && !query.conditions.has(key)) continue;
    const resolved = resolveTarget(target[key], query);
    if (resolved !== undefined) return resolved;
  }
  return undefined;
}

function arrayTarget(targets, query) {
  let failure = null;
  for (const target of each(targets)) {
    let resolved;
    try {
      resolved = resolveTarget(target, query);
    } catch (error) {
      if (error.code !== 'ERR_INVALID_PACKAGE_TARGET') throw error;
      failure = error;
      continue;
    }
    if (resolved === undefined) continue;
    if (resolved !== null) return resolved;
    failure = null;
  }
  if (failure !== null) throw failure;
  return targets.length === 0 ? null : failure;
}

// undefined: no condition matched; null: excluded on purpose.
function resolveTarget(target, query) {
  if (typeof target === 'string') return stringTarget(target, query);
  if (Array.isArray(target)) return arrayTarget(target, query);
  if (target === null) return null;
  if (typeof target === 'object') return objectTarget(target, query);
  throw invalidTarget(query, target);
}

// PATTERN_KEY_COMPARE: the longer base wins, then the longer key.
function morePrecise(key, best) {
  if (best === '') return true;
  const keyBase = stringIndexOf.call(key, '*') + 1;
  const bestBase = stringIndexOf.call(best, '*') + 1;
  return keyBase !== bestBase ? keyBase > bestBase : key.length > best.length;
}

function bestPattern(map, request, onPrefix) {
  let best = '';
  let match;
  for (const key of each(Object.getOwnPropertyNames(map))) {
    const star = stringIndexOf.call(key, '*');
    if (star === -1 || !stringStartsWith.call(request, stringSlice.call(key, 0, star))) continue;
    onPrefix?.();
    const trailer = stringSlice.call(key, star + 1);
    if (
      request.length >= key.length &&
      stringEndsWith.call(request, trailer) &&
      stringLastIndexOf.call(key, '*') === star &&
      morePrecise(key, best)
    ) {
      best = key;
      match = stringSlice.call(request, star, request.length - trailer.length);
    }
  }
  return best === '' ? undefined : { key: best, match };
}

function isMainSugar(exports, config, base) {
  if (typeof exports === 'string' || Array.isArray(exports)) return true;
  if (typeof exports !== 'object' || exports === null) return false;
  let sugar;
  for (const key of each(Object.getOwnPropertyNames(exports))) {
    const bare = key === '' || key[0] !== '.';
    sugar ??= bare;
    if (sugar !== bare) {
      const { ERR_INVALID_PACKAGE_CONFIG } = errors();
      throw new ERR_INVALID_PACKAGE_CONFIG(
        config.path,
        base,
        '"exports" cannot contain some keys starting with \'.\' and some not.' +
          ' The exports object must either be an object of package subpath keys' +
          ' or an object of main entry condition name keys only.',
      );
    }
  }
  return sugar ?? false;
}

const warnedTrailing = new Set();
function warnTrailingSlash(subpath, config, base) {
  const key = config.path + '|' + subpath;
  if (process.noDeprecation || warnedTrailing.has(key)) return;
  warnedTrailing.add(key);
  process.emitWarning(
    `Use of deprecated trailing slash pattern mapping "${subpath}" in the ` +
      `"exports" field module resolution of the package at ${config.path}${
        base ? ` imported from ${displayName(base)}` : ''
      }. Mapping specifiers ending in "/" is no longer supported.`,
    'DeprecationWarning',
    'DEP0155',
  );
}

// PACKAGE_EXPORTS_RESOLVE. `base` (URL or path of the importer) is for messages only and may be undefined.
function packageExportsResolve(config, subpath, base, conditions) {
  let { exports } = config;
  if (isMainSugar(exports, config, base)) exports = { '.': exports };
  const trailingSlash = stringEndsWith.call(subpath, '/');
  const query = { config, key: subpath, match: undefined, internal: false, base, conditions, trailingSlash };
  let target;
  if (Object.hasOwn(exports, subpath) && !stringIncludes.call(subpath, '*') && !trailingSlash) {
    target = exports[subpath];
  } else {
    const found = bestPattern(exports, subpath, trailingSlash ? () => warnTrailingSlash(subpath, config, base) : undefined);
    if (found === undefined) throw notExported(subpath, config, base);
    query.key = found.key;
    query.match = found.match;
    target = exports[found.key];
  }
  const resolved = resolveTarget(target, query);
  if (resolved == null) throw notExported(subpath, config, base);
  return resolved;
}

function importTarget(imports, name, query) {
  if (Object.hasOwn(imports, name) && !stringIncludes.call(name, '*')) return resolveTarget(imports[name], query);
  const found = bestPattern(imports, name);
  if (found === undefined) return undefined;
  query.key = found.key;
  query.match = found.match;
  return resolveTarget(imports[found.key], query);
}

// PACKAGE_IMPORTS_RESOLVE. `filename` is the importing file's path.
function packageImportsResolve(name, filename, conditions) {
  if (name === '#' || stringEndsWith.call(name, '/')) {
    const { ERR_INVALID_MODULE_SPECIFIER } = errors();
    throw new ERR_INVALID_MODULE_SPECIFIER(name, 'is not a valid internal imports specifier name', filename);
  }
  const config = nearest(filename);
  if (config.exists && config.imports) {
    const query = {
      config,
      key: name,
      match: undefined,
      internal: true,
      base: filename,
      conditions,
      trailingSlash: false,
    };
    const resolved = importTarget(config.imports, name, query);
    if (resolved != null) return resolved;
  }
  const { ERR_PACKAGE_IMPORT_NOT_DEFINED } = errors();
  throw new ERR_PACKAGE_IMPORT_NOT_DEFINED(name, config.exists ? directoryOf(config) : undefined, filename);
}

module.exports = { packageExportsResolve, packageImportsResolve, withoutWarnings };
