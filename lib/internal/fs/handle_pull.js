// natives: none
// FileHandle.pull(), pullSync() and writer(): a file as batches of bytes for node:stream/iter. Only with --experimental-stream-iter.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { validateAbortSignal, validateBoolean, validateInteger } = require('internal/util/validators');
const { parseTransforms } = require('internal/streams/iter/chunks');
const { kCloseSync, kLock, kUnlock } = require('internal/fs/file_handle');

const kChunkSize = 128 * 1024;

// Which bytes are left to read, and where they begin; without a start the descriptor's own position counts.
class Range {
  constructor({ start, limit, chunkSize = kChunkSize }) {
    if (start !== undefined) validateInteger(start, 'options.start', 0);
    if (limit !== undefined) validateInteger(limit, 'options.limit', 1);
    validateInteger(chunkSize, 'options.chunkSize', 1);
    this.position = start ?? null;
    this.left = limit ?? Infinity;
    this.chunkSize = chunkSize;
  }

  buffer() {
    return Buffer.allocUnsafe(Math.min(this.chunkSize, this.left));
  }

  // The batch of a read of so many bytes.
  take(buffer, bytesRead) {
    if (this.position !== null) this.position += bytesRead;
    this.left -= bytesRead;
    return [bytesRead < buffer.length ? buffer.subarray(0, bytesRead) : buffer];
  }
}

function pull(...args) {
  const handle = this;
  const fd = handle[kLock](false);
  const { transforms, options = {} } = parseTransforms(args);
  const { autoClose = false, signal } = options;
  validateBoolean(autoClose, 'options.autoClose');
  const range = new Range(options);
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  handle[kLock](true);
  const { read } = require('internal/fs/handle_calls');
  const source = {
    __proto__: null,
    async *[Symbol.asyncIterator]() {
      try {
        while (range.left > 0) {
          signal?.throwIfAborted();
          const buffer = range.buffer();
          const { bytesRead } = await read({ fd }, buffer, 0, buffer.length, range.position);
          if (bytesRead === 0) break;
          yield range.take(buffer, bytesRead);
        }
      } finally {
        handle[kUnlock]();
        if (autoClose) await handle.close();
      }
    },
  };
  if (transforms.length === 0) return source;
  return require('internal/streams/iter/pull').pull(source, ...each(transforms), options);
}

function pullSync(...args) {
  const handle = this;
  const fd = handle[kLock](false);
  const { transforms, options = {} } = parseTransforms(args);
  const { autoClose = false } = options;
  validateBoolean(autoClose, 'options.autoClose');
  const range = new Range(options);
  handle[kLock](true);
  const { readSync } = require('internal/fs/sync');
  let isDone = false;
  const finish = () => {
    if (!isDone) {
      isDone = true;
      handle[kUnlock]();
      if (autoClose) handle[kCloseSync]();
    }
    return { done: true, value: undefined };
  };
  const next = () => {
    if (isDone || range.left === 0) return finish();
    const buffer = range.buffer();
    let bytesRead;
    try {
      bytesRead = readSync(fd, buffer, 0, buffer.length, range.position);
    } catch (error) {
      finish();
      throw error;
    }
    return bytesRead === 0 ? finish() : { done: false, value: range.take(buffer, bytesRead) };
  };
  const source = { __proto__: null, [Symbol.iterator]: () => ({ __proto__: null, next, return: finish }) };
  return transforms.length === 0 ? source : require('internal/streams/iter/pull').pullSync(source, ...each(transforms));
}

function writer(options = {}) {
  const { HandleWriter } = require('internal/fs/handle_writer');
  return new HandleWriter(this, options);
}

function install(FileHandle) {
  for (const [name, value] of eachEntry([
    ['pull', pull],
    ['pullSync', pullSync],
    ['writer', writer],
  ])) {
    Object.defineProperty(FileHandle.prototype, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  }
}

module.exports = { install };
