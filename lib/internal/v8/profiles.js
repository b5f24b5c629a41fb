// natives: profiler
//
// node:v8's profiles: of the processor, of the heap, and of the collector's work.

'use strict';

const binding = native('profiler');
const { codes } = require('internal/errors/coded');
const { validateBoolean, validateInteger, validateNumber, validateObject } = require('internal/util/validators');

const kUsualInterval = 1; // in milliseconds
const kMostSamples = 2 ** 32 - 1;
const kUsualBytes = 512 * 1024;
const kUsualDepth = 16;

function cpuProfileOptions(options = {}) {
  validateObject(options, 'options');
  const { sampleInterval = 0, maxBufferSize = kMostSamples } = options;
  validateNumber(sampleInterval, 'options.sampleInterval', 0);
  validateInteger(maxBufferSize, 'options.maxBufferSize', 1, kMostSamples);
  return { interval: (sampleInterval || kUsualInterval) * 1000, most: maxBufferSize };
}

class SyncCPUProfileHandle {
  #number;

  constructor({ interval, most }) {
    this.#number = binding.startCpuProfile(interval, most);
  }

  stop() {
    if (this.#number === undefined) return undefined;
    const text = binding.stopCpuProfile(this.#number);
    this.#number = undefined;
    return JSON.stringify(requireLater('internal/inspector/profiler_domain').withUrls(text));
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

function startCpuProfile(options) {
  return new SyncCPUProfileHandle(cpuProfileOptions(options));
}

function heapProfileOptions(options = {}) {
  validateObject(options, 'options');
  const {
    sampleInterval = kUsualBytes,
    stackDepth = kUsualDepth,
    forceGC = false,
    includeObjectsCollectedByMajorGC: keepsDead = false,
    includeObjectsCollectedByMinorGC: keepsDeadYoung = false,
  } = options;
  validateInteger(sampleInterval, 'options.sampleInterval', 1);
  validateInteger(stackDepth, 'options.stackDepth', 0);
  validateBoolean(forceGC, 'options.forceGC');
  validateBoolean(keepsDead, 'options.includeObjectsCollectedByMajorGC');
  validateBoolean(keepsDeadYoung, 'options.includeObjectsCollectedByMinorGC');
  return { sampleInterval, stackDepth, forceGC, keepsDead, keepsDeadYoung };
}

class SyncHeapProfileHandle {
  #isRunning;
  #forceGC;

  constructor({ sampleInterval, stackDepth, forceGC, keepsDead, keepsDeadYoung }) {
    this.#isRunning = binding.startHeapProfile(sampleInterval, stackDepth, keepsDead, keepsDeadYoung);
    if (!this.#isRunning) throw new codes.ERR_HEAP_PROFILE_HAVE_BEEN_STARTED();
    this.#forceGC = forceGC;
  }

  stop() {
    if (!this.#isRunning) return undefined;
    this.#isRunning = false;
    if (this.#forceGC) require('internal/process/garbage').collectGarbage();
    const text = binding.heapProfile();
    binding.stopHeapProfile();
    return JSON.stringify(requireLater('internal/inspector/heap_domain').withUrls(text));
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

function startHeapProfile(options) {
  return new SyncHeapProfileHandle(heapProfileOptions(options));
}

function heapOf(bytes) {
  const v8 = require('internal/v8/v8');
  const all = v8.getHeapStatistics();
  return {
    heapStatistics: {
      totalHeapSize: all.total_heap_size,
      totalHeapSizeExecutable: all.total_heap_size_executable,
      totalPhysicalSize: all.total_physical_size,
      totalAvailableSize: all.total_available_size,
      totalGlobalHandlesSize: all.total_global_handles_size,
      usedGlobalHandlesSize: all.used_global_handles_size,
      usedHeapSize: bytes,
      heapSizeLimit: all.heap_size_limit,
      mallocedMemory: all.malloced_memory,
      externalMemory: all.external_memory,
      peakMallocedMemory: all.peak_malloced_memory,
    },
    heapSpaceStatistics: arrayMap.call(v8.getHeapSpaceStatistics(), (space) => ({
      spaceName: space.space_name,
      spaceSize: space.space_size,
      spaceUsedSize: space.space_name === 'old_space' ? bytes : space.space_used_size,
      spaceAvailableSize: space.space_available_size,
      physicalSpaceSize: space.physical_space_size,
    })),
  };
}

class GCProfiler {
  #number;
  #startTime;

  start() {
    if (this.#number !== undefined) return;
    this.#number = binding.startGcLog();
    this.#startTime = Date.now();
  }

  stop() {
    if (this.#number === undefined) return undefined;
    const numbers = binding.stopGcLog(this.#number);
    this.#number = undefined;
    const statistics = [];
    for (let i = 0; i < numbers.length; i += 4) {
      arrayPush.call(statistics, {
        gcType: numbers[i] ? 'MarkSweepCompact' : 'Scavenge',
        cost: numbers[i + 1],
        beforeGC: heapOf(numbers[i + 2]),
        afterGC: heapOf(numbers[i + 3]),
      });
    }
    return { version: 1, startTime: this.#startTime, statistics, endTime: Date.now() };
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

module.exports = {
  GCProfiler,
  SyncCPUProfileHandle,
  SyncHeapProfileHandle,
  cpuProfileOptions,
  heapProfileOptions,
  startCpuProfile,
  startHeapProfile,
};
