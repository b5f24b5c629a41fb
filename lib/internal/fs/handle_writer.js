// natives: none
// FileHandle.writer(): a file as the end of a pipe of node:stream/iter. The ...Sync methods answer false where the program is to take the
// asynchronous ones: a write is under way, a chunk is large, the kernel would not take it. Only with --experimental-stream-iter.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_STATE, ERR_OPERATION_FAILED, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateBoolean, validateInteger, validateObject } = require('internal/util/validators');
const { chunkOf, chunksOf } = require('internal/streams/iter/chunks');
const { kCloseSync, kLock, kRef, kUnlock, kUnref } = require('internal/fs/file_handle');

const kSyncBytes = 128 * 1024;
const kMostRetries = 5;

const joined = (chunks) => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
const behind = (position, offset) => (position === null ? null : position + offset);

class HandleWriter {
  #handle;
  #fd;
  #autoClose;
  #syncBytes;
  #position; // null: the descriptor's own
  #left; // bytes that may still be written
  #written = 0;
  #retries = 0; // writes in a row of which the kernel took nothing
  #isClosed = false;
  #isWriting = false;
  #error;
  #ending;

  constructor(handle, options) {
    this.#fd = handle[kLock](false);
    validateObject(options, 'options');
    const { autoClose = false, start, limit, chunkSize = kSyncBytes } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (start !== undefined) validateInteger(start, 'options.start', 0);
    if (limit !== undefined) validateInteger(limit, 'options.limit', 1);
    validateInteger(chunkSize, 'options.chunkSize', 1);
    this.#handle = handle;
    this.#autoClose = autoClose;
    this.#syncBytes = chunkSize;
    this.#position = start ?? null;
    this.#left = limit ?? Infinity;
    handle[kLock](true);
  }

  #count(bytes) {
    this.#retries = bytes === 0 ? this.#retries + 1 : 0;
    if (this.#retries > kMostRetries) throw new ERR_OPERATION_FAILED('write failed after retries');
    this.#written += bytes;
    return bytes;
  }

  // The reason why nothing can be written, if there is one.
  #refusal(options) {
    if (this.#error) return this.#error;
    if (this.#isClosed) return new ERR_INVALID_STATE.TypeError('The writer is closed');
    validateObject(options, 'options');
    const { signal } = options;
    if (signal === undefined) return undefined;
    validateAbortSignal(signal, 'options.signal');
    return signal.aborted ? signal.reason : undefined;
  }

  async #writeAll(bytes, position, signal) {
    const { write } = require('internal/fs/handle_calls');
    this.#isWriting = true;
    this.#handle[kRef](); // a close() waits for it
    try {
      for (let offset = 0; offset < bytes.length; ) {
        const { bytesWritten } = await write({ fd: this.#fd }, bytes, offset, bytes.length - offset, behind(position, offset));
        signal?.throwIfAborted();
        offset += this.#count(bytesWritten);
      }
    } finally {
      this.#isWriting = false;
      this.#handle[kUnref]();
    }
  }

  #begin(name, bytes, signal) {
    const { length } = bytes;
    if (length > this.#left) return Promise.reject(new ERR_OUT_OF_RANGE(name, `<= ${this.#left} bytes`, length));
    const position = this.#position;
    this.#left -= length;
    this.#position = behind(position, length);
    return this.#writeAll(bytes, position, signal);
  }

  write(chunk, options = {}) {
    const refusal = this.#refusal(options);
    return refusal === undefined ? this.#begin('write', chunkOf(chunk), options.signal) : Promise.reject(refusal);
  }

  writev(chunks, options = {}) {
    const refusal = this.#refusal(options);
    return refusal === undefined ? this.#begin('writev', joined(chunksOf(chunks)), options.signal) : Promise.reject(refusal);
  }

  // False only if nothing was written: then the whole may be written again.
  #writeNow(bytes) {
    const { length } = bytes;
    if (length > this.#syncBytes) return false;
    if (length === 0) return true;
    if (length > this.#left) return false;
    const { writeSync } = require('internal/fs/sync');
    const position = this.#position;
    let offset;
    try {
      offset = this.#count(writeSync(this.#fd, bytes, 0, length, position));
    } catch {
      return false;
    }
    while (offset < length) offset += this.#count(writeSync(this.#fd, bytes, offset, length - offset, behind(position, offset)));
    this.#position = behind(position, length);
    this.#left -= length;
    return true;
  }

  get #isBusy() {
    return this.#error !== undefined || this.#isClosed || this.#isWriting;
  }

  writeSync(chunk) {
    return !this.#isBusy && this.#writeNow(chunkOf(chunk));
  }

  writevSync(chunks) {
    return !this.#isBusy && this.#writeNow(joined(chunksOf(chunks)));
  }

  #release() {
    this.#isClosed = true;
    this.#handle[kUnlock]();
  }

  end(options = {}) {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#ending !== undefined) return this.#ending;
    if (this.#isClosed) return Promise.resolve(this.#written);
    const refusal = this.#refusal(options);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#release();
    this.#ending = (async () => {
      if (this.#autoClose) await this.#handle.close();
      return this.#written;
    })();
    return this.#ending;
  }

  // How many bytes were written; -1 where end() must be used.
  endSync() {
    if (this.#error) return -1;
    if (this.#isClosed) return this.#written;
    if (this.#isWriting) return -1;
    this.#release();
    if (this.#autoClose) this.#handle[kCloseSync]();
    return this.#written;
  }

  fail(reason = undefined) {
    if (this.#isClosed || this.#error) return;
    this.#error = reason ?? new ERR_INVALID_STATE('Failed');
    this.#release();
    if (this.#autoClose) this.#handle[kCloseSync]();
  }

  [Symbol.asyncDispose]() {
    if (this.#ending !== undefined) return this.#ending;
    this.fail();
    return Promise.resolve();
  }

  [Symbol.dispose]() {
    this.fail();
  }
}

module.exports = { HandleWriter };
