// natives: none
//
// fs.watch(…, { recursive: true }): one plain watcher for each file and
// directory of the tree, added as directories appear, dropped as they go.

'use strict';

const EventEmitter = require('internal/events/events');
const { basename, join, relative, resolve, sep } = require('internal/path/path');
const { AbortError, codes } = require('internal/errors/coded');
const { getValidatedPath } = require('internal/fs/utils');

class RecursiveWatcher extends EventEmitter {
  #options;
  #ignored;
  #root;
  #rootIsFile = false;
  #closed = false;
  #known = new Map();
  #links = new Set();

  constructor(options, ignored) {
    super();
    const { encoding } = options;
    if (encoding != null && typeof encoding !== 'string') {
      throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding);
    }
    this.#options = options;
    this.#ignored = ignored;
  }

  begin(filename) {
    const { statSync } = require('internal/fs/fs');
    this.#root = resolve(getValidatedPath(filename));
    let stats;
    try {
      stats = statSync(this.#root);
    } catch (error) {
      if (error.code === 'ENOENT' && this.#options.throwIfNoEntry === false) return;
      error.filename = filename;
      throw error;
    }
    this.#rootIsFile = stats.isFile();
    this.#add(this.#root);
    if (stats.isDirectory()) this.#scan(this.#root, false);
  }

  #add(file) {
    if (this.#closed || this.#known.has(file)) return;
    const { watch } = require('internal/fs/fs');
    const watcher = watch(file, { persistent: this.#options.persistent }, () => this.#look(file));
    watcher.on('error', (error) => this.emit('error', error));
    this.#known.set(file, watcher);
  }

  // Everything below a directory that is not known yet; new entries are told when `tell`.
  #scan(directory, tell) {
    const { readdirSync } = require('internal/fs/fs');
    let entries;
    try {
      entries = readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      if (error.code !== 'ENOENT') this.emit('error', error);
      return;
    }
    for (const entry of each(entries)) {
      if (this.#closed) return;
      this.#meet(join(directory, entry.name), entry, tell);
    }
  }

  #meet(file, entry, tell) {
    const name = relative(this.#root, file);
    if (this.#known.has(file) || this.#ignored(name)) return;
    if (tell) this.emit('change', 'rename', name);
    if (entry.isSymbolicLink()) this.#links.add(file);
    try {
      this.#add(file);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return;
    }
    if (entry.isDirectory()) this.#scan(file, tell);
  }

  #drop(file) {
    this.#links.delete(file);
    for (const [name, watcher] of eachEntry(this.#known)) {
      if (name !== file && !stringStartsWith.call(name, file + sep)) continue;
      watcher.close();
      this.#known.delete(name);
    }
  }

  #look(file) {
    if (this.#closed || !this.#known.has(file)) return;
    const { statSync } = require('internal/fs/fs');
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) {
      this.#drop(file);
      this.emit('change', 'rename', relative(this.#root, file));
    } else if (file === this.#root && this.#rootIsFile) {
      this.emit('change', 'change', basename(file));
    } else if (this.#links.has(file)) {
      this.emit('change', 'rename', relative(this.#root, file));
    } else if (stats.isDirectory()) {
      this.#scan(file, true);
    } else {
      this.emit('change', 'change', relative(this.#root, file));
    }
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const watcher of each(this.#known.values())) watcher.close();
    this.#known.clear();
    this.#links.clear();
    process.nextTick(() => this.emit('close'));
  }

  ref() {
    for (const watcher of each(this.#known.values())) watcher.ref();
    return this;
  }

  unref() {
    for (const watcher of each(this.#known.values())) watcher.unref();
    return this;
  }

  [Symbol.asyncIterator]() {
    const { signal } = this.#options;
    const next = () =>
      new Promise((settle, fail) => {
        const abort = () => {
          this.close();
          fail(new AbortError(undefined, { cause: signal.reason }));
        };
        if (signal?.aborted) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort, { once: true });
        this.once('change', (eventType, filename) => {
          signal?.removeEventListener('abort', abort);
          settle({ value: { eventType, filename }, done: false });
        });
      });
    return {
      next: () => (this.#closed ? Promise.resolve({ done: true, value: undefined }) : next()),
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

module.exports = { RecursiveWatcher };
