// natives: modules
//
// How a program starts: preloads (-r, --import), then the entry point, be it a
// file, -e/-p text or standard input; and, for each, whether it is CommonJS or
// an ES module. The runtime calls prepare() once and then one of the others.

'use strict';

const binding = native('modules');
const path = require('path');
const { pathToUrl } = require('internal/modules/file_url');
const { defineLazy } = require('internal/util/lazy_property');
const { getOptionValue } = require('internal/process/options');

// Hooks, search paths and the Module statics that depend on the command line.
function prepare() {
  const { Module } = require('internal/modules/cjs_loader');
  Module._initPaths();
  defineLazy(Module, 'builtinModules', () => require('internal/modules/builtins').builtinModules(), true);
  Module.runMain = executeUserEntryPoint;
  return Module;
}

// The promise of a main module's evaluation; its rejection is the runtime's to report.
function runAsModule(key) {
  require('internal/modules/esm_loader').setMainKey(key);
  return binding.runMainModule(key);
}

function looksLikeModule(file) {
  if (file.endsWith('.mjs') || file.endsWith('.mts')) return true;
  if (/\.c[jt]s$|\.json$|\.node$/.test(file)) return false;
  if (file.endsWith('.wasm')) return true;
  if (getOptionValue('--experimental-default-type') === 'module') return true;
  const { nearest } = require('internal/modules/package_json');
  return nearest(file).type === 'module';
}

function resolveMain(entry) {
  const { Module } = require('internal/modules/cjs_loader');
  const found = Module._findPath(path.resolve(entry), null, true);
  if (!found) return undefined;
  return getOptionValue('--preserve-symlinks-main') ? found : require('internal/modules/real_path').realPath(found);
}

function entryUrl(entry, resolved) {
  if (resolved !== undefined) return pathToUrl(resolved);
  return /^(?:file|data|node):/.test(entry) ? entry : pathToUrl(path.resolve(entry));
}

// process.argv[1] as the user gave it, made absolute. Returns nothing; errors are thrown or reported by the runtime.
function executeUserEntryPoint(entry = process.argv[1]) {
  if (getOptionValue('--input-type')) throw new (require('internal/errors/coded').codes.ERR_INPUT_TYPE_NOT_ALLOWED)();
  const resolveModule = (url) => require('internal/modules/esm_loader').resolve(url, undefined, undefined);
  if (getOptionValue('--entry-url')) {
    process.emitWarning('--entry-url is an experimental feature and might change at any time', 'ExperimentalWarning');
    const base = pathToUrl(currentDirectory() + '/');
    runAsModule(resolveModule(new (require('url').URL)(entry, base).href));
    return;
  }
  const resolved = resolveMain(entry);
  const preloaded = getOptionValue('--import').length > 0 || getOptionValue('--experimental-loader').length > 0;
  if (preloaded || (resolved !== undefined && looksLikeModule(resolved))) {
    runAsModule(resolveModule(entryUrl(entry, resolved)));
    return;
  }
  const { load } = require('internal/modules/cjs_loader');
  load(entry, null, true);
}

// -r: CommonJS (or require(esm)) before anything else; --import: ES modules, awaited.
function preloadRequires() {
  const requests = getOptionValue('--require');
  if (requests.length > 0) require('internal/modules/cjs_loader').Module._preloadModules(requests);
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
  return binding.trackMain(next(0));
}

// The entry point of `rondo FILE`.
function runMain(entry) {
  const Module = prepare();
  if (!getOptionValue('--entry-url')) process.argv[1] = entry = path.resolve(entry);
  preloadRequires();
  preloadImports(() => Module.runMain(entry));
}

// A worker's data: URL.
function runUrl(url) {
  prepare();
  preloadRequires();
  preloadImports(() => runAsModule(require('internal/modules/esm_loader').resolve(url, undefined, undefined)));
}

// The directory we are in may be gone; a program that does not ask for it runs all the same.
function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    return path.dirname(process.execPath);
  }
}

// A module object in which -e, -p and stdin programs run, as Node names it.
function evalModule(name) {
  const { Module, makeRequire } = require('internal/modules/cjs_loader');
  const cwd = currentDirectory();
  const module = new Module(name);
  module.filename = path.join(cwd, name);
  module.paths = Module._nodeModulePaths(cwd);
  return { module, require: makeRequire(module) };
}

function exposeGlobals({ module, require: userRequire }, name) {
  const own = { module, exports: module.exports, require: userRequire, __filename: name, __dirname: '.' };
  for (const key of each(Object.keys(own))) {
    Object.defineProperty(globalThis, key, { value: own[key], writable: true, configurable: true, enumerable: false });
  }
  const { builtinModules } = require('internal/modules/builtins');
  for (const id of each(builtinModules())) {
    if (id[0] === '_' || /[/:]/.test(id) || Object.hasOwn(globalThis, id)) continue;
    defineLazy(globalThis, id, () => userRequire(id), false);
  }
}

function evalAsModule(source, name, print) {
  if (print) {
    const { ERR_EVAL_ESM_CANNOT_PRINT } = require('internal/errors/coded').codes;
    throw new ERR_EVAL_ESM_CANNOT_PRINT();
  }
  const key = pathToUrl(currentDirectory() + '/') + '[eval1]';
  require('internal/modules/esm_sources').provide(key, { kind: 'module', source });
  return runAsModule(key);
}

function evalTypes() {
  const type = getOptionValue('--input-type') || '';
  if (!type.endsWith('-typescript')) return { format: type, prepareSource: (text) => text };
  const { stripTypes } = require('internal/modules/typescript');
  return { format: type.replace('-typescript', ''), prepareSource: (text, name) => stripTypes(text, name) };
}

// Whether a script failed on what only a module may have: then the rest of its faults is a module's, too.
const saysModule = ({ message }) => message === 'Cannot use import statement outside a module' ||
  message === "Cannot use 'import.meta' outside a module" || message === "Unexpected token 'export'";

// A classic script in the global scope; a SyntaxError may turn out to be ESM or, failing that, TypeScript.
function evalAsScript(source, name, print, format) {
  const scope = evalModule(name);
  exposeGlobals(scope, name);
  let result;
  if (format === '' && /\b(?:import|export|await)\b/.test(source)) {
    try {
      result = binding.runScript(source, name);
    } catch (error) {
      const isModule = error instanceof SyntaxError && (saysModule(error) || binding.parsesAsModule(source, name));
      if (isModule) return evalAsModule(source, name, print);
      throw error;
    }
  } else {
    result = binding.runScript(source, name);  // not caught: the place of a throw stays known
  }
  if (print) require('internal/process/print_result').print(result);
  return undefined;
}

// `name` is '[eval]' or '[stdin]'.
function evalScript(name, source, { print = false } = {}) {
  prepare();
  const { format, prepareSource } = evalTypes();
  preloadRequires();
  preloadImports(() => {
    const text = prepareSource(source, name);
    binding.evalText = text;
    return format === 'module' ? evalAsModule(text, name, print) : evalAsScript(text, name, print, format);
  });
}

module.exports = { prepare, runMain, runAsModule, runUrl, evalScript, evalModule, executeUserEntryPoint, preloadRequires, preloadImports };
