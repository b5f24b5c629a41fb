// natives: none
// Questions that the owner of a worker asks over the control line, answered between two tasks of the worker.
'use strict';

const profiles = new Map(); // number → a profile that runs
let lastProfile = 0;

const answers = {
  __proto__: null,
  heapStatistics: () => require('internal/v8/v8').getHeapStatistics(),
  heapSnapshot: () => require('internal/v8/heap_snapshot').take(),
  startCpuProfile: (options) => {
    const { SyncCPUProfileHandle } = require('internal/v8/profiles');
    profiles.set(++lastProfile, new SyncCPUProfileHandle(options));
    return lastProfile;
  },
  startHeapProfile: (options) => {
    const { SyncHeapProfileHandle } = require('internal/v8/profiles');
    try {
      profiles.set(++lastProfile, new SyncHeapProfileHandle(options));
    } catch (error) {
      return error.code; // one runs already
    }
    return lastProfile;
  },
  stopProfile: (number) => {
    const profile = profiles.get(number);
    profiles.delete(number);
    return profile.stop();
  },
  cpuUsage: () => require('internal/process/methods').threadCpuUsage(),
};

function answer({ id, what, argument }, control) {
  control.postMessage({ type: 'answer', id, value: answers[what](argument) });
}

module.exports = { answer };
