// natives: fs
//
// fs.Dir and opendir. A directory is read as a whole when it is opened; entries
// are handed out one by one. Recursive reading opens a directory when its
// entry is handed out.

'use strict';

const binding = native('fs');
const { codes } = require('internal/errors/coded');
const { validateFunction, validateUint32 } = require('internal/util/validators');
const { Dirent } = require('internal/fs/stats');
const { joinName } = require('internal/fs/readdir');
const { askBytes, getOptions, getValidatedPath, inEncoding } = require('internal/fs/utils');

const defaults = Object.freeze({ encoding: 'utf8' });

class Dir {
  #path;
  #options;
  #entries = [];
  #next = 0;
  #closed = false;
  #pending = 0;

  constructor(listing, path, options) {
    if (listing == null) throw new codes.ERR_MISSING_ARGS('handle');
    this.#path = path;
    this.#options = { bufferSize: 32, ...getOptions(options, defaults) };
    validateUint32(this.#options.bufferSize, 'options.bufferSize', true);
    this.#add(path, listing);
  }

  #add(directory, listing) {
    const [names, types] = each(listing);
    for (let i = 0; i < names.length; i++) {
      arrayPush.call(this.#entries, new Dirent(inEncoding(names[i], this.#options.encoding), types[i], directory));
    }
  }

  #take() {
    if (this.#next === this.#entries.length) return null;
    const entry = this.#entries[this.#next++];
    if (this.#options.recursive && entry.isDirectory()) {
      const full = joinName(entry.parentPath, entry.name);
      this.#add(full, binding.opendir(full, askBytes(this.#options.encoding)));
    }
    return entry;
  }

  get path() {
    if (!(#path in this)) throw new codes.ERR_INVALID_THIS('Dir');
    return this.#path;
  }

  read(callback) {
    if (this.#closed) {
      const error = new codes.ERR_DIR_CLOSED();
      if (arguments.length === 0) return Promise.reject(error);
      throw error;
    }
    if (callback === undefined)
      return new Promise((resolve, reject) => this.#later((error, entry) => (error ? reject(error) : resolve(entry))));
    validateFunction(callback, 'callback');
    return this.#later(callback);
  }

  #later(callback) {
    this.#pending++;
    process.nextTick(() => {
      this.#pending--;
      let entry;
      try {
        entry = this.#take();
      } catch (error) {
        callback(error);
        return;
      }
      callback(null, entry);
    });
  }

  readSync() {
    if (this.#closed) throw new codes.ERR_DIR_CLOSED();
    if (this.#pending !== 0) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    return this.#take();
  }

  close(callback) {
    if (callback === undefined) {
      if (this.#closed) return Promise.reject(new codes.ERR_DIR_CLOSED());
      return new Promise((resolve) => this.close(resolve));
    }
    validateFunction(callback, 'callback');
    if (this.#closed) {
      process.nextTick(callback, new codes.ERR_DIR_CLOSED());
      return undefined;
    }
    this.#closed = true;
    // Reads asked for before this are answered first: the queue keeps order.
    process.nextTick(callback, null);
    return undefined;
  }

  closeSync() {
    if (this.#closed) throw new codes.ERR_DIR_CLOSED();
    if (this.#pending !== 0) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    this.#closed = true;
  }

  async *entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      if (!this.#closed) await this.close();
    }
  }

  [Symbol.dispose]() {
    if (!this.#closed) this.closeSync();
  }

  async [Symbol.asyncDispose]() {
    if (!this.#closed) await this.close();
  }
}
Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  value: Dir.prototype.entries,
  enumerable: false,
  writable: true,
  configurable: true,
});

function opendir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'callback');
  path = getValidatedPath(path);
  const given = getOptions(options, defaults);
  binding.opendir(path, askBytes(given.encoding), (error, listing) => {
    let directory;
    try {
      if (error) throw error;
      directory = new Dir(listing, path, given);
    } catch (failure) {
      callback(failure);
      return;
    }
    callback(null, directory);
  });
}

function opendirSync(path, options) {
  path = getValidatedPath(path);
  const given = getOptions(options, defaults);
  return new Dir(binding.opendir(path, askBytes(given.encoding)), path, given);
}

module.exports = { Dir, opendir, opendirSync };
