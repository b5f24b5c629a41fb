// natives: process, runtime, ledger
// The process object: what every program may touch at once. Rarely used parts live in internal/process/* and load on first use.
'use strict';

const programState = require('internal/process/program_state');
const binding = native('process');
const { setCallback } = native('runtime');
const EventEmitter = require('internal/events/events');
const { addLazy, defineLazy, lazyValuesOn } = require('internal/util/lazy_property');
const { nextTick, setExitCheck } = require('internal/queues/ticks');

const self = process; // made in 00_primordials
Object.setPrototypeOf(Object.getPrototypeOf(self), EventEmitter.prototype);
Object.defineProperty(self, Symbol.toStringTag, { __proto__: null, value: 'process', writable: true });

const lazyValue = lazyValuesOn(self);
const lazy = (name, load) => lazyValue(name, load, true);
const lazyAccessor = (name, load) => defineLazy(self, name, load, true); // where Node has one

// Functions of a file, loaded when first touched.
function lazyFunctions(file, names) {
  addLazy(self, names, (name) => require(file)[name], true);
}

const argv = binding.argv;
self.version = `v${binding.nodeVersion}`;
self.arch = binding.arch;
self.platform = 'linux';
lazy('versions', () => require('internal/process/facts').versions(binding.nodeVersion));
lazy('release', () => require('internal/process/facts').release());
lazy('config', () => require('internal/process/facts').config());
lazy('features', () => require('internal/process/facts').features());
Object.defineProperty(self, 'title', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return require('internal/process/title').title();
  },
  set(value) {
    require('internal/process/title').setTitle(value);
  },
});
self.argv = argv;
self.execArgv = binding.execArgv;
self.execPath = binding.execPath;
self.pid = binding.pid;
Object.defineProperty(self, 'ppid', { __proto__: null, get: binding.getppid, configurable: true, enumerable: true });
Object.defineProperty(self, 'debugPort', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return require('internal/process/debug_port').get();
  },
  set(value) {
    require('internal/process/debug_port').set(value);
  },
});
lazy('argv0', () => require('internal/process/title').argv0());
lazy('env', () => require('internal/process/env').environment());
// The standard streams: accessors to the end and without setters, as in Node. Those of a worker lead to its owner; a page's agents write
// to the process's own.
const streams = () => (binding.isWorker ? requireLater('internal/worker/state').streams() : undefined);
const made = { __proto__: null };
const getters = { __proto__: null };
function standardStream(name, load) {
  const { get } = Object.getOwnPropertyDescriptor(
    {
      get [name]() {
        return (made[name] ??= streams()?.[name] ?? load());
      },
    },
    name,
  );
  getters[name] = get;
  Object.defineProperty(self, name, { __proto__: null, get, configurable: true, enumerable: true });
}
standardStream('stdin', () => require('internal/process/stdin').stdin());
standardStream('stdout', () => require('internal/process/stdio').stdout());
standardStream('stderr', () => require('internal/process/stdio').stderr());

// For the console: whether the program neither holds the stream nor has put another in its place.
const isUntouched = (name) => made[name] === undefined && Object.getOwnPropertyDescriptor(self, name)?.get === getters[name];

self.nextTick = nextTick;
// An accessor, as in Node: a process ends, too, when the program has frozen this object.
let exiting = false;
Object.defineProperty(self, '_exiting', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return exiting;
  },
  set(value) {
    exiting = Boolean(value);
  },
});
setExitCheck(() => exiting);

self.cwd = () => binding.cwd();
lazyFunctions('internal/process/methods', [
  'hrtime',
  'memoryUsage',
  'resourceUsage',
  'cpuUsage',
  'uptime',
  'kill',
  'getuid',
  'geteuid',
  'getgid',
  'getegid',
  'getgroups',
  'emitWarning',
  'setUncaughtExceptionCaptureCallback',
  'hasUncaughtExceptionCaptureCallback',
  'availableMemory',
  'getBuiltinModule',
  'threadCpuUsage',
]);

lazyFunctions(binding.isWorker ? 'internal/worker/process' : 'internal/process/methods', [
  'chdir',
  'umask',
  'abort',
  'setuid',
  'seteuid',
  'setgid',
  'setegid',
]);
lazyFunctions(binding.isWorker ? 'internal/worker/process' : 'internal/process/rare_methods', ['execve', 'initgroups', 'setgroups']);
lazyFunctions('internal/process/rare_methods', [
  'loadEnvFile',
  'constrainedMemory',
  'ref',
  'unref',
  'openStdin',
  'dlopen',
  '_rawDebug',
  'addUncaughtExceptionCaptureCallback',
  'setSourceMapsEnabled',
  'getActiveResourcesInfo',
  '_getActiveHandles',
  '_getActiveRequests',
]);
if (!binding.isWorker) lazyFunctions('internal/process/rare_methods', ['_debugEnd', '_debugProcess']);
lazyAccessor('report', () => require('internal/process/diagnostic_report').report);
lazyFunctions('internal/process/binding', ['binding', '_linkedBinding']);
lazy('finalization', () => require('internal/process/finalization').finalization);
lazy('allowedNodeEnvironmentFlags', () => require('internal/process/environment_flags').allowed());
Object.defineProperty(self, 'sourceMapsEnabled', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return requireLater('internal/source_map/cache').getSourceMapsSupport().enabled;
  },
});
self.moduleLoadList = [];
self._kill = binding.kill;

call0(EventEmitter, self);
// Signals are watched from the first listener to the last. A worker gets none.
if (!binding.isWorker) {
  const isSignal = (name) => typeof name === 'string' && stringStartsWith.call(name, 'SIG');
  self.on('newListener', (name) => {
    if (isSignal(name)) require('internal/process/signals').watch(name);
  });
  self.on('removeListener', (name) => {
    if (isSignal(name)) require('internal/process/signals').unwatch(name);
  });
}

let exitCode;
Object.defineProperty(self, 'exitCode', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get() {
    return exitCode;
  },
  set(value) {
    if (value !== null && value !== undefined) {
      if (typeof value === 'string' && value !== '' && Number.isInteger(+value)) value = +value;
      require('internal/util/validators').validateInteger(value, 'code');
    }
    exitCode = value ?? undefined;
  },
});

self.reallyExit = binding.reallyExit;
const output = { flush() {} }; // internal/process/stdio puts its own in place

// A listener threw in process.exit() and the program took the exception: it goes on, and 'exit' is emitted once more at its end.
let isExitInterrupted = false;

self.exit = function exit(code) {
  if (code !== undefined) self.exitCode = code;
  if (!self._exiting) {
    self._exiting = true;
    isExitInterrupted = true;
    self.emit('exit', exitCode || 0);
    isExitInterrupted = false;
  }
  output.flush();
  programState.compileCache?.flush();
  programState.beforeEnd?.();
  // A program may have replaced it, and an exit listener may have changed the code.
  self.reallyExit(exitCode || 0);
};

// An event of the process is a task of its own in a trace, where the program listens.
const ledger = native('ledger');
function emitTraced(name) {
  if (!ledger.enabled || self.listenerCount(name) === 0) return self.emit(name, exitCode || 0);
  const id = ledger.queuedAs(ledger.kEvent, name);
  ledger.begin(ledger.kEvent, id);
  ledger.expect(name);
  try {
    return self.emit(name, exitCode || 0);
  } finally {
    ledger.end(ledger.kEvent, id);
  }
}

setCallback('BeforeExit', () => {
  require('internal/async_hooks/context').onLoopEnd?.();
  const emit = () => emitTraced('beforeExit');
  if (programState.aroundBeforeExit === undefined) emit();
  else programState.aroundBeforeExit(emit);
});

const kExitUnsettled = 13;
setCallback('Exit', () => {
  if (!self._exiting || isExitInterrupted) {
    self._exiting = true;
    isExitInterrupted = false;
    const isUnsettled = programState.unsettledMains > 0 && exitCode === undefined;
    if (isUnsettled) exitCode = kExitUnsettled;
    emitTraced('exit');
    // Microtasks that the listeners left run now and may still change the code; nextTick takes nothing any more.
    require('internal/queues/ticks').processTicksAndRejections();
    if (isUnsettled && exitCode === kExitUnsettled) requireLater('internal/modules/unsettled').warn();
  }
  output.flush();
  programState.compileCache?.flush();
  programState.beforeEnd?.();
  return exitCode || 0;
});

// Programs replace it to see every fatal error; without it the process ends with a code of its own.
const kExitNoFatalException = 6;
self._fatalException = (error, fromPromise) => require('internal/process/uncaught').onUncaught(error, fromPromise);
setCallback('Uncaught', (error, fromPromise) => {
  if (typeof self._fatalException !== 'function') {
    require('internal/process/report').printUncaught(error);
    return kExitNoFatalException;
  }
  const answer = self._fatalException(error, fromPromise);
  if (typeof answer === 'number') {
    output.flush();
    programState.beforeEnd?.();
  }
  return answer;
});

Object.defineProperty(globalThis, 'process', { __proto__: null, value: self, writable: true, configurable: true, enumerable: false });

module.exports = { output, isUntouched };
