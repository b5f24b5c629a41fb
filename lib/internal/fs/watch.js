// natives: fs
//
// fs.watch and fs.promises.watch. The native half (inotify) reports what
// happens to one file or in one directory; recursive watching adds a watcher
// for every directory below, here in JavaScript.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const active = require('internal/async_hooks/active_resources');
const binding = native('fs');
const EventEmitter = require('internal/events/events');
const { AbortError, UVException, codes } = require('internal/errors/coded');
const { validateAbortSignal, validateBoolean, validateInteger, validateObject, validateOneOf } = require('internal/util/validators');
const { getOptions, getValidatedPath, inEncoding } = require('internal/fs/utils');

const ENOENT = -2;
const ENOSPC = -28;

function validateIgnore(ignore, name) {
  if (ignore == null) return;
  const wrong = (value, at) => new codes.ERR_INVALID_ARG_TYPE(at, ['string', 'RegExp', 'Function', 'Array'], value);
  const check = (value, at) => {
    if (typeof value === 'string') {
      if (value.length === 0) throw new codes.ERR_INVALID_ARG_VALUE(at, value, 'must be a non-empty string');
    } else if (!(value instanceof RegExp) && typeof value !== 'function') {
      throw wrong(value, at);
    }
  };
  if (Array.isArray(ignore)) arrayForEach.call(ignore, (value, i) => check(value, `${name}[${i}]`));
  else check(ignore, name);
}

// From globs, expressions and functions to one question: is this name to be left out?
function ignoreMatcher(ignore) {
  if (ignore == null) return () => false;
  const tests = arrayMap.call(Array.isArray(ignore) ? ignore : [ignore], (one) => {
    if (typeof one === 'function') return one;
    if (one instanceof RegExp) return (name) => regexpExec.call(one, name) !== null;
    const { compileGlob } = require('internal/fs/glob_pattern');
    const match = compileGlob(one);
    return stringIncludes.call(one, '/') ? match : (name) => match(stringSlice.call(name, stringLastIndexOf.call(name, '/') + 1));
  });
  return (name) => arraySome.call(tests, (test) => test(name));
}

function watchError(errno, filename) {
  const message = errno === ENOSPC ? 'System limit for number of file watchers reached' : '';
  return Object.assign(new UVException({ errno, syscall: 'watch', path: filename, message }), { filename });
}

// A watcher's entry in process.getActiveResourcesInfo().
class FSEventWrap {
  constructor(owner, isRefed) {
    this.owner = owner;
    this.isRefed = isRefed;
  }

  [active.kResourceName]() {
    return this.isRefed ? 'FSEventWrap' : undefined;
  }
}

class FSWatcher extends EventEmitter {
  #handle = null;
  #resource = null;
  #state = 'new';

  constructor() {
    super();
  }

  begin(filename, { persistent, encoding, ignore, throwIfNoEntry = true }) {
    filename = getValidatedPath(filename);
    validateIgnore(ignore, 'options.ignore');
    const ignored = ignoreMatcher(ignore);
    const handle = binding.watch(filename, Boolean(persistent), false, (kind, raw) => {
      const name = inEncoding(encoding && encoding !== 'utf8' && typeof raw === 'string' ? Buffer.from(raw) : raw, encoding);
      if (name != null && ignored(name)) return;
      this.emit('change', kind, name);
    });
    if (typeof handle === 'number') {
      if (!throwIfNoEntry && handle === ENOENT) return;
      throw watchError(handle, filename);
    }
    this.#handle = handle;
    this.#state = 'open';
    active.add((this.#resource = new FSEventWrap(this, Boolean(persistent))));
  }

  start() {}

  close() {
    if (this.#state !== 'open') return;
    this.#state = 'closed';
    this.#handle.close();
    active.remove(this.#resource);
    this.#handle = null;
    process.nextTick(() => this.emit('close'));
  }

  ref() {
    return this.#setRef(true);
  }

  unref() {
    return this.#setRef(false);
  }

  #setRef(isRefed) {
    if (this.#handle === null) return this;
    this.#handle.setRef(isRefed);
    this.#resource.isRefed = isRefed;
    return this;
  }
}

function checkOptions(options) {
  const { recursive, throwIfNoEntry } = options;
  if (recursive) validateBoolean(recursive, 'options.recursive');
  if (throwIfNoEntry != null) validateBoolean(throwIfNoEntry, 'options.throwIfNoEntry');
}

function startWatcher(filename, options) {
  if (!options.recursive) {
    const watcher = new FSWatcher();
    watcher.begin(filename, options);
    return watcher;
  }
  const { RecursiveWatcher } = require('internal/fs/recursive_watch');
  const watcher = new RecursiveWatcher(options, ignoreMatcher(options.ignore));
  watcher.begin(filename);
  return watcher;
}

function watch(filename, given, listener) {
  if (typeof given === 'function') {
    listener = given;
    given = undefined;
  }
  const options = { persistent: true, recursive: false, ...getOptions(given) };
  checkOptions(options);
  validateIgnore(options.ignore, 'options.ignore');
  const watcher = startWatcher(filename, options);
  if (listener) watcher.addListener('change', listener);
  if (options.signal) closeOnAbort(watcher, options.signal);
  return watcher;
}

function closeOnAbort(watcher, signal) {
  if (signal.aborted) {
    process.nextTick(() => watcher.close());
    return;
  }
  const onAbort = () => watcher.close();
  signal.addEventListener('abort', onAbort, { once: true });
  watcher.once('close', () => signal.removeEventListener('abort', onAbort));
}

function checkPromiseOptions(options) {
  validateObject(options, 'options');
  const { persistent = true, recursive = false, encoding = 'utf8', maxQueue = 2048, overflow = 'ignore', signal, ignore } = options;
  validateBoolean(persistent, 'options.persistent');
  validateBoolean(recursive, 'options.recursive');
  validateInteger(maxQueue, 'options.maxQueue');
  validateOneOf(overflow, 'options.overflow', ['ignore', 'error']);
  validateAbortSignal(signal, 'options.signal');
  validateIgnore(ignore, 'options.ignore');
  if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
  return { persistent, recursive, encoding, maxQueue, overflow, signal, ignore };
}

// Events between two awaits wait in a queue of limited length.
async function* watchPromise(filename, given = {}) {
  filename = getValidatedPath(filename);
  const options = checkPromiseOptions(given);
  const { signal, maxQueue } = options;
  const aborted = () => new AbortError(undefined, { cause: signal.reason });
  if (signal?.aborted) throw aborted();
  const queue = [];
  let wake = () => {};
  const watcher = startWatcher(filename, { ...options, signal: undefined });
  const add = (item) => {
    arrayPush.call(queue, item);
    wake();
  };
  watcher.on('change', (eventType, name) => {
    if (queue.length < maxQueue) {
      add({ __proto__: null, eventType, filename: name });
    } else if (options.overflow === 'error') {
      queue.length = 0;
      add(new codes.ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue));
    } else {
      process.emitWarning('fs.watch maxQueue exceeded');
    }
  });
  watcher.on('error', add);
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal?.aborted) {
      if (queue.length === 0)
        await new Promise((resolve) => {
          wake = resolve;
        });
      while (queue.length > 0) {
        const item = arrayShift.call(queue);
        if (item instanceof Error) throw item;
        yield item;
      }
    }
    throw aborted();
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

module.exports = { watch, watchPromise };
