// natives: none
// State of the running program that several folders share. Natives are frozen: nothing is kept on them.
'use strict';

module.exports = {
  __proto__: null,
  unsettledMains: 0, // main modules whose evaluation has not settled
  trackMain: undefined, // (promise) counts it there
  runMainModule: undefined, // (key) imports a main module and tracks it
  evalText: undefined, // the text of -e, for excerpts
  compileCache: undefined, // { lookUp, flush, stripped, keepStripped } while module.enableCompileCache() is on
  onSource: undefined, // (name, source) of each loaded file while source maps are on
  remoteHooks: undefined, // { resolve, load } of module.register()'s thread
  beforeEnd: undefined, // () runs after 'exit': internal/process/before_end
  aroundBeforeExit: undefined, // (emit) while trace events tell of it: internal/trace_events/events
  rewriteSource: undefined, // (text, file name) of each CommonJS file while calls are shown: internal/observe/calls
  isHooksProcess: false, // this runtime runs such hooks
};
