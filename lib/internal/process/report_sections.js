// natives: process
//
// The sections of a diagnostic report, in Node's layout: what the process is,
// what JavaScript was doing, memory, time used, handles, limits, libraries.

'use strict';

const { nativeStack, glibcVersions } = native('process');
const os = require('internal/os/os');
const fs = require('internal/fs/fs');

const kReportVersion = 5;
const kUnlimited = 'unlimited';

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function networkInterfaces() {
  const all = [];
  const interfaces = os.networkInterfaces();
  for (const name of each(Object.keys(interfaces))) {
    for (const { internal, mac, address, netmask, family, scopeid } of each(interfaces[name])) {
      arrayPush.call(all, { name, internal, mac, address, netmask, family, ...(scopeid === undefined ? {} : { scopeid }) });
    }
  }
  return all;
}

function header({ event, trigger, filename, settings }) {
  const now = new Date();
  const [glibcVersionRuntime, glibcVersionCompiler] = each(glibcVersions());
  return {
    reportVersion: kReportVersion,
    event,
    trigger,
    filename,
    dumpEventTime: replaceMatches(dateToISOString.call(now), /\.\d+Z$/, 'Z'),
    dumpEventTimeStamp: String(dateGetTime.call(now)),
    processId: process.pid,
    threadId: 0,
    cwd: process.cwd(),
    commandLine: arraySlice.call(stringSplit.call(read('/proc/self/cmdline'), '\0'), 0, -1),
    nodejsVersion: process.version,
    glibcVersionRuntime,
    glibcVersionCompiler,
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: { ...process.versions },
    release: { ...process.release },
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: arrayMap.call(os.cpus(), ({ model, speed, times: { user, nice, sys, idle, irq } }) => ({
      model,
      speed,
      user,
      nice,
      sys,
      idle,
      irq,
    })),
    ...(settings.excludeNetwork ? {} : { networkInterfaces: networkInterfaces() }),
    host: os.hostname(),
  };
}

function text(value) {
  if (typeof value === 'symbol') return value.toString();
  if (typeof value === 'object' && value !== null) return require('internal/util/util').inspect(value, { depth: 0 });
  return String(value);
}

function javascriptStack(error) {
  if (error === null || typeof error !== 'object') {
    return { message: text(error), stack: ['Unavailable.'], errorProperties: {} };
  }
  const lines = typeof error.stack === 'string' ? stringSplit.call(error.stack, '\n') : [];
  const first = arrayFindIndex.call(lines, (line) => stringStartsWith.call(line, '    at '));
  const message = lines.length === 0 ? 'No stack.' : arrayJoin.call(arraySlice.call(lines, 0, first === -1 ? lines.length : first), '\n');
  const errorProperties = {};
  for (const name of each(Object.keys(error))) errorProperties[name] = text(error[name]);
  return {
    message,
    errorProperties,
    stack: first === -1 ? ['Unavailable.'] : arrayMap.call(arraySlice.call(lines, first), (line) => stringTrim.call(line)),
  };
}

function javascriptHeap() {
  const heap = requireLater('internal/v8/v8').getHeapStatistics();
  return {
    totalMemory: heap.total_heap_size,
    executableMemory: heap.total_heap_size_executable,
    totalCommittedMemory: heap.total_physical_size,
    availableMemory: heap.total_available_size,
    totalGlobalHandlesMemory: heap.total_global_handles_size ?? 0,
    usedGlobalHandlesMemory: heap.used_global_handles_size ?? 0,
    usedMemory: heap.used_heap_size,
    memoryLimit: heap.heap_size_limit,
    mallocedMemory: heap.malloced_memory,
    externalMemory: heap.external_memory ?? process.memoryUsage().external,
    peakMallocedMemory: heap.peak_malloced_memory,
    nativeContextCount: heap.number_of_native_contexts,
    detachedContextCount: heap.number_of_detached_contexts,
    doesZapGarbage: heap.does_zap_garbage,
    heapSpaces: {},
  };
}

function shares({ user, system }, reads, writes) {
  const seconds = process.uptime();
  const percent = (microseconds) => (microseconds / 1e6 / seconds) * 100;
  return {
    userCpuSeconds: user / 1e6,
    kernelCpuSeconds: system / 1e6,
    cpuConsumptionPercent: percent(user + system),
    userCpuConsumptionPercent: percent(user),
    kernelCpuConsumptionPercent: percent(system),
    fsActivity: { reads, writes },
  };
}

function resourceUsage() {
  const used = process.resourceUsage();
  const { fsActivity, ...cpu } = shares({ user: used.userCPUTime, system: used.systemCPUTime }, used.fsRead, used.fsWrite);
  return {
    free_memory: os.freemem(),
    total_memory: os.totalmem(),
    rss: process.memoryUsage.rss(),
    constrained_memory: process.constrainedMemory(),
    available_memory: process.availableMemory(),
    ...cpu,
    maxRss: used.maxRSS * 1024,
    pageFaults: { IORequired: used.majorPageFault, IONotRequired: used.minorPageFault },
    fsActivity,
  };
}

function endpoint(address, port, isNamed) {
  if (!address) return null;
  const kind = stringIncludes.call(address, ':') ? 'ip6' : 'ip4';
  return { ...(isNamed ? { host: address } : {}), [kind]: address, port };
}

// No addresses of memory are given out: a handle's number stands for it.
function identity(handle) {
  return `0x${stringPadStart.call(numberToString.call(handle.getAsyncId?.() ?? handle._handle?.getAsyncId?.() ?? 0, 16), 16, '0')}`;
}

// A program's handles as librondo has them: what keeps the loop alive, and how.
function describeHandle(handle, isNamed) {
  const type = {
    TCPSocketWrap: 'tcp',
    TCPServerWrap: 'tcp',
    PipeWrap: 'pipe',
    PipeServerWrap: 'pipe',
    TTYWrap: 'tty',
    ProcessWrap: 'process',
  };
  const owner = handle.owner ?? handle;
  const name = handle.constructor?.name ?? 'handle';
  const shown = {
    type: type[name] ?? stringToLowerCase.call(name),
    is_active: true,
    is_referenced: owner.hasRef?.() ?? handle.hasRef?.() ?? true,
    address: identity(handle),
  };
  const local = owner.address?.();
  if (local && typeof local === 'object' && local.port !== undefined) {
    shown.type = 'tcp';
    shown.localEndpoint = endpoint(local.address, local.port, isNamed);
    shown.remoteEndpoint = endpoint(owner.remoteAddress, owner.remotePort, isNamed);
  }
  if (typeof owner.pid === 'number' && owner.spawnfile !== undefined) {
    shown.type = 'process';
    shown.pid = owner.pid;
  }
  if (typeof owner.writableLength === 'number') {
    shown.writeQueueSize = owner.writableLength;
    shown.readable = Boolean(owner.readable);
    shown.writable = Boolean(owner.writable);
  }
  return shown;
}

function loopSection(settings) {
  const { activeTimers, activeImmediates } = require('internal/timers/timers');
  const handles = arrayMap.call(process._getActiveHandles(), (handle) => describeHandle(handle, !settings.excludeNetwork));
  for (let i = activeTimers(); i > 0; i--)
    arrayPush.call(handles, { type: 'timer', is_active: true, is_referenced: true, address: identity({}) });
  for (let i = activeImmediates(); i > 0; i--)
    arrayPush.call(handles, { type: 'immediate', is_active: true, is_referenced: true, address: identity({}) });
  const { idleTime } = requireLater('internal/perf/perf_hooks').performance.nodeTiming;
  return [...each(handles), { type: 'loop', is_active: true, address: identity({}), loopIdleTimeSeconds: idleTime / 1000 }];
}

const limitNames = {
  __proto__: null,
  'Max core file size': 'core_file_size_blocks',
  'Max data size': 'data_seg_size_bytes',
  'Max file size': 'file_size_blocks',
  'Max locked memory': 'max_locked_memory_bytes',
  'Max resident set': 'max_memory_size_bytes',
  'Max open files': 'open_files',
  'Max stack size': 'stack_size_bytes',
  'Max cpu time': 'cpu_time_seconds',
  'Max processes': 'max_user_processes',
  'Max address space': 'virtual_memory_bytes',
};

function userLimits() {
  const limits = {};
  const lines = stringSplit.call(read('/proc/self/limits'), '\n');
  for (const name of each(Object.keys(limitNames))) {
    const line = arrayFind.call(lines, (text) => stringStartsWith.call(text, name));
    if (line === undefined) continue;
    const [soft, hard] = each(
      arrayMap.call(regexpSplit.call(/\s+/, stringTrim.call(stringSlice.call(line, name.length))), (value) =>
        value === kUnlimited ? value : Number(value),
      ),
    );
    limits[limitNames[name]] = { soft, hard };
  }
  return limits;
}

function sharedObjects() {
  const found = new Set();
  for (const path of each(regexpMatch.call(/(?:\/\S*\.so[\d.]*|\[vdso\])$/gm, read('/proc/self/maps')) ?? [])) {
    found.add(path === '[vdso]' ? 'linux-vdso.so.1' : path);
  }
  return [...each(found)];
}

function build(request) {
  const { settings, error } = request;
  return {
    header: header(request),
    javascriptStack: javascriptStack(error),
    javascriptHeap: javascriptHeap(),
    nativeStack: arrayMap.call(nativeStack(), (frame) => ({
      pc: `0x${stringPadStart.call(numberToString.call(frame[0], 16), 16, '0')}`,
      symbol: frame[1],
    })),
    resourceUsage: resourceUsage(),
    uvthreadResourceUsage: shares(process.threadCpuUsage(), 0, 0),
    libuv: loopSection(settings),
    workers: [],
    ...(settings.excludeEnv ? {} : { environmentVariables: { ...process.env } }),
    userLimits: userLimits(),
    sharedObjects: sharedObjects(),
  };
}

module.exports = { build };
