// natives: runtime, ledger
// queueMicrotask, over the engine's queue (src/engine/patches/microtask_queue.cpp). While a program is traced, every microtask gets an id.
'use strict';

const { microtasks } = native('runtime');
const asyncContext = require('internal/async_hooks/context');
const ledger = native('ledger');

const { enqueueCallback, run: runMicrotasks } = microtasks;

function queueMicrotask(callback) {
  if (typeof callback !== 'function') require('internal/util/validators').validateFunction(callback, 'callback');
  queueMicrotaskFor(callback, callback);
}

// `subject`: the function of the program that reports name in the place of `run`.
function queueMicrotaskFor(run, subject) {
  enqueueCallback(asyncContext.active ? asyncContext.bind(run, 'Microtask') : run, subject);
}

// Tracing may begin and end while the program runs: C++ calls what is in `switches` then.
function setTraced(isTraced) {
  if (!isTraced) return microtasks.setTracer(null);
  const { traced } = require('internal/queues/traced');
  microtasks.setTracer((run, subject) => traced(ledger.kMicrotask, run, subject));
}

arrayPush.call(ledger.switches, setTraced);
if (ledger.enabled) setTraced(true);

// How many have run so far, for observers.
const microtasksRun = () => microtasks.count();

module.exports = { queueMicrotask, queueMicrotaskFor, runMicrotasks, microtasksRun };
