// natives: none
//
// fs.Utf8Stream: a fast writer of text (or bytes) to one file, for logs. Small
// writes are gathered into chunks of at most maxWrite; one write is under way
// at a time. Not a node:stream: its events are ready, write, drain, drop,
// finish, close, error.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const path = require('internal/path/path');
const EventEmitter = require('internal/events/events');
const { codes } = require('internal/errors/coded');
const {
  validateBoolean,
  validateFunction,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/util/validators');

const retryDelay = 100;
const defaultWrite = 16 * 1024;
const operationNames = ['write', 'writeSync', 'fsync', 'fsyncSync', 'close', 'open', 'mkdir', 'mkdirSync'];

// How chunks of one kind are gathered, merged, written and cut.
const text = {
  empty: '',
  check: (data) => validateString(data, 'data'),
  start: (data) => '' + data,
  add: (chunk, data) => chunk + data,
  size: (chunk) => chunk.length,
  merge: (chunk) => chunk,
  write: (fs, fd, data, done) => fs.write(fd, data, 'utf8', done),
  writeSync: (fs, fd, data) => fs.writeSync(fd, data, 'utf8'),
  // The system counts bytes, we count characters; a character cut in two is written again whole.
  cut(data, bytes) {
    const encoded = Buffer.from(data);
    let count = bytes;
    while (count > 0 && count < encoded.length && (encoded[count] & 0xc0) === 0x80) count--;
    const characters = count === encoded.length ? data.length : encoded.subarray(0, count).toString().length;
    return { rest: stringSlice.call(data, characters), released: characters };
  },
};

const bytes = {
  empty: Buffer.alloc(0),
  check(data) {
    if (!Buffer.isBuffer(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', 'Buffer', data);
  },
  start: (data) => [data],
  add: (chunk, data) => (arrayPush.call(chunk, data), chunk),
  size: (chunk) => arrayReduce.call(chunk, (sum, part) => sum + part.length, 0),
  merge: (chunk) => (chunk.length === 1 ? chunk[0] : Buffer.concat(chunk)),
  write: (fs, fd, data, done) => fs.write(fd, data, done),
  writeSync: (fs, fd, data) => fs.writeSync(fd, data),
  cut: (data, count) => ({ rest: data.subarray(count), released: count }),
};

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function readOptions(options) {
  validateObject(options, 'options');
  const { append = true, contentMode = 'utf8', fs: overrides = {} } = options;
  validateObject(overrides, 'options.fs');
  const fs = { ...require('internal/fs/fs'), ...overrides };
  for (const name of each(operationNames)) validateFunction(fs[name], `options.fs.${name}`);
  const given = {
    fs,
    contentMode,
    append: append || false,
    mode: options.mode,
    minLength: options.minLength || 0,
    maxLength: options.maxLength || 0,
    maxWrite: options.maxWrite || defaultWrite,
    periodicFlush: options.periodicFlush || 0,
    sync: options.sync || false,
    fsync: options.fsync || false,
    mkdir: options.mkdir || false,
    retryEAGAIN: options.retryEAGAIN || (() => true),
  };
  for (const name of each(['minLength', 'maxLength', 'maxWrite', 'periodicFlush'])) validateUint32(given[name], `options.${name}`);
  for (const name of each(['sync', 'fsync', 'append', 'mkdir'])) validateBoolean(given[name], `options.${name}`);
  validateFunction(given.retryEAGAIN, 'options.retryEAGAIN');
  validateOneOf(contentMode, 'options.contentMode', ['buffer', 'utf8']);
  return given;
}

class Utf8Stream extends EventEmitter {
  #options;
  #content;
  #fs;
  #fd = -1;
  #file = null;
  #chunks = [];
  #current;
  #length = 0;
  #highWaterMark;
  #writing = false;
  #opening = false;
  #reopening = false;
  #ending = false;
  #destroyed = false;
  #flushPending = false;
  #drainScheduled = false;
  #timer;

  constructor(options = {}) {
    const given = readOptions(options);
    super();
    this.#options = given;
    this.#fs = given.fs;
    this.#content = given.contentMode === 'buffer' ? bytes : text;
    this.#current = this.#content.empty;
    this.#highWaterMark = Math.max(given.minLength, 16387);
    const target = options.fd ?? options.dest;
    if (typeof target === 'number') {
      this.#fd = target;
      process.nextTick(() => this.emit('ready'));
    } else if (typeof target === 'string') {
      this.#open(target);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'string'], target);
    }
    if (given.minLength >= given.maxWrite) {
      throw new codes.ERR_INVALID_ARG_VALUE.RangeError('minLength', given.minLength, `should be smaller than maxWrite (${given.maxWrite})`);
    }
    this.on('newListener', (name) => {
      if (name === 'drain') this.#drainScheduled = false;
    });
    if (given.periodicFlush !== 0) {
      this.#timer = setInterval(() => this.flush(() => {}), given.periodicFlush);
      this.#timer.unref();
    }
  }

  get mode() {
    return this.#options.mode;
  }
  get file() {
    return this.#file;
  }
  get fd() {
    return this.#fd;
  }
  get minLength() {
    return this.#options.minLength;
  }
  get maxLength() {
    return this.#options.maxLength;
  }
  get writing() {
    return this.#writing;
  }
  get sync() {
    return this.#options.sync;
  }
  get fsync() {
    return this.#options.fsync;
  }
  get append() {
    return this.#options.append;
  }
  get periodicFlush() {
    return this.#options.periodicFlush;
  }
  get contentMode() {
    return this.#options.contentMode;
  }
  get mkdir() {
    return this.#options.mkdir;
  }
  [Symbol.dispose]() {
    this.destroy();
  }

  #mustLive() {
    if (this.#destroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
  }

  write(data) {
    this.#mustLive();
    const content = this.#content;
    content.check(data);
    const length = this.#length + data.length;
    if (this.maxLength && length > this.maxLength) {
      this.emit('drop', data);
      return this.#length < this.#highWaterMark;
    }
    const last = this.#chunks.length - 1;
    if (last < 0 || content.size(this.#chunks[last]) + data.length > this.#options.maxWrite)
      arrayPush.call(this.#chunks, content.start(data));
    else this.#chunks[last] = content.add(this.#chunks[last], data);
    this.#length = length;
    if (!this.#writing && length >= this.minLength) this.#writeNext();
    return this.#length < this.#highWaterMark;
  }

  #writeNext() {
    this.#writing = true;
    if (this.#current.length === 0) {
      const chunk = arrayShift.call(this.#chunks);
      this.#current = chunk === undefined ? this.#content.empty : this.#content.merge(chunk);
    }
    this.#submit();
  }

  #submit() {
    if (!this.sync) {
      this.#content.write(this.#fs, this.#fd, this.#current, (error, count) => this.#written(error, count));
      return;
    }
    let count;
    try {
      count = this.#content.writeSync(this.#fs, this.#fd, this.#current);
    } catch (error) {
      this.#written(error);
      return;
    }
    this.#written(null, count);
  }

  #release(count) {
    const { rest, released } = this.#content.cut(this.#current, count);
    this.#current = rest;
    this.#length = Math.max(this.#length - released, 0);
  }

  #isBusy(error, size) {
    return (error.code === 'EAGAIN' || error.code === 'EBUSY') && this.#options.retryEAGAIN(error, size, this.#length - size);
  }

  #written(error, count) {
    if (error) {
      this.#failed(error);
      return;
    }
    this.emit('write', count);
    this.#release(count);
    if (this.#current.length > 0) {
      if (!this.sync) {
        this.#submit();
        return;
      }
      try {
        while (this.#current.length > 0) this.#release(this.#content.writeSync(this.#fs, this.#fd, this.#current));
      } catch (failure) {
        this.#written(failure);
        return;
      }
    }
    if (this.fsync) this.#fs.fsyncSync(this.#fd);
    this.#afterWrite();
  }

  #failed(error) {
    if (!this.#isBusy(error, this.#current.length)) {
      this.#writing = false;
      this.emit('error', error);
    } else if (this.sync) {
      sleep(retryDelay);
      this.#written(null, 0);
    } else {
      setTimeout(() => this.#submit(), retryDelay);
    }
  }

  #afterWrite() {
    if (this.#reopening) {
      this.#writing = false;
      this.#reopening = false;
      this.reopen();
    } else if (this.#length > this.minLength || (this.#ending && this.#length > 0)) {
      this.#writeNext();
    } else if (this.#ending) {
      this.#writing = false;
      this.#close();
    } else {
      this.#writing = false;
      this.#drained();
    }
  }

  #drained() {
    if (!this.sync) {
      this.emit('drain');
    } else if (!this.#drainScheduled) {
      this.#drainScheduled = true;
      process.nextTick(() => {
        if (this.listenerCount('drain') === 0) return;
        this.#drainScheduled = false;
        this.emit('drain');
      });
    }
  }

  flush(callback = () => {}) {
    validateFunction(callback, 'cb');
    if (this.#destroyed) {
      callback(new codes.ERR_INVALID_STATE('Utf8Stream is destroyed'));
      return;
    }
    if (this.minLength <= 0) {
      callback();
      return;
    }
    this.#callAfterDrain(callback);
    if (this.#writing) return;
    if (this.#chunks.length === 0) arrayPush.call(this.#chunks, this.#content.start(this.#content.empty));
    this.#writeNext();
  }

  #callAfterDrain(callback) {
    this.#flushPending = true;
    const finish = (error) => {
      this.#flushPending = false;
      // Closed in the meantime: nothing left to sync.
      if (error?.code === 'EBADF') callback();
      else callback(error);
    };
    const onDrain = () => {
      this.off('error', onError);
      if (this.fsync || this.#destroyed) {
        this.#flushPending = false;
        callback();
        return;
      }
      try {
        this.#fs.fsync(this.#fd, finish);
      } catch (error) {
        this.#flushPending = false;
        callback(error);
      }
    };
    const onError = (error) => {
      this.off('drain', onDrain);
      this.#flushPending = false;
      callback(error);
    };
    this.once('drain', onDrain);
    this.once('error', onError);
  }

  flushSync() {
    this.#mustLive();
    if (this.#fd < 0) throw new codes.ERR_INVALID_STATE('Invalid file descriptor');
    if (!this.#writing && this.#current.length > 0) {
      arrayUnshift.call(this.#chunks, this.#content.start(this.#current));
      this.#current = this.#content.empty;
    }
    while (this.#chunks.length > 0) {
      this.#flushChunk(this.#content.merge(this.#chunks[0]));
      arrayShift.call(this.#chunks);
    }
    if (this.#content === bytes) return;
    try {
      this.#fs.fsyncSync(this.#fd);
    } catch {
      // Pipes and terminals cannot be synced, and need not be.
    }
  }

  #flushChunk(data) {
    while (data.length > 0) {
      let count;
      try {
        count = this.#content.writeSync(this.#fs, this.#fd, data);
      } catch (error) {
        const busy = error.code === 'EAGAIN' || error.code === 'EBUSY';
        if (!busy || !this.#isBusy(error, data.length)) throw error;
        sleep(retryDelay);
        continue;
      }
      const { rest, released } = this.#content.cut(data, count);
      data = rest;
      this.#length = Math.max(this.#length - released, 0);
    }
  }

  reopen(file) {
    this.#mustLive();
    if (this.#opening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#ending) return;
    if (!this.#file) {
      throw new codes.ERR_OPERATION_FAILED('Unable to reopen a file descriptor, you must pass a file to SonicBoom');
    }
    if (file) this.#file = file;
    this.#reopening = true;
    if (this.#writing) return;
    const old = this.#fd;
    this.once('ready', () => {
      if (old === this.#fd) return;
      this.#fs.close(old, (error) => {
        if (error) this.emit('error', error);
      });
    });
    this.#open(this.#file);
  }

  #open(file) {
    this.#opening = true;
    this.#writing = true;
    this.#drainScheduled = false;
    const flags = this.append ? 'a' : 'w';
    const directory = path.dirname(file);
    if (this.sync) {
      try {
        if (this.mkdir) this.#fs.mkdirSync(directory, { recursive: true });
        this.#opened(file, null, this.#fs.openSync(file, flags, this.mode));
      } catch (error) {
        this.#opened(file, error);
        throw error;
      }
      return;
    }
    const open = () => this.#fs.open(file, flags, this.mode, (error, fd) => this.#opened(file, error, fd));
    if (this.mkdir) this.#fs.mkdir(directory, { recursive: true }, (error) => (error ? this.#opened(file, error) : open()));
    else open();
  }

  #opened(file, error, fd) {
    const reopening = this.#reopening;
    this.#reopening = false;
    this.#opening = false;
    this.#writing = false;
    const tell = (name, value) => {
      if (!this.sync) this.emit(name, value);
      else process.nextTick(() => (name !== 'error' || this.listenerCount('error') > 0) && this.emit(name, value));
    };
    if (error) {
      tell('error', error);
      return;
    }
    this.#fd = fd;
    this.#file = file;
    tell('ready');
    if (this.#destroyed) return;
    if ((!this.#writing && this.#length > this.minLength) || this.#flushPending) this.#writeNext();
    else if (reopening) process.nextTick(() => this.emit('drain'));
  }

  end() {
    this.#mustLive();
    if (this.#opening) {
      this.once('ready', () => this.end());
      return;
    }
    if (this.#ending) return;
    this.#ending = true;
    if (this.#writing) return;
    if (this.#length > 0 && this.#fd >= 0) this.#writeNext();
    else this.#close();
  }

  destroy() {
    if (!this.#destroyed) this.#close();
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    clearInterval(this.#timer);
    this.#destroyed = true;
    this.#chunks = [];
    const done = (error) => {
      if (error) {
        this.emit('error', error);
        return;
      }
      if (this.#ending && !this.#writing) this.emit('finish');
      this.emit('close');
    };
    const close = () => {
      if (this.#fd === 1 || this.#fd === 2) done();
      else this.#fs.close(this.#fd, done);
    };
    try {
      this.#fs.fsync(this.#fd, close);
    } catch {
      // A replaced fsync may throw; then the descriptor stays open, as in Node.
    }
  }
}

module.exports = { Utf8Stream };
