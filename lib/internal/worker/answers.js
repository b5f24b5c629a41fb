// natives: none
// Questions that the owner of a worker asks over the control line, answered between two tasks of the worker.
'use strict';

const answers = {
  __proto__: null,
  heapStatistics: () => require('internal/v8/v8').getHeapStatistics(),
  heapSnapshot: () => require('internal/v8/heap_snapshot').take(),
  cpuUsage: () => require('internal/process/methods').threadCpuUsage(),
};

function answer({ id, what, argument }, control) {
  control.postMessage({ type: 'answer', id, value: answers[what](argument) });
}

module.exports = { answer };
