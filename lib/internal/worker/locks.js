// natives: locks, modules, worker
// navigator.locks and worker_threads.locks (https://w3c.github.io/web-locks/): named locks among all threads of the process.
'use strict';

const binding = native('locks');
const { threadId } = native('worker');
const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { enumerable } = require('internal/events/event');

const kMake = Symbol('make');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const { kWait, kIfAvailable, kSteal } = binding;
const kModes = ['exclusive', 'shared'];

const clientId = `node-${process.pid}-${threadId}`;

function domException(message, name) {
  return new (require('internal/errors/dom_exception').DOMException)(message, name);
}

// Diagnostics channels, from the first request on for which somebody may listen.
let channels;

function tell(event, message) {
  if (channels === undefined) {
    if (!native('modules').hasLoadedBuiltin('diagnostics_channel')) return;
    const { channel } = require('internal/events/diagnostics_channel');
    const named = (word) => channel(`locks.request.${word}`);
    channels = { start: named('start'), grant: named('grant'), miss: named('miss'), end: named('end') };
  }
  if (channels[event].hasSubscribers) channels[event].publish(message());
}

class Lock {
  #name;
  #mode;

  constructor(token, name, mode) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#name = name;
    this.#mode = mode;
  }

  get name() {
    return this.#name;
  }
  get mode() {
    return this.#mode;
  }

  [kInspect](depth, options) {
    const { inspect } = require('internal/util/inspect');
    return `Lock ${inspect({ name: this.#name, mode: this.#mode }, options)}`;
  }
}

// Requests of this thread by their numbers: { name, mode, callback, resolve, reject, stop, isHeld }
const requests = new Map();
let lastRequest = 0;
let handle;

const ended = ({ name, mode, steal, ifAvailable }, error) => ({ name, mode, steal, ifAvailable, error });

function onNews(id, what) {
  const request = requests.get(id);
  if (request === undefined) return;
  if (what === binding.kStolen) {
    requests.delete(id);
    const error = domException('The lock was stolen by another request', 'AbortError');
    tell('end', () => ended(request, error));
    request.reject(error);
    return;
  }
  request.stop?.();
  request.isHeld = true;
  const isGranted = what === binding.kGranted;
  const lock = isGranted ? new Lock(kMake, request.name, request.mode) : null;
  const settle = (end, isFailed) => (value) => {
    if (isGranted) handle.drop(request.name, id);
    if (!requests.delete(id)) return;
    tell('end', () => ended(request, isFailed ? value : undefined));
    end(value);
  };
  const { callback, name, mode } = request;
  tell(isGranted ? 'grant' : 'miss', () => ({ name, mode }));
  promiseThen(new Promise((resolve) => resolve(callback(lock))), settle(request.resolve, false), settle(request.reject, true));
}

// Options that exclude each other (steps 5 to 11 of request()).
function check(name, { mode, ifAvailable, steal, signal }) {
  if (stringStartsWith.call(name, '-')) throw domException('Lock name may not start with hyphen', 'NotSupportedError');
  if (ifAvailable && steal) throw domException('ifAvailable and steal are mutually exclusive', 'NotSupportedError');
  if (steal && mode !== 'exclusive') throw domException(`mode: "${mode}" and steal are mutually exclusive`, 'NotSupportedError');
  if (signal !== undefined && (ifAvailable || steal)) {
    throw domException('signal cannot be used with ifAvailable or steal', 'NotSupportedError');
  }
}

function readOptions(given) {
  if (given !== undefined && given !== null && typeof given !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', given);
  }
  const options = given ?? {};
  const mode = options.mode === undefined ? 'exclusive' : `${options.mode}`;
  if (!arrayIncludes.call(kModes, mode)) {
    throw new ERR_INVALID_ARG_VALUE('options.mode', options.mode, 'must be one of: exclusive, shared');
  }
  const { signal } = options;
  if (signal !== undefined) require('internal/util/validators').validateAbortSignal(signal, 'options.signal');
  return { mode, ifAvailable: !!options.ifAvailable, steal: !!options.steal, signal };
}

function begin(name, options, callback) {
  handle ??= binding.open(onNews, clientId);
  const { mode, ifAvailable, steal, signal } = options;
  tell('start', () => ({ name, mode }));
  return new Promise((resolve, reject) => {
    const id = ++lastRequest;
    const request = { name, mode, steal, ifAvailable, callback, resolve, reject, stop: undefined, isHeld: false };
    requests.set(id, request);
    if (signal !== undefined) watch(signal, id, request);
    handle.request(name, mode === 'shared', steal ? kSteal : ifAvailable ? kIfAvailable : kWait, id);
  });
}

function watch(signal, id, request) {
  const onAbort = () => {
    if (request.isHeld) return;
    requests.delete(id);
    handle.drop(request.name, id);
    request.reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  request.stop = () => signal.removeEventListener('abort', onAbort);
}

class LockManager {
  constructor(token) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  async request(name, options, callback) {
    if (!(this instanceof LockManager)) throw new ERR_INVALID_THIS('LockManager');
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'callback');
    if (callback === undefined && typeof options === 'function') {
      callback = options;
      options = undefined;
    }
    name = `${name}`;
    require('internal/util/validators').validateFunction(callback, 'callback');
    const read = readOptions(options);
    check(name, read);
    read.signal?.throwIfAborted();
    return begin(name, read, callback);
  }

  async query() {
    if (!(this instanceof LockManager)) throw new ERR_INVALID_THIS('LockManager');
    const state = { held: [], pending: [] };
    const rows = binding.query();
    for (let i = 0; i < rows.length; i += 4) {
      const row = { name: rows[i], mode: kModes[rows[i + 1] ? 1 : 0], clientId: rows[i + 2] };
      arrayPush.call(rows[i + 3] ? state.held : state.pending, row);
    }
    return state;
  }
}

for (const [Class, names] of eachEntry([
  [Lock, ['name', 'mode']],
  [LockManager, ['request', 'query']],
])) {
  enumerable(Class.prototype, names);
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: Class.name, configurable: true });
}

module.exports = { Lock, LockManager, locks: new LockManager(kMake) };
