// natives: none
//
// node:child_process: spawn, execFile, exec, their synchronous forms, and fork, whose children exchange messages with us.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { codes, genericNodeError } = require('internal/errors/coded');
const { validateAbortSignal, validateArray, validateFunction, validateObject, validateString } = require('internal/util/validators');
const { getValidatedPath } = require('internal/fs/utils');
const { ChildProcess, limit } = require('internal/child_process/child');
const { noNulls, normalizeSpawn, sanitizeKillSignal, validateMaxBuffer, validateTimeout } = require('internal/child_process/options');

function spawn(file, args, options) {
  const given = normalizeSpawn(file, args, options);
  validateTimeout(given.timeout);
  if (given.signal) validateAbortSignal(given.signal, 'options.signal');
  const killSignal = sanitizeKillSignal(given.killSignal);
  const child = new ChildProcess();
  child.spawn(given);
  limit(child, { signal: given.signal, timeout: given.timeout, killSignal });
  return child;
}

const defaultStdio = { silent: 'pipe', loud: 'inherit' };

function forkStdio({ stdio, silent }) {
  if (typeof stdio === 'string') {
    if (!arrayIncludes.call(['ignore', 'pipe', 'overlapped', 'inherit'], stdio)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', stdio);
    return [stdio, stdio, stdio, 'ipc'];
  }
  const kind = silent ? defaultStdio.silent : defaultStdio.loud;
  if (!Array.isArray(stdio)) return [kind, kind, kind, 'ipc'];
  if (!arrayIncludes.call(stdio, 'ipc')) throw new codes.ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  return stdio;
}

function fork(modulePath, args = [], options = {}) {
  const file = getValidatedPath(modulePath, 'modulePath');
  if (args == null) {
    args = [];
  } else if (typeof args === 'object' && !Array.isArray(args)) {
    options = args;
    args = [];
  } else {
    validateArray(args, 'args');
  }
  if (options != null) validateObject(options, 'options');
  const given = { __proto__: null, ...options, shell: false };
  given.execPath ||= process.execPath;
  validateArgumentNullCheck(given.execPath, 'options.execPath');
  let execArgv = given.execArgv ?? process.execArgv;
  validateArray(execArgv, 'options.execArgv');
  const evaluated = process._eval;
  if (execArgv === process.execArgv && evaluated != null) execArgv = withoutEval(execArgv, evaluated);
  return spawn(given.execPath, [...each(execArgv), file, ...each(args)], { ...given, stdio: forkStdio(given) });
}

function validateArgumentNullCheck(value, name) {
  validateString(value, name);
  noNulls(value, name);
}

// A program given by -e does not give its text to its children.
function withoutEval(list, text) {
  const at = arrayLastIndexOf.call(list, text);
  return at > 0 ? arrayToSpliced.call(list, at - 1, 2) : list;
}

// Gathers a stream up to maxBuffer; `onExcess` is told when there is more.
function gather(stream, encoding, maxBuffer, onExcess) {
  const chunks = [];
  let length = 0;
  if (stream === null) return { text: () => '' };
  if (encoding) stream.setEncoding(encoding);
  stream.on('data', (chunk) => {
    const size = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const room = maxBuffer - length;
    length += size;
    if (size <= room) {
      arrayPush.call(chunks, chunk);
    } else {
      arrayPush.call(chunks, chunk.slice(0, Math.max(0, room)));
      onExcess();
    }
  });
  return { text: () => (encoding || stream.readableEncoding ? arrayJoin.call(chunks, '') : Buffer.concat(chunks)) };
}

function execFileArguments(file, args, options, callback) {
  if (args != null && typeof args === 'function') {
    callback = args;
    args = null;
    options = null;
  } else if (args != null && typeof args === 'object' && !Array.isArray(args)) {
    callback = options;
    options = args;
    args = null;
  } else if (args != null && !Array.isArray(args)) {
    throw new codes.ERR_INVALID_ARG_TYPE('args', 'object', args);
  }
  if (options != null && typeof options === 'function') {
    callback = options;
    options = null;
  }
  if (options != null) validateObject(options, 'options');
  if (callback != null) validateFunction(callback, 'callback');
  return { args: args ?? [], options, callback };
}

const execDefaults = {
  encoding: 'utf8',
  timeout: 0,
  maxBuffer: 1024 * 1024,
  killSignal: 'SIGTERM',
  cwd: null,
  env: null,
  shell: false,
};

class Execution {
  constructor(child, file, args, options, callback) {
    this.child = child;
    this.command = arrayJoin.call([file, ...each(args)], ' ');
    this.options = options;
    this.callback = callback;
    this.failure = null;
    this.killed = false;
    this.finished = false;
    const { encoding } = options;
    const textual = encoding && encoding !== 'buffer' && Buffer.isEncoding(encoding) ? encoding : null;
    const excess = (name) => () => {
      this.failure ??= new codes.ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
      this.kill();
    };
    this.stdout = gather(child.stdout, textual, options.maxBuffer, excess('stdout'));
    this.stderr = gather(child.stderr, textual, options.maxBuffer, excess('stderr'));
    child.on('close', (code, signal) => this.finish(code, signal));
    child.on('error', (error) => {
      this.failure = error;
      child.stdout?.destroy();
      child.stderr?.destroy();
      this.finish();
    });
    if (options.timeout > 0) this.timer = setTimeout(() => this.kill(), options.timeout);
  }

  kill() {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.killed = true;
    try {
      this.child.kill(this.options.killSignal);
    } catch (error) {
      this.failure ??= error;
      this.finish();
    }
  }

  finish(code, signal) {
    if (this.finished) return;
    this.finished = true;
    clearTimeout(this.timer);
    if (!this.callback) return;
    const stdout = this.stdout.text();
    const stderr = this.stderr.text();
    if (!this.failure && code === 0 && signal === null) {
      this.callback(null, stdout, stderr);
      return;
    }
    const error =
      this.failure ??
      genericNodeError(`Command failed: ${this.command}\n${stderr}`, {
        code: code < 0 ? require('internal/util/util').getSystemErrorName(code) : code,
        killed: this.child.killed || this.killed,
        signal,
      });
    error.cmd = this.command;
    this.callback(error, stdout, stderr);
  }
}

function execFile(file, given, chosen, done) {
  const { args, options: passed, callback } = execFileArguments(file, given, chosen, done);
  const options = { __proto__: null, ...execDefaults, ...passed };
  validateTimeout(options.timeout);
  validateMaxBuffer(options.maxBuffer);
  options.killSignal = sanitizeKillSignal(options.killSignal);
  const { cwd, env, shell, signal, uid, gid, argv0, windowsHide } = options;
  const child = spawn(file, args, {
    __proto__: null,
    cwd: cwd ?? undefined,
    env: env ?? undefined,
    shell,
    signal,
    uid,
    gid,
    argv0,
    windowsHide,
    killSignal: options.killSignal,
  });
  new Execution(child, file, args, options, callback);
  return child;
}

function execArguments(command, options, callback) {
  validateString(command, 'command');
  noNulls(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const given = { __proto__: null, ...options };
  given.shell = typeof given.shell === 'string' ? given.shell : true;
  return { given, callback };
}

function exec(command, options, callback) {
  const { given, callback: done } = execArguments(command, options, callback);
  return execFile(command, given, done);
}

// util.promisify(exec): the promise has the child, and resolves to both outputs.
function promiseForm(original) {
  const { [original.name]: promised } = {
    [original.name]: (...args) => {
      let settle;
      const promise = new Promise((resolve, reject) => {
        settle = { resolve, reject };
      });
      promise.child = original(...each(args), (error, stdout, stderr) => {
        if (error === null) settle.resolve({ stdout, stderr });
        else settle.reject(Object.assign(error, { stdout, stderr }));
      });
      return promise;
    },
  };
  return promised;
}
for (const original of each([exec, execFile])) {
  Object.defineProperty(original, require('internal/util/helpers').promisify.custom, { enumerable: false, value: promiseForm(original) });
}

const sync = (name) =>
  ({
    [name](...args) {
      return require('internal/child_process/sync')[name](...each(args));
    },
  })[name];

module.exports = {
  ChildProcess,
  exec,
  execFile,
  execFileSync: sync('execFileSync'),
  execSync: sync('execSync'),
  fork,
  spawn,
  spawnSync: sync('spawnSync'),
};
