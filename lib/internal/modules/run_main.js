// natives: none
//
// How a program in a file starts: preloads (-r, --import), then the entry point,
// CommonJS or ES module. Texts (-e, -p, standard input, a worker's) are run_text's.

'use strict';

const programState = require('internal/process/program_state');
const { getOptionValue } = require('internal/process/options');

const loader = () => require('internal/modules/cjs_loader');
const pathToUrl = (file) => require('internal/modules/file_url').pathToUrl(file);
const { currentDirectory, resolved: absolute } = require('internal/modules/places');

// The promise of a main module's evaluation; its rejection is the runtime's to report.
function runAsModule(key) {
  require('internal/modules/esm_loader').setMainKey(key);
  return programState.runMainModule(key);
}

function looksLikeModule(file) {
  if (stringEndsWith.call(file, '.mjs') || stringEndsWith.call(file, '.mts')) return true;
  if (regexpTest.call(/\.c[jt]s$|\.json$|\.node$/, file)) return false;
  if (stringEndsWith.call(file, '.wasm')) return true;
  // JSX is not lowered: the module loader refuses the extension by name, unless something has taken it on.
  if (stringEndsWith.call(file, '.tsx') && loader().Module._extensions['.tsx'] === undefined) return true;
  if (getOptionValue('--experimental-default-type') === 'module') return true;
  const { nearest } = require('internal/modules/package_json');
  return nearest(file).type === 'module';
}

function resolveMain(entry) {
  const found = loader().Module._findPath(absolute(entry), null, true);
  if (!found) return undefined;
  return getOptionValue('--preserve-symlinks-main') ? found : require('internal/modules/real_path').realPath(found);
}

function entryUrl(entry, resolved) {
  if (resolved !== undefined) return pathToUrl(resolved);
  return regexpTest.call(/^(?:file|data|node):/, entry) ? entry : pathToUrl(absolute(entry));
}

// process.argv[1] as the user gave it, made absolute. Returns nothing; errors are thrown or reported by the runtime.
function executeUserEntryPoint(entry = process.argv[1]) {
  if (getOptionValue('--input-type')) throw new (require('internal/errors/coded').codes.ERR_INPUT_TYPE_NOT_ALLOWED)();
  const resolveModule = (url) => require('internal/modules/esm_loader').resolve(url, undefined, undefined);
  if (getOptionValue('--entry-url')) {
    process.emitWarning('--entry-url is an experimental feature and might change at any time', 'ExperimentalWarning');
    const base = pathToUrl(currentDirectory() + '/');
    runAsModule(resolveModule(new (require('internal/url/url').URL)(entry, base).href));
    return;
  }
  const resolved = resolveMain(entry);
  const preloaded = getOptionValue('--import').length > 0 || getOptionValue('--experimental-loader').length > 0;
  if (preloaded || (resolved !== undefined && looksLikeModule(resolved))) {
    runAsModule(resolveModule(entryUrl(entry, resolved)));
    return;
  }
  loader().load(entry, null, true);
}

// -r: CommonJS (or require(esm)) before anything else; --import: ES modules, awaited.
function preloadRequires() {
  const requests = getOptionValue('--require');
  if (requests.length > 0) loader().Module._preloadModules(requests);
}

function preloadImports(then) {
  const loaders = getOptionValue('--experimental-loader');
  if (loaders.length > 0) {
    require('internal/modules/remote_hooks').registerFromOptions(loaders, pathToUrl(currentDirectory() + '/'));
  }
  const specifiers = getOptionValue('--import');
  if (specifiers.length === 0) return then();
  const { importModule } = require('internal/modules/esm_loader');
  const base = pathToUrl(currentDirectory() + '/');
  const next = (index) => {
    if (index === specifiers.length) return then();
    return promiseThen(importModule(specifiers[index], base), () => next(index + 1));
  };
  return programState.trackMain(next(0));
}

// The entry point of `rondo FILE`.
function runMain(entry) {
  if (!getOptionValue('--entry-url')) process.argv[1] = entry = absolute(entry);
  preloadRequires();
  preloadImports(() => loader().Module.runMain(entry));
}

// A worker's data: URL.
function runUrl(url) {
  preloadRequires();
  preloadImports(() => runAsModule(require('internal/modules/esm_loader').resolve(url, undefined, undefined)));
}

module.exports = { runMain, runAsModule, runUrl, executeUserEntryPoint, preloadRequires, preloadImports };
