// natives: none
//
// fs.ReadStream and fs.WriteStream: a descriptor (opened here, given as a
// number, or borrowed from a FileHandle) under a stream. Programs replace the
// file operations by options.fs and, in old code, patch open(): both work.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { codes } = require('internal/errors/coded');
const { validateBoolean, validateFunction, validateInt32, validateInteger } = require('internal/util/validators');
const { copyObject, getOptions, isUrl, opens, validatePath } = require('internal/fs/utils');
const { Readable, Writable, finished } = require('internal/streams/stream');

const kOperations = Symbol('kFs');
const kBusy = Symbol('kIsPerformingIO');
const kIdle = Symbol('kIoDone');

// Old code overrides stream.open() and emits 'open' or 'error' itself: constructed when it does.
function constructByOpen(stream, callback) {
  const emit = stream.emit;
  stream.emit = function (name, ...values) {
    if (name === 'open') {
      this.emit = emit;
      callback();
    } else if (name === 'error') {
      this.emit = emit;
      return callback(values[0]);
    }
    return Reflect.apply(emit, this, [name, ...each(values)]);
  };
  stream.open();
}

function construct(callback) {
  if (typeof this.fd === 'number') {
    callback();
  } else if (typeof this.open === 'function') {
    constructByOpen(this, callback);
  } else {
    this[kOperations].open(this.path, this.flags, this.mode, (error, fd) => {
      if (error) {
        callback(error);
        return;
      }
      this.fd = fd;
      callback();
      this.emit('open', fd);
      this.emit('ready');
    });
  }
}

// The operations a stream needs, done through a FileHandle.
function handleOperations(handle) {
  const { kUnref } = require('internal/fs/file_handle');
  const relay = (promise, pick, callback, failed) =>
    promiseThen(
      promise,
      (result) => callback(null, ...each(pick(result))),
      (error) => callback(error, ...each(failed)),
    );
  return {
    open() {
      throw new codes.ERR_METHOD_NOT_IMPLEMENTED('open()');
    },
    close(fd, callback) {
      handle[kUnref]();
      promiseThen(handle.close(), () => callback(), callback);
    },
    fsync: (fd, callback) => promiseThen(handle.sync(), () => callback(), callback),
    read: (fd, buffer, offset, length, position, callback) =>
      relay(handle.read(buffer, offset, length, position), (r) => [r.bytesRead, r.buffer], callback, [0, buffer]),
    write: (fd, buffer, offset, length, position, callback) =>
      relay(handle.write(buffer, offset, length, position), (r) => [r.bytesWritten, r.buffer], callback, [0, buffer]),
    writev: (fd, buffers, position, callback) =>
      relay(handle.writev(buffers, position), (r) => [r.bytesWritten, r.buffers], callback, [0, buffers]),
  };
}

function borrowDescriptor(stream, options) {
  const { fd } = options;
  if (typeof fd === 'number') {
    stream[kOperations] = options.fs || require('internal/fs/fs');
    return fd;
  }
  const { FileHandle, kRef } = require('internal/fs/file_handle');
  if (!(fd instanceof FileHandle)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], fd);
  }
  if (options.fs) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
  stream[kOperations] = handleOperations(fd);
  fd[kRef]();
  fd.on('close', functionBind.call(stream.close, stream));
  return fd.fd;
}

// Common part of both constructors: path, descriptor and operations.
function prepare(stream, path, options, flags) {
  if (options.fd == null) {
    stream.fd = null;
    stream[kOperations] = options.fs || require('internal/fs/fs');
    validateFunction(stream[kOperations].open, 'options.fs.open');
    stream.path = isUrl(path) ? require('internal/url/url').fileURLToPath(path) : path;
    stream.flags = options.flags === undefined ? flags : options.flags;
    stream.mode = options.mode === undefined ? 0o666 : options.mode;
    validatePath(stream.path);
    if (opens.note !== null) opens.note(); // the file is opened in a tick, where the program is not on the stack
  } else {
    stream.fd = borrowDescriptor(stream, options);
    validateInt32(stream.fd, 'fd', 0);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  if (options.autoDestroy) validateFunction(stream[kOperations].close, 'options.fs.close');
  stream[kBusy] = false;
}

function closeDescriptor(stream, error, callback) {
  if (!stream.fd) {
    callback(error);
    return;
  }
  const { fd } = stream;
  const operations = stream[kOperations];
  const close = (failure) => {
    operations.close(fd, (closeError) => callback(closeError || failure));
    stream.fd = null;
  };
  if (stream.flush) operations.fsync(fd, (flushError) => close(error || flushError));
  else close(error);
}

// A descriptor in use is not closed under the operation: another file could get its number.
function destroy(error, callback) {
  if (this[kBusy]) this.once(kIdle, (failure) => closeDescriptor(this, error || failure, callback));
  else closeDescriptor(this, error, callback);
}

function defineCommon(Stream, stateName) {
  Object.defineProperties(Stream.prototype, {
    autoClose: {
      get() {
        checkThis(this, Stream);
        return this[stateName].autoDestroy;
      },
      set(value) {
        checkThis(this, Stream);
        this[stateName].autoDestroy = value;
      },
    },
    pending: {
      get() {
        return this.fd === null;
      },
      configurable: true,
    },
  });
  Stream.prototype._construct = construct;
  Stream.prototype._destroy = destroy;
}

function checkThis(object, Stream) {
  if (typeof object !== 'object' || object === null || !(kOperations in object)) {
    throw new codes.ERR_INVALID_THIS(Stream.name);
  }
}

function ReadStream(path, given) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, given);
  const options = copyObject(getOptions(given));
  options.highWaterMark ??= 64 * 1024;
  prepare(this, path, options, 'r');
  validateFunction(this[kOperations].read, 'options.fs.read');
  this.start = options.start;
  this.end = options.end;
  this.pos = undefined;
  this.bytesRead = 0;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end === undefined) {
    this.end = Infinity;
  } else if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Reflect.apply(Readable, this, [options]);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);
defineCommon(ReadStream, '_readableState');

ReadStream.prototype._read = function (wanted) {
  const position = this.pos !== undefined ? this.pos : this.bytesRead;
  const size = Math.min(this.end - position + 1, wanted);
  if (size <= 0) {
    this.push(null);
    return;
  }
  this[kBusy] = true;
  this[kOperations].read(this.fd, Buffer.allocUnsafeSlow(size), 0, size, this.pos, (error, count, buffer) => {
    this[kBusy] = false;
    if (this.destroyed) this.emit(kIdle, error);
    else if (error) require('internal/streams/destroy').errorOrDestroy(this, error);
    else takeRead(this, count, buffer);
  });
};

function takeRead(stream, count, buffer) {
  if (count <= 0) {
    stream.push(null);
    return;
  }
  if (stream.pos !== undefined) stream.pos += count;
  stream.bytesRead += count;
  // A short read must not keep a large buffer alive.
  stream.push(count === buffer.length ? buffer : shortened(buffer, count));
}

function shortened(buffer, count) {
  const copy = Buffer.allocUnsafeSlow(count);
  bytesSet.call(copy, bytesSubarray.call(buffer, 0, count));
  return copy;
}

ReadStream.prototype.close = function (callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

function checkWriters(operations, options) {
  const { write, writev } = operations;
  if (!write && !writev) throw new codes.ERR_INVALID_ARG_TYPE('options.fs.write', 'function', write);
  if (write) validateFunction(write, 'options.fs.write');
  if (writev) validateFunction(writev, 'options.fs.writev');
}

function WriteStream(path, given) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, given);
  const options = copyObject(getOptions(given));
  options.decodeStrings = true;
  prepare(this, path, options, 'w');
  checkWriters(this[kOperations], options);
  this.flush = options.flush ?? false;
  if (options.flush != null) {
    validateBoolean(this.flush, 'options.flush');
    validateFunction(this[kOperations].fsync, 'options.fs.fsync');
  }
  if (!this[kOperations].write) this._write = null;
  if (!this[kOperations].writev) this._writev = null;
  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  Reflect.apply(Writable, this, [options]);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);
defineCommon(WriteStream, '_writableState');

// Goes on until all is written; five answers of "nothing written" are one too many.
function writeAll(stream, name, write, size, position, callback, retries = 0) {
  write(position, (error, count) => {
    if (error?.code === 'EAGAIN') {
      error = null;
      count = 0;
    }
    if (stream.destroyed || error) {
      callback(error || new codes.ERR_STREAM_DESTROYED(name));
      return;
    }
    stream.bytesWritten += count;
    const tries = count ? 0 : retries + 1;
    if (tries > 5) {
      callback(new Error(`${name} failed`));
    } else if (size > count) {
      writeAll(stream, name, write, size - count, position === undefined ? undefined : position + count, callback, tries);
    } else {
      callback();
    }
  });
}

function startWrite(stream, name, write, size, callback) {
  stream[kBusy] = true;
  writeAll(stream, name, write, size, stream.pos, (error) => {
    stream[kBusy] = false;
    callback(error);
    if (stream.destroyed) stream.emit(kIdle, error);
  });
  if (stream.pos !== undefined) stream.pos += size;
}

WriteStream.prototype._write = function (data, encoding, callback) {
  let rest = data;
  const write = (position, done) =>
    this[kOperations].write(this.fd, rest, 0, rest.length, position, (error, count) => {
      if (!error) rest = rest.subarray(count);
      done(error, count);
    });
  startWrite(this, 'write', write, data.length, callback);
};

WriteStream.prototype._writev = function (entries, callback) {
  let chunks = arrayMap.call(entries, ({ chunk }) => chunk);
  const size = arrayReduce.call(chunks, (sum, chunk) => sum + chunk.length, 0);
  const write = (position, done) =>
    this[kOperations].writev(this.fd, chunks, position, (error, count) => {
      if (!error && count < arrayReduce.call(chunks, (sum, chunk) => sum + chunk.length, 0))
        chunks = [Buffer.concat(chunks).subarray(count)];
      done(error, count);
    });
  startWrite(this, 'writev', write, size, callback);
};

WriteStream.prototype.close = function (callback) {
  if (callback) {
    if (this.closed) {
      process.nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};

// Files have no half-closed state.
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

module.exports = { ReadStream, WriteStream };
