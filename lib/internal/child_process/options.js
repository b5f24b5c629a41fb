// natives: child_process, permission
//
// From the arguments of spawn, exec and their synchronous forms to what the native half takes: checked as Node checks them,
// with the environment as pairs and stdio as numbers.

'use strict';

const { codes } = require('internal/errors/coded');
const {
  validateAbortSignal,
  validateBoolean,
  validateInteger,
  validateNumber,
  validateObject,
  validateString,
} = require('internal/util/validators');
const { getValidatedPath } = require('internal/fs/utils');
const { numbers: signalNumbers } = require('internal/process/signals');

const { kPipe, kIgnore } = native('child_process');
const kIpc = -3; // a pipe for messages; the native half gets kPipe for it
const kGivenAway = Symbol('a child has it as one of its streams');

function noNulls(text, name) {
  if (typeof text === 'string' && stringIncludes.call(text, '\u0000')) {
    throw new codes.ERR_INVALID_ARG_VALUE(name, text, 'must be a string without null bytes');
  }
}

function signalNumber(signal) {
  if (typeof signal === 'number' && arrayIncludes.call(Object.values(signalNumbers), signal)) return signal;
  const known = typeof signal === 'string' ? (signalNumbers[signal] ?? signalNumbers[stringToUpperCase.call(signal)]) : undefined;
  if (known === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  return known;
}

function validateTimeout(timeout) {
  if (timeout != null) validateInteger(timeout, 'timeout', 0);
}

function validateMaxBuffer(maxBuffer) {
  if (maxBuffer != null) validateNumber(maxBuffer, 'options.maxBuffer', 0);
}

function sanitizeKillSignal(signal) {
  if (typeof signal === 'string' || typeof signal === 'number') return signalNumber(signal);
  if (signal != null) throw new codes.ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], signal);
  return undefined;
}

function stdioName(stdio) {
  if (stdio === undefined || stdio === null) return 'pipe';
  return stdio;
}

// A stream that a child reads is not read here.
function takeOver(stream) {
  if (stream === process.stdin || stream === process.stdout || stream === process.stderr) return;
  stream[kGivenAway] = true;
  stream._handle.readStop?.();
  if (stream.readable) stream.pause?.();
}

// A listening socket that a child gets goes on listening when it is closed here.
function fdOfHandle(handle) {
  if (typeof handle.share === 'function' && handle instanceof require('internal/net/handle').Listener) handle.share();
  return handle.fd;
}

function stdioEntry(entry, index, given) {
  if (entry === null || entry === undefined) entry = index < 3 ? 'pipe' : 'ignore';
  switch (entry) {
    case 'pipe':
    case 'overlapped':
      return kPipe;
    case 'ignore':
      return kIgnore;
    case 'inherit':
      return index;
    case 'ipc':
      return kIpc;
    default:
  }
  if (typeof entry === 'number') return entry;
  if (typeof entry?._handle?.fd === 'number' && entry._handle.fd >= 0) {
    takeOver(entry);
    return fdOfHandle(entry._handle);
  }
  if (typeof entry?.fd === 'number') return fdOfHandle(entry);
  throw new codes.ERR_INVALID_ARG_VALUE('stdio', given);
}

function stdioNumbers(stdio) {
  const given = stdioName(stdio);
  let list = given;
  if (typeof given === 'string') {
    if (!arrayIncludes.call(['pipe', 'ignore', 'inherit', 'overlapped'], given)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', given);
    list = [given, given, given];
  } else if (!Array.isArray(given)) {
    throw new codes.ERR_INVALID_ARG_VALUE('stdio', given);
  }
  const entries = arraySlice.call(list);
  while (entries.length < 3) arrayPush.call(entries, undefined);
  const numbers = arrayMap.call(entries, (entry, index) => stdioEntry(entry, index, given));
  if (arrayIndexOf.call(numbers, kIpc) !== arrayLastIndexOf.call(numbers, kIpc)) throw new codes.ERR_IPC_ONE_PIPE();
  return numbers;
}

function environmentPairs(env) {
  const pairs = [];
  const keys = [];
  for (const key in env) arrayPush.call(keys, key);
  for (const key of each(new Set(keys))) {
    const value = env[key];
    if (value === undefined) continue;
    noNulls(key, `options.env['${key}']`);
    noNulls(`${value}`, `options.env['${key}']`);
    arrayPush.call(pairs, `${key}=${value}`);
  }
  // Coverage is of the children, too.
  const { NODE_V8_COVERAGE: coverage } = process.env;
  if (coverage !== undefined && !Object.hasOwn(env, 'NODE_V8_COVERAGE')) arrayPush.call(pairs, `NODE_V8_COVERAGE=${coverage}`);
  return pairs;
}

function splitArguments(file, args, options) {
  validateString(file, 'file');
  noNulls(file, 'file');
  if (file.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  if (Array.isArray(args)) {
    args = arraySlice.call(args);
  } else if (args == null) {
    args = [];
  } else if (typeof args !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('args', 'object', args);
  } else {
    options = args;
    args = [];
  }
  args = arrayMap.call(args, String);
  arrayForEach.call(args, (one, i) => noNulls(one, `args[${i}]`));
  return { args, options };
}

function checkOptions(options) {
  if (options.cwd != null) noNulls(options.cwd, 'options.cwd');
  if (options.detached != null) validateBoolean(options.detached, 'options.detached');
  for (const name of each(['uid', 'gid'])) {
    if (options[name] != null) validateInteger(options[name], `options.${name}`, 0, 2 ** 32 - 1);
  }
  if (options.shell != null && typeof options.shell !== 'boolean' && typeof options.shell !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], options.shell);
  }
  if (options.argv0 != null) {
    validateString(options.argv0, 'options.argv0');
    noNulls(options.argv0, 'options.argv0');
  }
  for (const name of each(['windowsHide', 'windowsVerbatimArguments'])) {
    if (options[name] != null) validateBoolean(options[name], `options.${name}`);
  }
  if (options.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

let warnedOfShell = false;
function throughShell(file, args, shell) {
  noNulls(typeof shell === 'string' ? shell : '', 'options.shell');
  if (args.length > 0 && !warnedOfShell) {
    warnedOfShell = true;
    process.emitWarning(
      'Passing args to a child process with shell option true can lead to security vulnerabilities, as the arguments are not ' +
        'escaped, only concatenated.',
      'DeprecationWarning',
      'DEP0190',
    );
  }
  const command = args.length > 0 ? `${file} ${arrayJoin.call(args, ' ')}` : file;
  return { file: typeof shell === 'string' && shell !== '' ? shell : '/bin/sh', args: ['-c', command] };
}

// Under --permission a child has the rights of its parent.
function withRights(env, args) {
  return native('permission').isEnabled() ? require('internal/process/permission').withOptions(env, args) : env;
}

// Arguments of the native half for spawn and spawnSync; `spawnargs` is what errors and events show.
function normalizeSpawn(file, given, passed) {
  const { args, options: chosen } = splitArguments(file, given, passed);
  if (chosen !== undefined) validateObject(chosen, 'options');
  const options = { __proto__: null, ...chosen };
  checkOptions(options);
  let command = { file, args };
  if (options.shell) command = throughShell(file, args, options.shell);
  const spawnargs = [typeof options.argv0 === 'string' ? options.argv0 : command.file, ...each(command.args)];
  return {
    __proto__: null,
    ...options,
    cwd: options.cwd == null ? '' : `${getValidatedPath(options.cwd, 'options.cwd')}`,
    file: command.file,
    args: spawnargs,
    envPairs: environmentPairs(withRights(options.env || process.env, spawnargs)),
    detached: Boolean(options.detached),
  };
}

module.exports = {
  kGivenAway,
  kPipe,
  kIpc,
  normalizeSpawn,
  sanitizeKillSignal,
  signalNumber,
  stdioNumbers,
  validateTimeout,
  validateMaxBuffer,
  noNulls,
};
