// natives: fs, messaging, structured_clone
//
// FileHandle, what fs.promises.open resolves to. Each operation holds a
// reference while it runs, so that close() waits for those under way; after it
// the descriptor is gone and every method rejects with EBADF.

'use strict';

const binding = native('fs');
const EventEmitter = require('internal/events/events');
const { codes } = require('internal/errors/coded');
const { validateBoolean, validateObject } = require('internal/util/validators');
const calls = require('internal/fs/handle_calls');

const { kTransfer } = require('internal/symbols/messaging');

const kRef = Symbol('kRef');
const kUnref = Symbol('kUnref');
const kLock = Symbol('kLock');
const kUnlock = Symbol('kUnlock');
const kCloseSync = Symbol('kCloseSync');

class FileHandle extends EventEmitter {
  #fd;
  #references = 1;
  #closing = null;
  #isTransferred = false;
  #locked = false;
  #settle;

  constructor(fd) {
    super();
    if (!hasLookedForOption) addMethodsByOption();
    this.#fd = fd ?? -1;
  }

  static isFileHandle(value) {
    return typeof value === 'object' && value !== null && #fd in value;
  }

  get fd() {
    return this.#fd;
  }

  async #use(operation, ...parameters) {
    if (this.#fd === -1) {
      const message = this.#isTransferred ? 'The FileHandle has been transferred' : 'file closed';
      throw Object.assign(new Error(message), { code: 'EBADF', syscall: operation.name });
    }
    this[kRef]();
    try {
      return await operation(this, ...each(parameters));
    } finally {
      this[kUnref]();
    }
  }

  appendFile(data, options) {
    return this.#use(calls.writeFile, data, options);
  }
  chmod(mode) {
    return this.#use(calls.fchmod, mode);
  }
  chown(uid, gid) {
    return this.#use(calls.fchown, uid, gid);
  }
  datasync() {
    return this.#use(calls.fdatasync);
  }
  sync() {
    return this.#use(calls.fsync);
  }
  read(buffer, offset, length, position) {
    return this.#use(calls.read, buffer, offset, length, position);
  }
  readv(buffers, position) {
    return this.#use(calls.readv, buffers, position);
  }
  readFile(options) {
    return this.#use(calls.readFile, options);
  }
  stat(options) {
    return this.#use(calls.fstat, options);
  }
  truncate(len = 0) {
    return this.#use(calls.ftruncate, len);
  }
  utimes(atime, mtime) {
    return this.#use(calls.futimes, atime, mtime);
  }
  write(buffer, offset, length, position) {
    return this.#use(calls.write, buffer, offset, length, position);
  }
  writev(buffers, position) {
    return this.#use(calls.writev, buffers, position);
  }
  writeFile(data, options) {
    return this.#use(calls.writeFile, data, options);
  }

  [kTransfer]() {
    if (this.#references !== 1 || this.#locked || this.#closing) throw cloneError('Cannot transfer FileHandle while in use');
    if (this.#fd === -1) throw cloneError('Cannot transfer FileHandle that is closed');
    const fd = this.#fd;
    this.#fd = -1;
    this.#isTransferred = true;
    this.#references = 0;
    return { data: native('messaging').carryFile(fd), deserializeInfo: 'internal/fs/file_handle:ReceivedFileHandle' };
  }

  #closeDescriptor() {
    const fd = this.#fd;
    this.#fd = -1;
    return new Promise((resolve, reject) => binding.close(fd, (error) => (error ? reject(error) : resolve())));
  }

  close = () => {
    if (this.#fd === -1) return Promise.resolve();
    if (this.#closing) return this.#closing;
    this.#references--;
    const closed =
      this.#references === 0
        ? this.#closeDescriptor()
        : new Promise((resolve, reject) => {
            this.#settle = { resolve, reject };
          });
    this.#closing = promiseFinally(closed, () => {
      this.#closing = undefined;
      this.#settle = undefined;
    });
    this.emit('close');
    return this.#closing;
  };

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  [kRef]() {
    this.#references++;
  }

  [kUnref]() {
    if (--this.#references !== 0) return;
    const waiting = this.#settle;
    promiseThen(this.#closeDescriptor(), waiting?.resolve, waiting?.reject);
  }

  readLines(options = undefined) {
    const { Interface } = requireLater('internal/readline/readline');
    return new Interface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  createReadStream(options = undefined) {
    const { ReadStream } = require('internal/fs/streams');
    return new ReadStream(undefined, { ...options, fd: this });
  }

  createWriteStream(options = undefined) {
    const { WriteStream } = require('internal/fs/streams');
    return new WriteStream(undefined, { ...options, fd: this });
  }

  #checkFree() {
    const refuse = (what) => new codes.ERR_INVALID_STATE(`The FileHandle is ${what}`);
    if (this.#fd === -1) throw refuse('closed');
    if (this.#closing) throw refuse('closing');
    if (this.#locked) throw refuse('locked');
  }

  // The descriptor of a handle that is free to be read by one reader; `takes` makes the caller that reader, until kUnlock.
  [kLock](takes) {
    this.#checkFree();
    if (takes) {
      this.#locked = true;
      this[kRef]();
    }
    return this.#fd;
  }

  [kUnlock]() {
    this.#locked = false;
    this[kUnref]();
  }

  [kCloseSync]() {
    if (this.#fd === -1) return;
    this.#references--;
    const fd = this.#fd;
    this.#fd = -1;
    require('internal/fs/sync').closeSync(fd);
    this.emit('close');
  }

  readableWebStream(options = {}) {
    this.#checkFree();
    this.#locked = true;
    validateObject(options, 'options');
    const { type = 'bytes', autoClose = false } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (type !== 'bytes') {
      process.emitWarning('A non-"bytes" options.type has no effect. A byte-oriented steam is always created.', 'ExperimentalWarning');
    }
    return this.#webStream(autoClose);
  }

  #webStream(autoClose) {
    const handle = this;
    const done = async () => {
      handle[kUnref]();
      if (autoClose) await handle.close();
    };
    const stream = new (require('internal/webstreams/readable_stream').ReadableStream)({
      type: 'bytes',
      autoAllocateChunkSize: 16384,
      async pull(controller) {
        const { view } = controller.byobRequest;
        const { bytesRead } = await handle.read(view, 0, view.byteLength);
        if (bytesRead === 0) {
          controller.close();
          await done();
        }
        controller.byobRequest.respond(bytesRead);
      },
      cancel: done,
    });
    this[kRef]();
    this.once('close', () => {
      promiseThen(require('internal/webstreams/readable_stream').cancelLocked(stream), undefined, () => {});
    });
    return stream;
  }
}

// Before the first handle: options are read above this layer.
let hasLookedForOption = false;
function addMethodsByOption() {
  hasLookedForOption = true;
  if (requireLater('internal/process/options').getOptionValue('--experimental-stream-iter')) {
    require('internal/fs/handle_pull').install(FileHandle);
  }
}

function cloneError(message) {
  return require('internal/messaging/structured_clone').cloneError(message);
}

const { setMode, kTransferable } = native('structured_clone');
setMode(FileHandle.prototype, kTransferable); // and not cloned

// The receiving end of a transfer, for structured clone.
function ReceivedFileHandle(carried) {
  return new FileHandle(native('messaging').takeFile(carried));
}

module.exports = { ReceivedFileHandle, FileHandle, kCloseSync, kLock, kRef, kUnlock, kUnref };
