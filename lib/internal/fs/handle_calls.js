// natives: fs
//
// The operations behind FileHandle's methods, as functions of the handle, and
// the one helper that turns a native call into a promise. Their names show in
// errors (`syscall` of a closed handle), so they are Node's.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('fs');
const { AbortError } = require('internal/errors/coded');
const { validateBoolean, validateBuffer, validateInteger, validateObject } = require('internal/util/validators');
const { toStats } = require('internal/fs/stats');
const { finishRead, checkUserBuffer } = require('internal/fs/whole_file');
const {
  getOptions,
  kEmpty,
  parseFileMode,
  positionOf,
  toUnixTimestamp,
  validateBufferArray,
  validateId,
  validateOffsetLengthRead,
  validatePosition,
  validateStringAfterArrayBufferView,
  writeRange,
  writeText,
} = require('internal/fs/utils');

const { kUsePromise } = binding;

// call('open', path, flags, mode) → promise of the native operation's answer.
function call(name, ...parameters) {
  return binding[name](...each(parameters), kUsePromise);
}

// The shared numbers of BigIntStats must be read in the completion itself, so those take a callback.
function stats(name, target, bigint, ...rest) {
  if (!bigint) return binding[name](target, false, ...each(rest), kUsePromise);
  return new Promise((resolve, reject) => {
    binding[name](target, true, ...each(rest), (error, found) => (error ? reject(error) : resolve(toStats(found))));
  });
}

function checkAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

async function read(handle, buffer, offset, length, position) {
  if (!ArrayBuffer.isView(buffer)) {
    if (buffer !== undefined && buffer !== null) validateObject(buffer, 'options');
    ({ buffer = Buffer.alloc(16384), offset = 0, length = buffer.byteLength - offset, position = null } = buffer ?? kEmpty);
    validateBuffer(buffer);
  }
  if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length ??= buffer.byteLength - offset;
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return { __proto__: null, bytesRead: 0, buffer };
  if (buffer.byteLength === 0) {
    const { ERR_INVALID_ARG_VALUE } = require('internal/errors/coded').codes;
    throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  }
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  return { __proto__: null, bytesRead: await call('read', handle.fd, buffer, offset, length, position), buffer };
}

async function readv(handle, buffers, position) {
  validateBufferArray(buffers);
  const bytesRead = await call('readv', handle.fd, buffers, positionOf(position));
  return { __proto__: null, bytesRead, buffers };
}

async function write(handle, buffer, offset, length, position) {
  if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
  if (ArrayBuffer.isView(buffer)) {
    const range = writeRange(buffer, offset, length, position);
    const bytesWritten = await call('write', handle.fd, buffer, range.offset, range.length, range.position);
    return { __proto__: null, bytesWritten, buffer };
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  const bytes = writeText(buffer, length);
  const bytesWritten = await call('write', handle.fd, bytes, 0, bytes.length, typeof offset === 'number' ? offset : -1);
  return { __proto__: null, bytesWritten, buffer };
}

async function writev(handle, buffers, position) {
  validateBufferArray(buffers);
  if (buffers.length === 0) return { __proto__: null, bytesWritten: 0, buffers };
  const bytesWritten = await call('writev', handle.fd, buffers, positionOf(position));
  return { __proto__: null, bytesWritten, buffers };
}

// From the handle's position to the end.
async function readFile(handle, given) {
  const options = getOptions(given, { flag: 'r' });
  checkUserBuffer(options);
  checkAborted(options.signal);
  const raw = await call('readFile', handle.fd, 0, false);
  checkAborted(options.signal);
  return finishRead(raw, options);
}

function isIterable(data) {
  return (
    !ArrayBuffer.isView(data) &&
    typeof data !== 'string' &&
    data != null &&
    typeof (data[Symbol.asyncIterator] ?? data[Symbol.iterator]) === 'function'
  );
}

async function writeBytes(handle, bytes, signal) {
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let done = 0; done < view.byteLength; ) {
    checkAborted(signal);
    done += await call('write', handle.fd, view, done, Math.min(512 * 1024, view.byteLength - done), -1);
  }
}

async function writeChunks(handle, chunks, signal, encoding) {
  for await (const chunk of chunks) {
    checkAborted(signal);
    await writeBytes(handle, ArrayBuffer.isView(chunk) ? chunk : Buffer.from(chunk, encoding || 'utf8'), signal);
    checkAborted(signal);
  }
}

async function writeFile(handle, data, given) {
  const options = getOptions(given, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  parseFileMode(options.mode, 'mode', 0o666);
  checkAborted(options.signal);
  if (isIterable(data)) {
    await writeChunks(handle, data, options.signal, options.encoding);
  } else {
    let bytes = data;
    if (!ArrayBuffer.isView(data)) {
      validateStringAfterArrayBufferView(data, 'data');
      bytes = Buffer.from(data, options.encoding || 'utf8');
    }
    await writeBytes(handle, bytes, options.signal);
  }
  if (flush) await handle.sync();
}

async function fchmod(handle, mode) {
  await call('fchmod', handle.fd, parseFileMode(mode, 'mode'));
}

async function fchown(handle, uid, gid) {
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  await call('fchown', handle.fd, uid, gid);
}

async function fdatasync(handle) {
  await call('fdatasync', handle.fd);
}

async function fsync(handle) {
  await call('fsync', handle.fd);
}

async function fstat(handle, options = kEmpty) {
  validateObject(options, 'options');
  return stats('fstat', handle.fd, options.bigint === true);
}

async function ftruncate(handle, len = 0) {
  validateInteger(len, 'len');
  await call('ftruncate', handle.fd, Math.max(0, len));
}

async function futimes(handle, atime, mtime) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  await call('futimes', handle.fd, atime, mtime);
}

module.exports = {
  call,
  stats,
  checkAborted,
  isIterable,
  writeChunks,
  read,
  readv,
  write,
  writev,
  readFile,
  writeFile,
  fchmod,
  fchown,
  fdatasync,
  fsync,
  fstat,
  ftruncate,
  futimes,
};
