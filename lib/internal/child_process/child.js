// natives: child_process
//
// ChildProcess: one started child, its streams and its end. 'exit' comes when the process has ended, 'close' when its streams
// have ended too.

'use strict';

const binding = native('child_process');
const EventEmitter = require('events');
const { AbortError, ErrnoException, codes } = require('internal/errors');
const { PipeReader, PipeWriter } = require('internal/child_process/pipes');
const { kPipe, signalNumber } = require('internal/child_process/options');
const { numbers } = require('internal/process/signals');
const active = require('internal/active_resources');

function signalName(number) {
  for (const name of Object.keys(numbers)) {
    if (numbers[name] === number) return name;
  }
  return null;
}

class ChildProcess extends EventEmitter {
  #isRefed = true;
  #waiting = 1;  // the process, and each stream that is not closed

  constructor() {
    super();
    this._closesNeeded = 1;
    this.connected = false;
    this.signalCode = null;
    this.exitCode = null;
    this.killed = false;
    this.spawnfile = null;
    this.pid = undefined;
    this.stdin = null;
    this.stdout = null;
    this.stderr = null;
    this.stdio = [];
    this.spawnargs = [];
  }

  spawn(options) {
    require('internal/validators').validateObject(options, 'options');
    this.spawnfile = options.file;
    this.spawnargs = options.args ?? [];
    const started = binding.spawn(options, (code, signal) => this.#exited(code, signal));
    if (typeof started === 'number') {
      this.#failed(started, options);
      return started;
    }
    this.pid = started.pid;
    active.add(this);
    this.#makeStreams(options.stdio, started.fds);
    process.nextTick(() => this.emit('spawn'));
    return 0;
  }

  #makeStreams(kinds, fds) {
    this.stdio = kinds.map((kind, index) => {
      if (kind !== kPipe) return null;
      if (index === 0) return new PipeWriter(fds[index]);
      const stream = new PipeReader(fds[index]);
      this.#waiting++;
      stream.once('close', () => this.#oneDone());
      return stream;
    });
    [this.stdin = null, this.stdout = null, this.stderr = null] = this.stdio;
  }

  // No such program and the like are told by an 'error' event; the streams exist all the same, and end.
  #failed(errno, options) {
    const soft = new Set([-2, -13, -24, -23, -7]);
    if (!soft.has(errno)) {
      throw Object.assign(new ErrnoException(errno, 'spawn'), { spawnargs: this.spawnargs.slice(1) });
    }
    this.stdio = options.stdio.map((kind, index) => {
      if (kind !== kPipe) return null;
      const { Readable, Writable } = require('stream');
      return index === 0 ? new Writable({ write(chunk, encoding, done) { done(); } }) : Readable.from([]).resume();
    });
    [this.stdin = null, this.stdout = null, this.stderr = null] = this.stdio;
    process.nextTick(() => {
      this.exitCode = errno;
      const error = new ErrnoException(errno, `spawn ${options.file}`);
      error.path = options.file;
      error.spawnargs = this.spawnargs.slice(1);
      this.stdin?.destroy();
      this.emit('error', error);
      this.#oneDone();
    });
  }

  #exited(code, signal) {
    active.remove(this);
    if (signal) this.signalCode = signalName(signal);
    else this.exitCode = code;
    this.stdin?.destroy();
    this.emit('exit', this.exitCode, this.signalCode);
    // Output nobody reads must not keep 'close' from coming.
    process.nextTick(() => {
      for (const stream of this.stdio.slice(1)) {
        if (stream && !stream.readableFlowing && stream.readableFlowing !== false && stream.listenerCount('readable') === 0) stream.resume();
      }
    });
    this.#oneDone();
  }

  #oneDone() {
    if (--this.#waiting === 0) this.emit('close', this.exitCode, this.signalCode);
  }

  [active.kResourceName]() { return this.#isRefed ? 'ProcessWrap' : undefined; }

  kill(signal) {
    const number = signal === 0 ? 0 : signalNumber(signal === undefined ? 'SIGTERM' : signal);
    if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) return false;
    const error = binding.kill(this.pid, number);
    if (error === 0) {
      this.killed = true;
      return true;
    }
    if (error === -3) return false;
    throw new ErrnoException(error, 'kill');
  }

  [Symbol.dispose]() {
    if (!this.killed) this.kill();
  }

  ref() {
    this.#isRefed = true;
    if (this.pid !== undefined) binding.ref(this.pid, true);
  }

  unref() {
    this.#isRefed = false;
    if (this.pid !== undefined) binding.ref(this.pid, false);
  }
}

// options.signal and options.timeout end a child that runs on.
function limit(child, { signal, timeout, killSignal }) {
  if (timeout > 0) {
    const timer = setTimeout(() => child.kill(killSignal), timeout);
    child.once('exit', () => clearTimeout(timer));
  }
  if (!signal) return;
  const abort = () => {
    if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: signal.reason }));
  };
  if (signal.aborted) {
    process.nextTick(abort);
    return;
  }
  signal.addEventListener('abort', abort, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', abort));
}

module.exports = { ChildProcess, limit, signalName, codes };
