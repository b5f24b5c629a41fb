// natives: modules
//
// require() of an ES module: the graph is linked and evaluated on the spot and
// its namespace becomes module.exports. A graph with top-level await cannot be
// required; nor can a module that is still being evaluated further up the stack.

'use strict';

const binding = native('modules');
const { pathToUrl } = require('internal/modules/file_url');
const { provide } = require('internal/modules/esm_sources');

let warned = false;

function warnIfTraced(module, parent) {
  const { getOptionValue } = require('internal/process/options');
  const mode = getOptionValue('--trace-require-module');
  if (!mode || warned) return;
  const from = parent?.filename || parent?.id;
  if (mode === 'no-node-modules' && from !== undefined && regexpTest.call(/[/\\]node_modules[/\\]/, from)) return;
  warned = true;
  const who =
    from === 'internal/preload'
      ? '--require'
      : from === '<repl>'
        ? 'The REPL'
        : from === '.'
          ? 'The entry point'
          : from && `CommonJS module ${from}`;
  const prefix = who ? `${who} is loading ES Module ${module.id || module.filename} using require().\n` : '';
  process.emitWarning(
    `${prefix}Support for loading ES Module in require() is an experimental feature and might change at any time`,
    'ExperimentalWarning',
    undefined,
    parent?.require,
  );
}

function asyncRefusal(filename, parent, key) {
  const { ERR_REQUIRE_ASYNC_MODULE } = require('internal/errors/coded').codes;
  const stack = parent ? require('internal/modules/cjs_loader').requireStack(parent) : undefined;
  const error = new ERR_REQUIRE_ASYNC_MODULE(filename, stack);
  const add = (name, value) => Object.defineProperty(error, name, { __proto__: null, value, configurable: true, writable: true });
  if (stack) add('requireStack', stack);
  if (require('internal/process/options').getOptionValue('--experimental-print-required-tla')) {
    add('topLevelAwaitLocations', require('internal/modules/required_awaits').locationsIn(key));
  }
  return error;
}

let requiring = 0; // modules that require() loads or evaluates now

function evaluate(key, filename, parent) {
  const { cycleError, statusOfEntry } = require('internal/modules/evaluation');
  const status = statusOfEntry(binding.moduleEntry(key));
  if (status === 'evaluating') throw cycleError(filename, parent?.filename);
  if (status === 'evaluating-async') throw asyncRefusal(filename, parent, key);
  requiring++;
  try {
    return binding.evaluateModuleSync(key);
  } catch (error) {
    if (error?.code === 'ERR_REQUIRE_ASYNC_MODULE' && error.requireStack === undefined) throw asyncRefusal(filename, parent, key);
    throw error;
  } finally {
    requiring--;
  }
}

// Transpiled importers look for __esModule to find the default export, so a
// namespace with a default gets a face that has it and re-exports the rest live.
function commonJsFace(key, namespace) {
  if (Object.hasOwn(namespace, 'module.exports')) return namespace['module.exports'];
  if (!Object.hasOwn(namespace, 'default') || Object.hasOwn(namespace, '__esModule')) return namespace;
  const faceKey = 'rondo:require-face:' + key;
  provide(faceKey, {
    kind: 'module',
    source: `export * from ${JSON.stringify(key)};export { default } from ${JSON.stringify(key)};export const __esModule = true;`,
  });
  return binding.evaluateModuleSync(faceKey);
}

// Module.prototype._compile found an ES module in `source`.
function loadIntoModule(module, filename, source, state) {
  const isFile = state.url !== undefined && stringStartsWith.call(state.url, 'file:');
  const key = isFile || !stringStartsWith.call(filename, '/') ? (state.url ?? filename) : pathToUrl(filename);
  if (binding.moduleEntry(key) === undefined) provide(key, require('internal/modules/esm_loader').sourceText(key, source));
  if (state.isMain) {
    process.mainModule = undefined;
    require('internal/modules/run_main').runAsModule(key);
    return;
  }
  warnIfTraced(module, state.lastParent);
  state.namespaceKey = key;
  const namespace = evaluate(key, filename, state.lastParent);
  state.namespaceKey = undefined;
  module.exports = commonJsFace(key, namespace);
}

// With --no-require-module.
function refusal(module, filename, source, parent) {
  const { nearest } = require('internal/modules/package_json');
  const { containsModuleSyntax } = require('internal/modules/formats');
  const { ERR_REQUIRE_ESM } = require('internal/errors/coded').codes;
  const config = stringEndsWith.call(filename, '.js') ? nearest(filename) : undefined;
  return new ERR_REQUIRE_ESM(filename, containsModuleSyntax(source, filename), parent?.filename, config?.exists ? config.path : undefined);
}

module.exports = { isRequiring: () => requiring > 0, loadIntoModule, refusal };
