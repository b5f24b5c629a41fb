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

// A watcher may come and go while the program runs: C++ calls what is in `switches` then.
function setTraced(isTraced) {
  if (!isTraced) return microtasks.watch(null);
  const { traced } = require('internal/queues/traced');
  microtasks.watch((run, subject) => traced(ledger.kMicrotask, run, subject));
}

arrayPush.call(ledger.switches, setTraced);
if (ledger.enabled) setTraced(true);

// How many have run so far, for who watches.
const microtasksRun = () => microtasks.count();

module.exports = { queueMicrotask, runMicrotasks, microtasksRun };
