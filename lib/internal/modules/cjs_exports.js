// natives: none
//
// CommonJS seen from `import`: which names it exports (found without running
// it, by cjs-module-lexer), and the synthetic module that runs it and copies
// module.exports out. The module sits in Module._cache from the start, so
// require() and import share one instance.

'use strict';

const path = require('internal/path/path');
const { Module, stateOf, load, loadSource, resolveRequest, registeredExtension } = require('internal/modules/cjs_loader');
const { builtinId } = require('internal/modules/builtins');
const { urlToFilename } = require('internal/modules/hooks');

function cacheEntry(filename) {
  const cached = Module._cache[filename];
  if (cached !== undefined) return cached;
  const module = new Module(filename, undefined);
  module.filename = filename;
  module.paths = Module._nodeModulePaths(module.path);
  stateOf(module).fromImport = true;
  return (Module._cache[filename] = module);
}

function lex(source) {
  const { parse, initSync } = require('cjs-module-lexer');
  initSync?.();
  try {
    return parse(source);
  } catch {
    return { exports: [], reexports: [] };
  }
}

function addReexports(module, reexports, names) {
  for (const request of each(reexports)) {
    let resolved;
    try {
      resolved = resolveRequest(request, module, false, undefined, false);
    } catch {
      continue;
    }
    const { filename, format } = resolved;
    if (format !== 'commonjs' && (builtinId(filename) !== undefined || registeredExtension(filename) !== '.js')) continue;
    for (const name of each(exportNames(filename, undefined, format).names)) names.add(name);
  }
}

// The names `import { … }` may ask for. Memorized before re-exports are followed, for cycles.
function exportNames(filename, source, format) {
  const module = cacheEntry(filename);
  const state = stateOf(module);
  if (state.exportNames !== undefined) return { module, names: state.exportNames };
  if (source === undefined) ({ source } = loadSource(module, filename, format));
  state.source ??= source;
  const found = lex(source);
  const names = (state.exportNames = new Set(found.exports));
  module.filename ??= filename;
  module.paths ??= Module._nodeModulePaths(path.dirname(filename));
  addReexports(module, found.reexports, names);
  return { module, names };
}

// The entry point may be CommonJS that the ES module loader was asked for (--import).
function becomeMain(module) {
  process.mainModule = module;
  module.id = '.';
  stateOf(module).isMain = true;
}

function run(module, filename, url, source, format, byHooks) {
  if (require('internal/modules/esm_loader').isMainKey(url)) becomeMain(module);
  const given = byHooks ? { skipHooks: true, resolved: { filename, format, url }, source } : { skipHooks: true };
  const exports = load(filename, undefined, false, given);
  if (!module.loaded) {
    module.exports = exports;
    module.loaded = true;
  }
  return exports;
}

function copyExports(exports, names, set) {
  for (const name of each(names)) {
    if (name === 'default' || name === 'module.exports' || exports == null || !Object.hasOwn(exports, name)) continue;
    let value;
    try {
      value = exports[name];
    } catch {
      continue;
    }
    set(name, value);
  }
  set('default', exports);
  set('module.exports', exports);
}

// `byHooks`: resolution or source came from module.registerHooks.
function commonJsSynthetic(url, source, format, byHooks) {
  const filename = urlToFilename(url);
  const running = Module._cache[filename];
  if (running !== undefined && stateOf(running).isExecuting && require('internal/modules/require_esm').isRequiring()) {
    throw require('internal/modules/evaluation').importCycleError(url, undefined, 'CommonJS Module');
  }
  const { module, names } = exportNames(filename, source, format);
  return {
    kind: 'synthetic',
    names: [...each(new Set([...each(names), 'default', 'module.exports']))],
    evaluate(set) {
      const exports = module.loaded ? module.exports : run(module, filename, url, source, format, byHooks);
      copyExports(exports, names, set);
    },
  };
}

module.exports = { commonJsSynthetic };
