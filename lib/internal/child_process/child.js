// natives: child_process, modules
//
// ChildProcess: one started child, its streams and its end. 'exit' comes when the process has ended, 'close' when its streams
// and its channel have ended too.

'use strict';

const binding = native('child_process');
const EventEmitter = require('internal/events/events');
const { AbortError, ErrnoException } = require('internal/errors/coded');
const defineMethods = require('internal/util/define_methods');
const { validateArray, validateObject, validateOneOf, validateString } = require('internal/util/validators');
const { kGivenAway, kPipe, kIpc, signalNumber, stdioNumbers } = require('internal/child_process/options');
const { numbers } = require('internal/process/signals');
const active = require('internal/async_hooks/active_resources');

// No such program and the like are told by an 'error' event, other failures are thrown.
const ENOENT = -2;
const EMFILE = -24;
const ENFILE = -23;
const soft = new Set([ENOENT, -13 /* EACCES */, EMFILE, ENFILE, -11 /* EAGAIN */]);

const kIsRefed = Symbol('keeps the loop alive');
const kNative = Symbol('native child');
const kChannelGrace = 200; // milliseconds; on an idle machine it takes one
const atChannelEnd = new WeakMap(); // a dead child -> what waits for its channel

function signalName(number) {
  for (const name of each(Object.keys(numbers))) {
    if (numbers[name] === number) return name;
  }
  return null;
}

function ChildProcess() {
  if (!(this instanceof ChildProcess)) return new ChildProcess();
  call0(EventEmitter, this);
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  Object.defineProperty(this, kIsRefed, { value: true, writable: true });
  channels()?.made.publish({ process: this });
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

function checked(options) {
  validateObject(options, 'options');
  if (options.envPairs !== undefined) validateArray(options.envPairs, 'options.envPairs');
  validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  validateString(options.file, 'options.file');
  if (options.args !== undefined) validateArray(options.args, 'options.args');
  return { __proto__: null, ...options, envPairs: options.envPairs ?? [], args: options.args ?? [], stdio: stdioNumbers(options.stdio) };
}

let published; // { made, spawning } while a program has loaded node:diagnostics_channel

function channels() {
  if (published === undefined && native('modules').hasLoadedBuiltin('internal/events/diagnostics_channel')) {
    const { channel, tracingChannel } = require('internal/events/diagnostics_channel');
    published = { made: channel('child_process'), spawning: tracingChannel('child_process.spawn') };
  }
  return published;
}

const methods = {
  spawn(given) {
    const options = checked(given);
    this.spawnfile = options.file;
    this.spawnargs = options.args;
    const spawning = channels()?.spawning;
    spawning?.start.publish({ process: this, options: given });
    const ipc = arrayIndexOf.call(options.stdio, kIpc);
    if (ipc !== -1) {
      options.envPairs = [
        ...each(options.envPairs),
        `NODE_CHANNEL_FD=${ipc}`,
        `NODE_CHANNEL_SERIALIZATION_MODE=${options.serialization ?? 'json'}`,
      ];
    }
    const kinds = arrayMap.call(options.stdio, (kind) => (kind === kIpc ? kPipe : kind));
    const started = binding.spawn({ __proto__: null, ...options, stdio: kinds, ipc }, (code, signal) => ended(this, code, signal));
    if (typeof started === 'number') {
      spawning?.error.publish({ process: this, error: new ErrnoException(started, 'spawn') });
      return failed(this, started, options);
    }
    spawning?.end.publish({ process: this });
    this.pid = started.pid;
    this[kNative] = started.child;
    active.add(this);
    makeStreams(this, options, started.pipes);
    process.nextTick(() => this.emit('spawn'));
    return 0;
  },

  kill(signal) {
    const number = signal === 0 ? 0 : signalNumber(signal === undefined ? 'SIGTERM' : signal);
    if (this[kNative] === undefined || this.exitCode !== null || this.signalCode !== null) return false;
    const error = this[kNative].kill(number);
    if (error === 0) {
      if (number !== 0) this.killed = true;
      return true;
    }
    if (error === -3 /* ESRCH */) return false;
    if (error === -22 /* EINVAL */ || error === -38 /* ENOSYS */) throw new ErrnoException(error, 'kill');
    this.emit('error', new ErrnoException(error, 'kill'));
    return false;
  },

  [Symbol.dispose]() {
    if (!this.killed) this.kill();
  },

  ref() {
    setRef(this, true);
  },
  unref() {
    setRef(this, false);
  },
  [active.kResourceName]() {
    return this[kIsRefed] ? 'ProcessWrap' : undefined;
  },
};
defineMethods(ChildProcess, methods);

function setRef(child, on) {
  child[kIsRefed] = on;
  child[kNative]?.setRef(on);
}

function maybeClose(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) child.emit('close', child.exitCode, child.signalCode);
}

function socketOn(pipe, isReadable) {
  const { Pipe } = require('internal/net/handle');
  const { Socket } = require('internal/net/net');
  const socket = new Socket({ handle: new Pipe(pipe), readable: isReadable, manualStart: true });
  // Not before the program had the chance to give it to another child.
  if (isReadable) {
    process.nextTick(() => {
      if (!socket[kGivenAway] && !socket.destroyed) socket.read(0);
    });
  }
  return socket;
}

function makeStreams(child, { stdio, serialization }, pipes) {
  const streams = arrayMap.call(stdio, (kind, index) => {
    if (kind === kIpc) child._closesNeeded++;
    if (kind !== kPipe) return null;
    const socket = socketOn(pipes[index], index > 0);
    if (index > 0) {
      child._closesNeeded++;
      socket.on('close', () => maybeClose(child));
    }
    return socket;
  });
  setStreams(child, streams);
  const ipc = arrayIndexOf.call(stdio, kIpc);
  if (ipc === -1) return;
  const { ChannelPipe } = require('internal/net/handle');
  require('internal/child_process/channel').setUpChannel(child, new ChannelPipe(pipes[ipc]), serialization ?? 'json', () =>
    channelEnded(child),
  );
}

function setStreams(child, streams) {
  const [stdin = null, stdout = null, stderr = null] = each(streams);
  Object.assign(child, { stdin, stdout, stderr, stdio: streams });
}

function makeDeadStreams(child, stdio) {
  const { Socket } = require('internal/net/net');
  setStreams(
    child,
    arrayMap.call(stdio, (kind, index) => {
      if (kind !== kPipe) return null;
      const socket = new Socket({ readable: index > 0, writable: index === 0 });
      child._closesNeeded += index > 0 ? 1 : 0;
      if (index > 0) socket.on('close', () => maybeClose(child));
      return socket;
    }),
  );
}

// The streams exist all the same, and end; without descriptors there are none.
function failed(child, errno, { stdio, file }) {
  if (!soft.has(errno)) throw new ErrnoException(errno, 'spawn');
  const lacksDescriptors = errno === EMFILE || errno === ENFILE;
  if (!lacksDescriptors) makeDeadStreams(child, stdio);
  process.nextTick(() => {
    child.exitCode = errno;
    child.stdin?.destroy();
    const error = new ErrnoException(errno, `spawn ${file}`);
    error.path = file;
    error.spawnargs = arraySlice.call(child.spawnargs, 1);
    child.emit('error', error);
    for (const stream of each(arraySlice.call(child.stdio ?? [], 1))) stream?.destroy();
    maybeClose(child);
  });
  // Callers that look at the result know a soft failure by it.
  return errno === ENOENT || lacksDescriptors ? errno : 0;
}

// A channel's last messages and 'disconnect' come before 'exit', as in Node. The kernel tells of a death first when the child was reading
// the channel through io_uring: it takes such reads down later, on a thread of its own. Somebody else may have the child's end, so the wait
// is short.
function ended(child, code, signal) {
  if (!child.channel) return exited(child, code, signal);
  const timer = setTimeout(finish, kChannelGrace);
  if (!child[kIsRefed]) timer.unref();
  function finish() {
    atChannelEnd.delete(child);
    clearTimeout(timer);
    exited(child, code, signal);
  }
  atChannelEnd.set(child, finish);
}

function channelEnded(child) {
  maybeClose(child);
  atChannelEnd.get(child)?.();
}

function exited(child, code, signal) {
  active.remove(child);
  if (signal) child.signalCode = signalName(signal);
  else child.exitCode = code;
  child.stdin?.destroy();
  child.emit('exit', child.exitCode, child.signalCode);
  // Output nobody reads must not keep 'close' from coming.
  process.nextTick(() => {
    for (const stream of each(child.stdio ?? [])) {
      if (stream && stream.readable && !stream[kGivenAway] && stream.readableFlowing === null && stream.listenerCount('readable') === 0)
        stream.resume();
    }
  });
  maybeClose(child);
}

// options.signal and options.timeout end a child that runs on.
function limit(child, { signal, timeout, killSignal }) {
  if (timeout > 0) {
    const timer = setTimeout(() => {
      try {
        child.kill(killSignal);
      } catch (error) {
        child.emit('error', error);
      }
    }, timeout);
    child.once('exit', () => clearTimeout(timer));
  }
  if (!signal) return;
  const abort = () => {
    try {
      if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: signal.reason }));
    } catch (error) {
      child.emit('error', error);
    }
  };
  if (signal.aborted) {
    process.nextTick(abort);
    return;
  }
  signal.addEventListener('abort', abort, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', abort));
}

module.exports = { ChildProcess, limit, signalName };
