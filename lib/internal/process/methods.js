// natives: process
// Methods of the process object that load on first use.
'use strict';

const binding = native('process');
const { validateString, validateUint32, validateObject, validateNumber } = require('internal/util/validators');
const { codes, ErrnoException } = require('internal/errors/coded');
const programState = require('internal/process/program_state');

function chdir(directory) {
  validateString(directory, 'directory');
  binding.chdir(directory);
}

function umask(mask) {
  if (mask === undefined) return binding.umask();
  if (typeof mask === 'string') {
    if (!regexpTest.call(/^[0-7]+$/, mask))
      throw new codes.ERR_INVALID_ARG_VALUE('mask', mask, 'must be a 32-bit unsigned integer or an octal string');
    mask = Number.parseInt(mask, 8);
  }
  validateUint32(mask, 'mask');
  return binding.umask(mask);
}

const clock = new Uint32Array(3);

function hrtime(since) {
  binding.hrtime(clock);
  const seconds = clock[0] * 0x100000000 + clock[1];
  if (since === undefined) return [seconds, clock[2]];
  require('internal/util/validators').validateArray(since, 'time');
  if (since.length !== 2) throw new codes.ERR_OUT_OF_RANGE('time', 2, since.length);
  const passed = seconds - since[0];
  const rest = clock[2] - since[1];
  return rest < 0 ? [passed - 1, rest + 1e9] : [passed, rest];
}
hrtime.bigint = () => binding.hrtimeBigInt();

function memoryUsage() {
  const values = new Float64Array(5);
  binding.memoryUsage(values);
  return { rss: values[0], heapTotal: values[1], heapUsed: values[2], external: values[3], arrayBuffers: values[4] };
}
memoryUsage.rss = () => binding.rss();

const kUsageNames = [
  'userCPUTime',
  'systemCPUTime',
  'maxRSS',
  'sharedMemorySize',
  'unsharedDataSize',
  'unsharedStackSize',
  'minorPageFault',
  'majorPageFault',
  'swappedOut',
  'fsRead',
  'fsWrite',
  'ipcSent',
  'ipcReceived',
  'signalsCount',
  'voluntaryContextSwitches',
  'involuntaryContextSwitches',
];

function resourceUsage() {
  const values = new Float64Array(16);
  binding.resourceUsage(values);
  const usage = {};
  for (let i = 0; i < kUsageNames.length; i++) usage[kUsageNames[i]] = values[i];
  return usage;
}

function checkPrevious(value, name) {
  validateObject(value, 'prevValue');
  for (const field of each(['user', 'system'])) {
    validateNumber(value[field], `prevValue.${field}`);
    if (value[field] < 0 || value[field] > Number.MAX_SAFE_INTEGER) {
      throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${field}`, value[field]);
    }
  }
}

function cpuUsage(previous) {
  if (previous) checkPrevious(previous);
  else if (previous !== undefined && previous !== null) validateObject(previous, 'prevValue');
  const { userCPUTime, systemCPUTime } = resourceUsage();
  if (!previous) return { user: userCPUTime, system: systemCPUTime };
  return { user: userCPUTime - previous.user, system: systemCPUTime - previous.system };
}

function threadCpuUsage(previous) {
  if (previous) checkPrevious(previous);
  else if (previous !== undefined && previous !== null) validateObject(previous, 'prevValue');
  const values = new Float64Array(2);
  binding.threadUsage(values);
  if (!previous) return { user: values[0], system: values[1] };
  return { user: values[0] - previous.user, system: values[1] - previous.system };
}

function uptime() {
  return binding.uptime();
}

const kHarmless = ['SIGCHLD', 'SIGCONT', 'SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGWINCH'];

// Whether the signal ends this process: profiles are written while they can be.
function isOwnEnd(pid, number) {
  if (number <= 0 || (pid !== 0 && pid !== -1 && pid !== process.pid && pid !== -process.pid)) return false;
  const { numbers } = require('internal/process/signals');
  for (const name of each(Object.keys(numbers))) {
    if (numbers[name] === number && (arrayIncludes.call(kHarmless, name) || process.listenerCount(name) > 0)) return false;
  }
  return true;
}

function kill(pid, signal) {
  // biome-ignore lint/suspicious/noDoubleEquals: '17' is taken as 17 is
  if (pid != (pid | 0)) throw new codes.ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  const { numbers } = require('internal/process/signals');
  let number = signal;
  if (typeof signal !== 'number') {
    number = numbers[signal || 'SIGTERM'];
    if (number === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  }
  if (programState.beforeEnd !== undefined && isOwnEnd(pid | 0, number)) require('internal/process/before_end').write();
  const error = process._kill(pid | 0, number);
  if (error) throw new ErrnoException(error, 'kill');
  return true;
}

const { abort } = {
  abort() {
    binding.abort();
  },
};

// A failed call of the system as Node's C++ words it: strerror(3) behind the code, and errno as it is.
function throwErrno(error, syscall) {
  const { getSystemErrorMap } = require('internal/util/util');
  const [code, text] = each(getSystemErrorMap().get(error) ?? ['', 'unknown error']);
  const thrown = new Error(`${code}, ${stringToUpperCase.call(text[0])}${stringSlice.call(text, 1)}`);
  throw Object.assign(thrown, { errno: -error, code, syscall });
}

const ids = {};
for (const name of each(['getuid', 'geteuid', 'getgid', 'getegid', 'getgroups'])) ids[name] = () => binding[name]();
for (const name of each(['setuid', 'seteuid', 'setgid', 'setegid'])) {
  ids[name] = (id) => {
    if (typeof id !== 'number' && typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('id', ['number', 'string'], id);
    if (typeof id === 'number') validateUint32(id, 'id');
    const number = typeof id === 'number' ? id : lookUpId(id, stringEndsWith.call(name, 'uid'));
    const error = binding[name](number);
    if (error) throwErrno(error, name);
  };
}

function lookUpId(name, isUser) {
  const line = arrayFind.call(
    stringSplit.call(require('internal/fs/fs').readFileSync(isUser ? '/etc/passwd' : '/etc/group', 'utf8'), '\n'),
    (l) => stringStartsWith.call(l, `${name}:`),
  );
  if (line === undefined) throw new codes.ERR_UNKNOWN_CREDENTIAL(isUser ? 'User' : 'Group', name);
  return Number(stringSplit.call(line, ':')[2]);
}

function setUncaughtExceptionCaptureCallback(callback) {
  const uncaught = require('internal/process/uncaught');
  if (callback === null) {
    uncaught.setCapture(null);
    return;
  }
  if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
  if (uncaught.hasCapture()) throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  uncaught.setCapture(callback);
}

function hasUncaughtExceptionCaptureCallback() {
  return require('internal/process/uncaught').hasCapture();
}

function emitWarning(...args) {
  return require('internal/process/warning').emitWarning(...each(args));
}

function availableMemory() {
  return require('internal/os/os').freemem();
}

function getBuiltinModule(id) {
  validateString(id, 'id');
  const { builtinId, loadBuiltin } = requireLater('internal/modules/builtins');
  const known = builtinId(id);
  return known === undefined ? undefined : loadBuiltin(known);
}

module.exports = {
  ...ids,
  chdir,
  umask,
  hrtime,
  memoryUsage,
  resourceUsage,
  cpuUsage,
  threadCpuUsage,
  uptime,
  kill,
  abort,
  throwErrno,
  emitWarning,
  setUncaughtExceptionCaptureCallback,
  hasUncaughtExceptionCaptureCallback,
  availableMemory,
  getBuiltinModule,
};
