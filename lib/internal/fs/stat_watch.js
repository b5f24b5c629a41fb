// natives: fs, permission
//
// fs.watchFile and fs.unwatchFile: looks at a file every so often and tells
// when its Stats have changed. One watcher a path, however many listeners.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const active = require('internal/async_hooks/active_resources');
const binding = native('fs');
const path = require('internal/path/path');
const EventEmitter = require('internal/events/events');
const { validateFunction, validateUint32 } = require('internal/util/validators');
const { emptyStats, toStats } = require('internal/fs/stats');
const { getValidatedPath, isUrl } = require('internal/fs/utils');

const fields = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'ino', 'size', 'mtimeMs', 'ctimeMs', 'birthtimeMs'];

function differ(a, b) {
  return arraySome.call(fields, (name) => a[name] !== b[name]);
}

class StatWatcher extends EventEmitter {
  #bigint;
  #file;
  #timer = null;
  #references = 1;
  #most = 1;
  #last;
  #missing = false;

  constructor(bigint) {
    super();
    this.#bigint = bigint;
  }

  // The first look only sets the base, unless the file is not there: that is told.
  begin(file, persistent, interval) {
    if (this.#timer !== null) return;
    this.#file = getValidatedPath(file, 'filename');
    validateUint32(interval, 'interval');
    this.#timer = setInterval(() => this.#look(), Math.max(1, interval));
    active.add(this);
    if (!persistent) this.unref();
    this.#look();
  }

  #look() {
    const timer = this.#timer;
    active.hideFileRequests(1);
    binding.stat(this.#file, this.#bigint, false, (error, found) => {
      active.hideFileRequests(-1);
      const now = !error && found ? toStats(found) : emptyStats(this.#bigint);
      if (this.#timer === timer && timer !== null) this.#compare(now, Boolean(error) || !found);
    });
  }

  #compare(now, missing) {
    const before = this.#last;
    this.#last = now;
    const wasMissing = this.#missing;
    this.#missing = missing;
    if (before === undefined) {
      if (missing) this.emit('change', now, emptyStats(this.#bigint));
    } else if (missing !== wasMissing || (!missing && differ(before, now))) {
      this.emit('change', now, before);
    }
  }

  [active.kResourceName]() {
    return this.#references > 0 ? 'StatWatcher' : undefined;
  }

  start() {}

  stop() {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    active.remove(this);
    process.nextTick(() => this.emit('stop'));
  }

  // One more listener asks for the file, or one fewer.
  addReference() {
    this.#references++;
    this.#most++;
  }

  dropReference() {
    this.#most--;
    this.unref();
  }

  dropAllReferences() {
    this.#most = 0;
    this.#references = 0;
    this.#timer?.unref();
  }

  ref() {
    if (this.#references === this.#most) return this;
    if (this.#timer !== null && this.#references++ === 0) this.#timer.ref();
    return this;
  }

  unref() {
    if (this.#references === 0) return this;
    if (this.#timer !== null && --this.#references === 0) this.#timer.unref();
    return this;
  }
}

const watchers = new Map();

function keyOf(filename) {
  const file = isUrl(filename) ? require('internal/url/url').fileURLToPath(filename) : filename;
  return path.resolve(typeof file === 'string' ? file : Buffer.from(getValidatedPath(file)).toString());
}

function watchFile(filename, options, listener) {
  filename = getValidatedPath(filename);
  const key = keyOf(filename);
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = null;
  }
  const { interval = 5007, persistent = true, bigint = false } = options ?? {};
  validateFunction(listener, 'listener');
  native('permission').check('fs.read', filename);
  let watcher = watchers.get(key);
  if (watcher === undefined) {
    watcher = new StatWatcher(Boolean(bigint));
    watcher.begin(key, persistent, interval);
    watchers.set(key, watcher);
  } else {
    watcher.addReference();
  }
  watcher.addListener('change', listener);
  return watcher;
}

function unwatchFile(filename, listener) {
  filename = getValidatedPath(filename);
  const key = keyOf(filename);
  const watcher = watchers.get(key);
  if (watcher === undefined) return;
  if (typeof listener === 'function') {
    const before = watcher.listenerCount('change');
    watcher.removeListener('change', listener);
    if (watcher.listenerCount('change') < before) watcher.dropReference();
  } else {
    watcher.removeAllListeners('change');
    watcher.dropAllReferences();
  }
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    watchers.delete(key);
  }
}

module.exports = { watchFile, unwatchFile };
