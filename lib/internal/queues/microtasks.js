// natives: runtime, ledger
// queueMicrotask, over the engine's queue (src/engine/patches/microtask_queue.cpp). When somebody watches, every microtask gets an id.
'use strict';

const { microtasks } = native('runtime');
const asyncContext = require('internal/async_hooks/context');
const ledger = native('ledger');

const { enqueueCallback, run: runMicrotasks } = microtasks;

function queueMicrotask(callback) {
  if (typeof callback !== 'function') require('internal/util/validators').validateFunction(callback, 'callback');
  if (asyncContext.active) enqueueCallback(asyncContext.bind(callback, 'Microtask'), callback);
  else enqueueCallback(callback, callback);
}

if (ledger.enabled) {
  const { traced } = require('internal/queues/traced');
  microtasks.watch((run, subject) => traced(ledger.kMicrotask, run, subject));
}

module.exports = { queueMicrotask, runMicrotasks };
