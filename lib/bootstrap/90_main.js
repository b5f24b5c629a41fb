// natives: runtime
// Last at start-up: hooks for ES modules, and main(), which C++ calls with what the command line asked for.
'use strict';

const programState = require('internal/process/program_state');
const { reportUncaught, setHook } = native('runtime');

// Loaded with the first import.
const loader = () => require('internal/modules/esm_loader');
setHook('ResolveModule', (specifier, referrer) => loader().resolve(specifier, referrer, undefined));
setHook('LoadModule', (key, attributes) => loader().load(key, attributes));
setHook('InitImportMeta', (meta, key) => loader().initializeImportMeta(meta, key));
setHook('ImportModule', (specifier, referrer, type, attributes) =>
  require('internal/modules/import').importFrom(specifier, referrer, type, attributes),
);
setHook('EvaluateModule', (entry) => require('internal/modules/evaluation').evaluateEntry(entry));
setHook('CompileStreaming', (source) => require('internal/fetch/wasm_streaming').compileStreaming(source));
setHook('InstantiateStreaming', (source, imports) => require('internal/fetch/wasm_streaming').instantiateStreaming(source, imports));
setHook('MissingExport', (name, key, what) => loader().missing(name, key, what));

// The promise of the main module (or of --import's). What is left unsettled when the loop ends makes the exit code 13: see
// internal/process/object, which asks for this count.
function trackMain(promise) {
  if (typeof promise?.then !== 'function') return promise;
  programState.unsettledMains++;
  promiseThen(
    promise,
    () => {
      programState.unsettledMains--;
    },
    (error) => {
      programState.unsettledMains--;
      reportUncaught(error, true); // whatever it is and whatever the program does with rejections: there is no program then
    },
  );
  return promise;
}
programState.trackMain = trackMain;
programState.runMainModule = (key) => trackMain(require('internal/modules/import').importKey(key, undefined));

// request: { action: 'file' | 'watch' | 'eval' | 'print' | 'check' | 'test' | 'script' | 'stdin' | 'worker', text, options }
function main(request) {
  if (request.action === 'worker') {
    require('internal/worker/main').run();
    return;
  }
  const options = require('internal/process/options');
  options.setOptions(request.options);
  if (request.action === 'watch') {
    require('internal/process/watch_mode').watch(request.text);
    return;
  }
  if (request.action === 'script') {
    require('internal/process/run_script').run(request.text, arraySlice.call(process.argv, 1));
    return;
  }
  if (request.action === 'compare') {
    requireLater('html/compare').run(request.text, arraySlice.call(process.argv, 2));
    return;
  }
  if (request.action === 'observe' && request.text === 'explore') {
    require('internal/explore/command').run(arraySlice.call(process.argv, 1));
    return;
  }
  if (request.action === 'observe' && request.text === 'inspect') {
    require('internal/debugger/command').run(arraySlice.call(process.argv, 1));
    return;
  }
  if (request.action === 'observe') {
    require('internal/observe/command').run(request.text, arraySlice.call(process.argv, 1));
    return;
  }
  const seed = options.getOptionValue('--exploring'); // of an explored run
  if (seed !== false) require('internal/explore/inside').install(seed);
  else if (options.getOptionValue('--seed') !== false) require('internal/explore/inside').seed(options.getOptionValue('--seed'));
  if (options.getOptionValue('--mark-lines')) requireLater('html/compare').markLines();
  if (options.getOptionValue('--loop') === 'html' && request.action !== 'test') {
    requireLater('html/start').run(request.text, request.action === 'eval');
    return;
  }
  const start = require('internal/process/start');
  start.applyOptions(options, false);
  start.run(request);
}

module.exports = { main };
