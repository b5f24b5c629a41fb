// natives: modules
//
// ESM_RESOLVE of Node's documentation: from a specifier and the importer's URL
// to the URL of a module. Knows files, packages, builtins and data: URLs; does
// not read sources and does not run hooks (hooks.js does, around this).

'use strict';

const binding = native('modules');
const path = require('internal/path/path');
const { pathToUrl, urlToPath, displayName } = require('internal/modules/file_url');
const { hasBuiltinScheme, isBareBuiltin } = require('internal/modules/builtins');
const packageJson = require('internal/modules/package_json');
const { packageExportsResolve, packageImportsResolve } = require('internal/modules/package_targets');
const { importConditions } = require('internal/modules/conditions');
const { currentDirectory } = require('internal/modules/places');
const { getOptionValue } = require('internal/process/options');

const encodedSeparator = /%2F|%5C/i;
const plain = /^[^%?#\\\t\n\r]*$/;

function codes() {
  return require('internal/errors/coded').codes;
}

function parseUrl(text, base) {
  return require('internal/url/url').URL.parse(text, base);
}

function isRelativeOrAbsolute(specifier) {
  if (specifier[0] === '/') return true;
  return specifier === '.' || specifier === '..' || stringStartsWith.call(specifier, './') || stringStartsWith.call(specifier, '../');
}

const mainCandidates = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
const indexCandidates = ['index.js', 'index.json', 'index.node'];

function warnLegacyIndex(file, directory, base, main) {
  if (process.noDeprecation) return;
  const { formatWithoutSource } = require('internal/modules/formats');
  if (formatWithoutSource(pathToUrl(file)) !== 'module') return;
  const shown = stringSlice.call(file, directory.length);
  if (!main) {
    process.emitWarning(
      `No "main" or "exports" field defined in the package.json for ${directory} resolving the main entry point "${
        shown
      }", imported from ${displayName(base)}.\nDefault "index" lookups for the main are deprecated for ES modules.`,
      'DeprecationWarning',
      'DEP0151',
    );
  } else if (path.resolve(directory, main) !== file) {
    process.emitWarning(
      `Package ${directory} has a "main" field set to "${main}", excluding the full filename and extension to the resolved file at "${
        shown
      }", imported from ${displayName(base)}.\n Automatic extension resolution of the "main" field is deprecated for ES modules.`,
      'DeprecationWarning',
      'DEP0151',
    );
  }
}

// A package without "exports": its "main", with the extensions require() would try.
function legacyMain(config, base) {
  const directory = packageJson.parentOf(config.path) + '/';
  const tries = [];
  if (config.main) for (const suffix of each(mainCandidates)) arrayPush.call(tries, path.resolve(directory, config.main + suffix));
  for (const name of each(indexCandidates)) arrayPush.call(tries, directory + name);
  for (const file of each(tries)) {
    if (binding.statKind(file) === 0) {
      warnLegacyIndex(file, directory, base, config.main);
      return file;
    }
  }
  const { ERR_MODULE_NOT_FOUND } = codes();
  throw new ERR_MODULE_NOT_FOUND(directory, displayName(base));
}

function resolveInPackage(config, subpath, base, conditions) {
  if (config.exports != null) return packageExportsResolve(config, subpath, base, conditions);
  if (subpath === '.') return legacyMain(config, base);
  const directory = packageJson.parentOf(config.path) + '/';
  if (regexpTest.call(plain, subpath)) return path.normalize(directory + stringSlice.call(subpath, 2));
  return parseUrl(subpath, pathToUrl(config.path)).href;
}

// PACKAGE_RESOLVE: a bare specifier. The answer is a path or a URL.
function packageResolve(specifier, base, conditions) {
  if (isBareBuiltin(specifier)) return 'node:' + specifier;
  const { name, subpath } = packageJson.splitSpecifier(specifier, base);
  const importer = urlToPath(base);
  const own = packageJson.nearest(importer);
  if (own.exists && own.exports != null && own.name === name) {
    return packageExportsResolve(own, subpath, base, conditions);
  }
  if (getOptionValue('--experimental-package-map') !== false) {
    const found = require('internal/modules/package_map').findPackage(specifier, importer);
    if (found === undefined) throw new (codes().ERR_MODULE_NOT_FOUND)(name, displayName(base), null);
    return resolveInPackage(packageJson.read(`${found.folder}/package.json`, base, specifier), found.subpath, base, conditions);
  }
  for (let directory = packageJson.parentOf(importer); ; directory = packageJson.parentOf(directory)) {
    if (!stringEndsWith.call(directory, '/node_modules')) {
      const home = (directory === '/' ? '' : directory) + '/node_modules/' + name;
      if (binding.statKind(home) === 1) {
        return resolveInPackage(packageJson.read(home + '/package.json', base, specifier), subpath, base, conditions);
      }
    }
    if (directory === '/') break;
  }
  const { ERR_MODULE_NOT_FOUND } = codes();
  throw new ERR_MODULE_NOT_FOUND(name, displayName(base), null);
}

function withPlace(error, input, base) {
  Object.assign(error, { input, module: base });
  return error;
}

// The file must exist, be no directory, and is named by its real path.
function finishPath(file, url, base, preserveSymlinks) {
  const kind = binding.statKind(file.length > 1 && stringEndsWith.call(file, '/') ? stringSlice.call(file, 0, -1) : file);
  if (kind === 1) {
    const { ERR_UNSUPPORTED_DIR_IMPORT } = codes();
    throw new ERR_UNSUPPORTED_DIR_IMPORT(file, displayName(base), url ?? pathToUrl(file));
  }
  if (kind !== 0 || stringEndsWith.call(file, '/')) {
    const { ERR_MODULE_NOT_FOUND } = codes();
    throw new ERR_MODULE_NOT_FOUND(file, displayName(base), url ?? pathToUrl(file));
  }
  return preserveSymlinks ? file : require('internal/modules/real_path').realPath(file);
}

function finishUrl(href, base, preserveSymlinks) {
  const url = parseUrl(href);
  if (regexpTest.call(encodedSeparator, url.pathname)) {
    const { ERR_INVALID_MODULE_SPECIFIER } = codes();
    throw new ERR_INVALID_MODULE_SPECIFIER(url.pathname, 'must not include encoded "/" or "\\" characters', displayName(base));
  }
  let file;
  try {
    file = urlToPath(href);
  } catch (error) {
    throw withPlace(error, href, base);
  }
  const real = finishPath(file, href, base, preserveSymlinks);
  return pathToUrl(real) + url.search + url.hash;
}

function unsupported(specifier, base, cause) {
  const { ERR_UNSUPPORTED_RESOLVE_REQUEST } = codes();
  const error = new ERR_UNSUPPORTED_RESOLVE_REQUEST(specifier, base);
  error.cause = cause;
  return error;
}

function resolveRelative(specifier, base) {
  if (
    regexpTest.call(plain, specifier) &&
    stringStartsWith.call(base, 'file:///') &&
    !regexpTest.call(/[%?#\\]/, base) &&
    !stringStartsWith.call(specifier, '//')
  ) {
    const slash = stringLastIndexOf.call(base, '/');
    const joined = specifier[0] === '/' ? specifier : stringSlice.call(base, 7, slash + 1) + specifier;
    const isDirectory = regexpTest.call(/(^|\/)\.{0,2}$/, specifier);
    const normal = path.normalize(joined);
    return isDirectory && !stringEndsWith.call(normal, '/') ? normal + '/' : normal;
  }
  let url;
  try {
    url = new (require('internal/url/url').URL)(specifier, base);
  } catch (cause) {
    throw unsupported(specifier, base, cause);
  }
  return url.href;
}

function resolveBare(specifier, base, conditions) {
  const isFile = stringStartsWith.call(base, 'file:');
  if (isFile && specifier[0] === '#') return packageImportsResolve(specifier, urlToPath(base), conditions);
  if (hasBuiltinScheme(specifier)) return specifier;
  if (stringStartsWith.call(specifier, 'file:///') && regexpTest.call(plain, specifier) && !stringIncludes.call(specifier, '/.'))
    return stringSlice.call(specifier, 7);
  if (regexpTest.call(/^[A-Za-z][A-Za-z0-9+.-]*:/, specifier)) {
    const url = parseUrl(specifier);
    if (url !== null) return url.href;
  }
  if (!isFile && !isBareBuiltin(specifier)) {
    const { ERR_INVALID_URL } = codes();
    throw unsupported(specifier, base, new ERR_INVALID_URL(specifier));
  }
  return packageResolve(specifier, base, conditions);
}

// ESM_RESOLVE without hints: returns the URL.
function moduleResolve(specifier, base, conditions, preserveSymlinks) {
  const found = isRelativeOrAbsolute(specifier) ? resolveRelative(specifier, base) : resolveBare(specifier, base, conditions);
  if (found[0] === '/') return pathToUrl(finishPath(found, undefined, base, preserveSymlinks));
  return stringStartsWith.call(found, 'file:') ? finishUrl(found, base, preserveSymlinks) : found;
}

// The file that require() would have found, written as the importer would have to write it.
function commonJsHint(specifier, base) {
  try {
    const { Module } = require('internal/modules/cjs_loader');
    const importer = urlToPath(base);
    const probe = new Module(importer, null);
    probe.filename = importer;
    probe.paths = Module._nodeModulePaths(path.dirname(importer));
    const found = require('internal/modules/package_targets').withoutWarnings(() => Module._resolveFilename(specifier, probe, false));
    if (specifier[0] === '.') {
      const relative = path.relative(path.dirname(importer), found);
      return (stringStartsWith.call(relative, '../') ? '' : './') + stringSlice.call(pathToUrl('/' + relative), 8);
    }
    if (specifier[0] === '/') return found;
    const name = stringSplit.call(specifier, '/', 1)[0];
    const needle = `/node_modules/${name}/`;
    const index = stringLastIndexOf.call(found, needle);
    if (index === -1) return pathToUrl(found);
    return (
      name +
      '/' +
      arrayJoin.call(arrayMap.call(stringSplit.call(stringSlice.call(found, index + needle.length), '/'), encodeURIComponent), '/')
    );
  } catch {
    return undefined;
  }
}

function addHint(error, specifier, base) {
  const found = commonJsHint(stringStartsWith.call(specifier, 'file://') ? displayName(specifier) : specifier, base);
  if (found === undefined || found === specifier) return;
  const hint = `Did you mean to import ${JSON.stringify(found)}?`;
  const stack = error.stack;
  const end = stringIndexOf.call(stack, '\n');
  if (end !== -1) error.stack = stringSlice.call(stack, 0, end) + '\n' + hint + stringSlice.call(stack, end);
  error.message += '\n' + hint;
}

// An absolute specifier needs none, and runs in a directory that is gone.
function workingDirectoryUrl(specifier) {
  const isAbsolute = stringStartsWith.call(specifier, 'file:') || stringStartsWith.call(specifier, '/');
  return pathToUrl((isAbsolute ? currentDirectory() : process.cwd()) + '/');
}

// The default step of resolution. `parentUrl` undefined means: the entry point.
// Returns the URL of the module.
function defaultResolve(specifier, parentUrl, conditionNames) {
  const isMain = parentUrl === undefined;
  const base = isMain ? workingDirectoryUrl(specifier) : parentUrl;
  const preserve = getOptionValue(isMain ? '--preserve-symlinks-main' : '--preserve-symlinks');
  try {
    return moduleResolve(specifier, base, importConditions(conditionNames), preserve);
  } catch (error) {
    if (error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT') addHint(error, specifier, base);
    throw error;
  }
}

module.exports = { defaultResolve, packageResolve, encodedSeparator };
