// natives: worker, messaging
// class Worker of node:worker_threads, on the owner's side. Two channels lead to the thread: the public one (postMessage) and the
// control line (start, standard streams, errors, questions).
'use strict';

const EventEmitter = require('internal/events/events');
const path = require('internal/path/path');
const binding = native('worker');
const messaging = native('messaging');
const { codes, errnoException } = require('internal/errors/coded');
const { validateArray, validateNumber, validateObject, validateString } = require('internal/util/validators');
const { kReceive } = require('internal/symbols/messaging');
const { deliver, post } = require('internal/messaging/post_message');
const { kStdio, kMore } = require('internal/worker/control_line');
const { getOptions } = require('internal/process/options');
const active = require('internal/async_hooks/active_resources');

const kWeb = Symbol('web'); // an option of lib/internal/worker/web_worker.js
const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');

function isUrl(value) {
  return typeof value === 'object' && value !== null && require('internal/url/url_class').isURL(value);
}

// The program to run: { kind: 'eval' | 'data' | 'file', entry }
function entryOf(filename, options) {
  if (options.eval) {
    if (typeof filename !== 'string') {
      throw new codes.ERR_INVALID_ARG_VALUE('options.eval', options.eval, "must be false when 'filename' is not a string");
    }
    return { kind: 'eval', entry: filename };
  }
  if (isUrl(filename)) {
    if (filename.protocol === 'data:') return { kind: 'data', entry: filename.href };
    return { kind: 'file', entry: require('internal/url/url').fileURLToPath(filename) };
  }
  if (typeof filename !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  if (path.isAbsolute(filename) || regexpTest.call(/^\.\.?[\\/]/, filename)) return { kind: 'file', entry: path.resolve(filename) };
  throw new codes.ERR_WORKER_PATH(filename);
}

// For C++: null is a copy of ours, true ours itself, else names and values in turn.
function environmentOf(env) {
  if (env === undefined || env === null) return null;
  if (env === SHARE_ENV) return true;
  if (typeof env !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
  }
  const flat = [];
  for (const name of each(Object.keys(env))) arrayPush.call(flat, name, `${env[name]}`);
  return flat;
}

// `--` ends the options, here as on a command line.
function givenOptions(execArgv) {
  const texts = arrayMap.call(execArgv, String);
  const end = arrayIndexOf.call(texts, '--');
  return end === -1 ? texts : arraySlice.call(texts, 0, end);
}

// The options that lib/ of the worker asks for: its owner's, or those of its own arguments and the environment that it will have.
function runtimeOptions(execArgv, env) {
  const { NODE_OPTIONS: own } = typeof env === 'object' && env !== null ? env : process.env;
  const variable = own === undefined ? undefined : `${own}`;
  const isOther = variable !== undefined && variable !== process.env.NODE_OPTIONS;
  if (!execArgv && !isOther) return getOptions();
  refuse(binding.parseOptions([], variable), 'invalid NODE_OPTIONS env variable');
  const parsed = refuse(binding.parseOptions(execArgv ? givenOptions(execArgv) : [], variable));
  return execArgv ? parsed : { ...getOptions(), ...parsed };
}

function refuse(parsed, what) {
  if (Array.isArray(parsed)) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(parsed, what);
  return parsed;
}

const kLimitNames = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];

// As src/runtime/threads/worker_thread.h has them, for names as Node has them.
function limitsArray(given) {
  const limits = bytesFill.call(new Float64Array(4), -1);
  if (typeof given !== 'object' || given === null) return limits;
  for (let i = 0; i < 4; i++) {
    const limit = given[kLimitNames[i]];
    if (typeof limit === 'number' && !Number.isNaN(limit)) limits[i] = limit;
  }
  if (limits[1] >= 0) limits[1] = Math.max(limits[1], 2);
  return limits;
}

function limitsObject(limits) {
  const named = {};
  for (let i = 0; i < 4; i++) named[kLimitNames[i]] = limits[i];
  return named;
}

function notStarted(errno) {
  const why = errno === 0 ? 'the library did not load' : errnoException(-errno, 'uv_loop_init').code;
  return new codes.ERR_WORKER_INIT_FAILED(why);
}

// A port of the channel whose other end is returned for the thread.
function openChannel() {
  const { 0: mine, 1: other } = messaging.channel();
  mine.keep();
  return { handle: mine, end: other.detach() };
}

function drain(receiver, handle) {
  while (handle.hasMessage()) deliver(receiver, handle);
  handle.close();
}

class Worker extends EventEmitter {
  #thread = null; // of C++; null when it has ended
  #hasRef = true; // as async hooks are told; undefined when it is over
  #control;
  #public;
  #stdio;
  #questions = new Map();
  #performance;

  constructor(filename, options = {}) {
    super();
    if (options.execArgv) validateArray(options.execArgv, 'options.execArgv');
    if (options.argv) validateArray(options.argv, 'options.argv');
    const { kind, entry } = entryOf(filename, options);
    const environment = environmentOf(options.env);
    let name = 'WorkerThread';
    if (options.name) {
      validateString(options.name, 'options.name');
      name = stringTrim.call(options.name);
    }
    const message = {
      kind,
      entry,
      argv: options.argv ? arrayMap.call(options.argv, String) : [],
      options: runtimeOptions(options.execArgv, options.env),
      workerData: options.workerData,
      environmentData: require('internal/worker/environment_data').copy(),
      stdin: !!options.stdin,
      web: options[kWeb],
    };
    this.#start(message, options, name, environment);
    process.nextTick(() => process.emit('worker', this));
    const channel = require('internal/events/diagnostics_channel').channel('worker_threads');
    if (channel.hasSubscribers) channel.publish({ worker: this });
  }

  #start(message, options, name, environment) {
    require('internal/worker/threads').register();
    const control = openChannel(),
      open = openChannel();
    try {
      post(control.handle, this, message, options.transferList);
    } catch (error) {
      control.handle.close();
      open.handle.close();
      throw error;
    }
    this.#control = control.handle;
    this.#public = open.handle;
    this.#followListeners();
    const { Stdio } = require('internal/worker/owner_stdio');
    this.#stdio = new Stdio(this.#control, options);
    const execArgv = options.execArgv ? givenOptions(options.execArgv) : process.execArgv;
    const thread = binding.start(
      control.end,
      open.end,
      name,
      execArgv,
      environment,
      limitsArray(options.resourceLimits),
      (code, ending, errno) => this.#onExit(code, ending, errno),
      !!(options.trackUnmanagedFds ?? true),
    );
    if (typeof thread === 'number') this.#failed(thread);
    else {
      this.#thread = thread;
      active.addThread(this);
    }
    // Async hooks hear of the worker first, then of its ports.
    this.#control.setOwner({ [kReceive]: (data) => this.#onControl(data) });
    this.#public.setOwner(this);
    this.#control.start();
    this.#tellHooks(this.#public);
  }

  #tellHooks(open) {
    const own = this.#thread?.asyncRecord();
    if (own) own.resource.hasRef = () => this.#hasRef;
    const port = open.asyncRecord();
    if (port !== undefined) port.resource.hasRef = () => open.hasRef();
  }

  // There can be no thread: told as an end, later, as Node does.
  #failed(errno) {
    process.nextTick(() => this.#ended(1, notStarted(errno)));
  }

  // The public port runs, and keeps the loop alive, while somebody listens.
  #followListeners() {
    this.on('newListener', (name) => {
      if (name !== 'message' || this.#public === undefined || this.listenerCount('message') > 0) return;
      this.#public.ref();
      this.#public.start();
    });
    this.on('removeListener', (name) => {
      if (name !== 'message' || this.#public === undefined || this.listenerCount('message') > 0) return;
      this.#public.stop();
      this.#public.unref();
    });
  }

  [kReceive](data, type) {
    this.emit(type, data);
  }

  #onControl(message) {
    switch (message.type) {
      case 'online':
        return this.emit('online');
      case 'error':
        return this.#failedWith(require('internal/worker/errors').unpack(message.error));
      case 'unserializable':
        return this.#failedWith(new codes.ERR_WORKER_UNSERIALIZABLE_ERROR());
      case kStdio:
        return this.#stdio.take(message.stream, message.chunks);
      case kMore:
        return this.#stdio.more();
      case 'answer':
        return this.#answered(message);
      case 'inspector':
        // For the main thread: a worker hands it on.
        if (require('internal/worker/state').isWorker) return require('internal/worker/state').wakeInspector();
        return requireLater('internal/inspector/threads').joinThreads({});
      default:
    }
  }

  // Messages that the thread posted before it failed come before 'error', whichever of the two channels was read first.
  #failedWith(error) {
    const open = this.#public;
    while (this.#public === open && this.listenerCount('message') > 0 && open.hasMessage()) deliver(this, open);
    this.emit('error', error);
  }

  #onExit(code, ending, errno) {
    let error;
    if (ending === binding.kOutOfMemory) error = new codes.ERR_WORKER_OUT_OF_MEMORY('JS heap out of memory');
    if (ending === binding.kNoStart) error = notStarted(errno);
    this.#ended(code, error);
  }

  #ended(code, error) {
    const control = this.#control,
      open = this.#public;
    drain(this, open);
    drain({ [kReceive]: (data) => this.#onControl(data) }, control);
    this.#public = this.#control = undefined;
    this.removeAllListeners('message');
    this.removeAllListeners('messageerror');
    this.#thread = null;
    active.removeThread(this);
    this.#stdio.end();
    for (const { reject } of each(this.#questions.values())) reject(new codes.ERR_WORKER_NOT_RUNNING());
    if (error !== undefined) this.emit('error', error);
    this.emit('exit', code);
    this.#hasRef = undefined;
    this.removeAllListeners();
  }

  postMessage(message, transferOrOptions) {
    if (this.#public === undefined) return;
    if (arguments.length === 0) throw require('internal/messaging/message_channel').missingArguments();
    post(this.#public, this, message, transferOrOptions);
  }

  terminate() {
    this.ref();
    if (this.#thread === null) return Promise.resolve();
    this.#thread.stop();
    return new Promise((resolve) => this.once('exit', resolve));
  }

  async [Symbol.asyncDispose]() {
    await this.terminate();
  }

  ref() {
    this.#setRef(true);
  }
  unref() {
    this.#setRef(false);
  }

  #setRef(ref) {
    if (this.#thread === null) return;
    this.#thread.setRef(ref);
    this.#hasRef = ref;
    if (ref) this.#public.ref();
    else this.#public.unref();
  }

  get threadId() {
    return this.#thread === null ? -1 : this.#thread.id();
  }
  get threadName() {
    return this.#thread === null ? null : this.#thread.name();
  }
  get stdin() {
    return this.#stdio.stdin;
  }
  get stdout() {
    return this.#stdio.stdout;
  }
  get stderr() {
    return this.#stdio.stderr;
  }
  get resourceLimits() {
    return this.#thread === null ? {} : limitsObject(this.#thread.limits());
  }

  get performance() {
    return (this.#performance ??= {
      eventLoopUtilization: (first, second) => {
        const { difference } = require('internal/perf/event_loop');
        const pair = this.#thread === null ? [0, 0] : this.#thread.utilization();
        return difference(pair[1], pair[0], first, second);
      },
    });
  }

  // The thread answers between two of its tasks.
  #ask(what, argument) {
    if (this.#thread === null) return Promise.reject(new codes.ERR_WORKER_NOT_RUNNING());
    const { promise, resolve, reject } = Promise.withResolvers();
    const id = this.#questions.size === 0 ? 1 : Math.max(...each(this.#questions.keys())) + 1;
    this.#questions.set(id, { resolve, reject });
    this.#control.ref();
    this.#control.post({ type: 'ask', id, what, argument });
    return promise;
  }

  #answered({ id, value }) {
    const question = this.#questions.get(id);
    this.#questions.delete(id);
    if (this.#questions.size === 0) this.#control.unref();
    question.resolve(value);
  }

  getHeapStatistics() {
    return promiseThen(this.#ask('heapStatistics'), (statistics) => ({
      ...statistics,
      does_zap_garbage: statistics.does_zap_garbage !== 0, // a boolean here, a number in node:v8
    }));
  }

  getHeapSnapshot(options) {
    const snapshots = require('internal/v8/heap_snapshot');
    const checked = snapshots.checkedOptions(options);
    return promiseThen(this.#ask('heapSnapshot'), (text) => snapshots.stream(text, checked));
  }

  startCpuProfile(options) {
    const checked = require('internal/v8/profiles').cpuProfileOptions(options);
    return promiseThen(this.#ask('startCpuProfile', checked), (number) => new ProfileHandle(() => this.#ask('stopProfile', number)));
  }

  startHeapProfile(options) {
    const checked = require('internal/v8/profiles').heapProfileOptions(options);
    return promiseThen(this.#ask('startHeapProfile', checked), (answer) => {
      if (typeof answer === 'string') throw new codes[answer]();
      return new ProfileHandle(() => this.#ask('stopProfile', answer));
    });
  }

  cpuUsage(prev) {
    if (prev) {
      validateObject(prev, 'prev');
      validateNumber(prev.user, 'prev.user', 0, Number.MAX_SAFE_INTEGER);
      validateNumber(prev.system, 'prev.system', 0, Number.MAX_SAFE_INTEGER);
    }
    return promiseThen(this.#ask('cpuUsage'), ({ user, system }) =>
      prev ? { user: user - prev.user, system: system - prev.system } : { user, system },
    );
  }
}

// A profile of a worker that runs; stop() twice answers the same.
class ProfileHandle {
  #stop;
  #text;

  constructor(stop) {
    this.#stop = stop;
  }

  stop() {
    this.#text ??= this.#stop();
    return this.#text;
  }

  async [Symbol.asyncDispose]() {
    await this.stop();
  }
}

module.exports = { Worker, SHARE_ENV, kWeb, limitsObject };
