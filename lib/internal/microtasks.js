// natives: runtime, ledger
// queueMicrotask. Entering the engine costs more than most microtasks, so callbacks queued one after the other, with no promise
// job in between, share one engine job: a batch. The engine numbers its jobs; extendBatch() takes the next number and says
// whether it follows directly on the batch's last one. The order is that of single jobs.
'use strict';

const { queueMicrotask: enqueue, extendBatch, reportUncaught } = native('runtime');
const asyncContext = require('internal/async_context');
const isWatched = native('ledger').enabled;  // then each one is a job of its own, with an id and a cause

const kCompactAt = 1024;
let openBatch = null;  // the newest batch, while it may grow

function queueMicrotask(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  if (asyncContext.active) callback = asyncContext.bind(callback, 'Microtask');
  if (openBatch !== null && extendBatch()) {
    openBatch.push(callback);
    return;
  }
  const batch = [callback];
  openBatch = isWatched ? null : batch;
  enqueue(runBatch, batch);
}

function runBatch(batch) {
  let next = 0;
  while (next < batch.length) {
    const callback = batch[next];
    batch[next++] = undefined;
    if (next > kCompactAt && next === batch.length) next = batch.length = 0;  // a chain that never ends stays small
    try {
      callback();
    } catch (error) {
      reportUncaught(error, false);
    }
  }
  if (openBatch === batch) openBatch = null;
}

module.exports = { queueMicrotask };
