// natives: fs
//
// The callback functions of node:fs that are one native operation. The native
// half calls back with (error) or (null, value), never before the function has
// returned, so a program's callback is handed over as it is where it can be.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('fs');
const { AbortError } = require('internal/errors/coded');
const { validateBuffer, validateFunction, validateInteger, validateObject, validateOneOf } = require('internal/util/validators');
const { toStats, takeStatFs } = require('internal/fs/stats');
const {
  askBytes,
  getOptions,
  getValidMode,
  getValidatedFd,
  getValidatedPath,
  inEncoding,
  kEmpty,
  opens,
  mkdirOptions,
  mustCall,
  noBuffers,
  parseFileMode,
  positionOf,
  readRange,
  stringToFlags,
  toUnixTimestamp,
  validateBufferArray,
  validateId,
  validateRmdirOptions,
  validateStringAfterArrayBufferView,
  warnOnNonPortableTemplate,
  writeRange,
  writeText,
} = require('internal/fs/utils');

function access(path, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = undefined;
  }
  path = getValidatedPath(path);
  mode = getValidMode(mode, 'access');
  binding.access(path, mode, mustCall(callback));
}

function exists(path, callback) {
  validateFunction(callback, 'cb');
  const answer = (error) => callback(!error);
  try {
    path = getValidatedPath(path);
  } catch {
    process.nextTick(callback, false);
    return;
  }
  binding.access(path, 0, answer);
}

function open(path, flags, mode, callback) {
  if (arguments.length < 3) {
    callback = flags;
    flags = 'r';
    mode = 0o666;
  } else if (typeof mode === 'function') {
    callback = mode;
    mode = 0o666;
  } else {
    mode = parseFileMode(mode, 'mode', 0o666);
  }
  const flagBits = stringToFlags(flags);
  path = getValidatedPath(path);
  if (opens.note !== null) opens.note();
  binding.open(path, flagBits, mode, mustCall(callback));
}

function throwFailure(error) {
  if (error != null) throw error;
}

function close(fd, callback = throwFailure) {
  fd = getValidatedFd(fd);
  binding.close(fd, mustCall(callback));
}

// read(fd[, buffer | options[, options | offset, length, position]], callback)
function readArguments(parameters, fd, buffer, offset, length, position, callback) {
  if (parameters > 4) return { buffer, offset, length, position, callback };
  let options = null;
  if (parameters === 4) {
    if (offset !== null) validateObject(offset, 'options');
    callback = length;
    options = offset;
  } else if (parameters === 3) {
    if (!ArrayBuffer.isView(buffer)) {
      options = buffer;
      ({ buffer = Buffer.alloc(16384) } = options ?? kEmpty);
    }
    callback = offset;
  } else {
    callback = buffer;
    buffer = Buffer.alloc(16384);
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
  ({ offset = 0, length = buffer?.byteLength - offset, position = null } = options ?? kEmpty);
  return { buffer, offset, length, position, callback };
}

function isIndex(value) {
  return typeof value === 'number' && (value | 0) === value && value >= 0;
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  if (
    typeof callback === 'function' &&
    isIndex(offsetOrOptions) &&
    isIndex(length) &&
    length > 0 &&
    (position === null || (Number.isSafeInteger(position) && position >= 0)) &&
    ArrayBuffer.isView(buffer) &&
    offsetOrOptions + length <= buffer.byteLength
  ) {
    binding.read(fd, buffer, offsetOrOptions, length, position ?? -1, (error, count) => callback(error, count || 0, buffer));
    return;
  }
  const given = readArguments(arguments.length, fd, buffer, offsetOrOptions, length, position, callback);
  const { buffer: target, callback: done } = given;
  validateBuffer(target);
  validateFunction(done, 'cb');
  const range = readRange(target, given.offset, given.length, given.position);
  if (range.length === 0) {
    process.nextTick(done, null, 0, target);
    return;
  }
  binding.read(fd, target, range.offset, range.length, range.position, (error, count) => done(error, count || 0, target));
}

function readv(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback ||= position;
  validateFunction(callback, 'cb');
  if (buffers.length === 0) {
    process.nextTick(callback, noBuffers(), 0, buffers);
    return;
  }
  const at = positionOf(position);
  binding.readv(fd, buffers, at, (error, count) => callback(error, count || 0, buffers));
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  if (ArrayBuffer.isView(buffer)) {
    callback ||= position || length || offsetOrOptions;
    validateFunction(callback, 'cb');
    const range = writeRange(buffer, offsetOrOptions, length, position);
    binding.write(fd, buffer, range.offset, range.length, range.position, (error, count) => callback(error, count || 0, buffer));
    return;
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  let at = offsetOrOptions;
  let encoding = length;
  let done = position;
  if (typeof done !== 'function') {
    encoding = 'utf8';
    done = length;
    if (typeof at === 'function') {
      done = at;
      at = null;
    }
  }
  const bytes = writeText(buffer, encoding);
  validateFunction(done, 'cb');
  binding.write(fd, bytes, 0, bytes.length, typeof at === 'number' ? at : -1, (error, count) => done(error, count || 0, buffer));
}

function writev(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback ||= position;
  validateFunction(callback, 'cb');
  if (buffers.length === 0) {
    process.nextTick(callback, null, 0, buffers);
    return;
  }
  const at = positionOf(position);
  binding.writev(fd, buffers, at, (error, count) => callback(error, count || 0, buffers));
}

// Result objects of util.promisify(fs.read) and its like.
const promisifiedNames = [
  [read, 'bytesRead', 'buffer'],
  [readv, 'bytesRead', 'buffers'],
  [write, 'bytesWritten', 'buffer'],
  [writev, 'bytesWritten', 'buffer'],
];
for (const [operation, ...names] of eachEntry(promisifiedNames)) {
  Object.defineProperty(operation, require('internal/util/helpers').customPromisifyArgs, { value: names, enumerable: false });
}

function rename(oldPath, newPath, callback) {
  mustCall(callback);
  oldPath = getValidatedPath(oldPath, 'oldPath');
  binding.rename(oldPath, getValidatedPath(newPath, 'newPath'), callback);
}

function truncate(path, len, callback) {
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  } else if (len === undefined) {
    len = 0;
  }
  validateInteger(len, 'len');
  const size = Math.max(0, len);
  validateFunction(callback, 'cb');
  const fs = require('internal/fs/fs');
  fs.open(path, 'r+', (openError, fd) => {
    if (openError) return callback(openError);
    return binding.ftruncate(fd, size, (error) =>
      fs.close(fd, (closeError) => {
        const { aggregateTwoErrors } = require('internal/errors/coded');
        callback(aggregateTwoErrors(closeError, error));
      }),
    );
  });
}

function ftruncate(fd, len = 0, callback) {
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  }
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  binding.ftruncate(fd, Math.max(0, len), mustCall(callback));
}

function rmdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  mustCall(callback);
  validateRmdirOptions(options);
  binding.rmdir(getValidatedPath(path), callback);
}

function fdatasync(fd, callback) {
  fd = getValidatedFd(fd);
  binding.fdatasync(fd, mustCall(callback));
}

function fsync(fd, callback) {
  fd = getValidatedFd(fd);
  binding.fsync(fd, mustCall(callback));
}

function mkdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const { mode, recursive } = mkdirOptions(options);
  mustCall(callback);
  binding.mkdir(getValidatedPath(path), mode, recursive, callback);
}

function statsCallback(callback, bigint) {
  validateFunction(callback, 'cb');
  if (!bigint) return callback;
  return (error, found) => {
    if (error) callback(error);
    else callback(null, toStats(found));
  };
}

function fstat(fd, options = kEmpty, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmpty;
  }
  options ??= kEmpty;
  const done = statsCallback(callback, options.bigint === true);
  binding.fstat(getValidatedFd(fd), options.bigint === true, done);
}

function lstat(path, options = kEmpty, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmpty;
  }
  options ??= kEmpty;
  const done = statsCallback(callback, options.bigint === true);
  binding.lstat(getValidatedPath(path), options.bigint === true, true, done);
}

function isAborted(signal, callback) {
  if (!signal?.aborted) return false;
  callback(new AbortError(undefined, { cause: signal.reason }));
  return true;
}

function stat(path, options = kEmpty, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmpty;
  } else if (options === null || typeof options !== 'object') {
    options = kEmpty;
  } else {
    options = getOptions(options, kEmpty);
  }
  const done = statsCallback(callback, options.bigint === true);
  path = getValidatedPath(path);
  if (isAborted(options.signal, callback)) return;
  binding.stat(path, options.bigint === true, options.throwIfNoEntry !== false, done);
}

function statfs(path, options = kEmpty, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmpty;
  }
  validateFunction(callback, 'cb');
  path = getValidatedPath(path);
  binding.statfs(path, options.bigint === true, (error) => {
    if (error) callback(error);
    else callback(null, takeStatFs(options.bigint === true));
  });
}

// For the operations that answer with a name.
function nameCallback(callback, encoding) {
  return askBytes(encoding) ? (error, raw) => (error ? callback(error) : callback(null, inEncoding(raw, encoding))) : callback;
}

function readlink(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  mustCall(callback);
  const { encoding } = getOptions(options);
  binding.readlink(getValidatedPath(path), askBytes(encoding), nameCallback(callback, encoding));
}

function symlink(target, path, type, callback) {
  if (callback === undefined) {
    callback = mustCall(type);
  } else {
    validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
  }
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  binding.symlink(target, path, mustCall(callback));
}

function link(existingPath, newPath, callback) {
  mustCall(callback);
  existingPath = getValidatedPath(existingPath, 'existingPath');
  binding.link(existingPath, getValidatedPath(newPath, 'newPath'), callback);
}

function unlink(path, callback) {
  mustCall(callback);
  binding.unlink(getValidatedPath(path), callback);
}

function fchmod(fd, mode, callback) {
  fd = getValidatedFd(fd);
  mode = parseFileMode(mode, 'mode');
  binding.fchmod(fd, mode, mustCall(callback));
}

function chmod(path, mode, callback) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  binding.chmod(path, mode, mustCall(callback));
}

function lchown(path, uid, gid, callback) {
  mustCall(callback);
  path = getValidatedPath(path);
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  binding.lchown(path, uid, gid, callback);
}

function fchown(fd, uid, gid, callback) {
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  fd = getValidatedFd(fd);
  binding.fchown(fd, uid, gid, mustCall(callback));
}

function chown(path, uid, gid, callback) {
  mustCall(callback);
  path = getValidatedPath(path);
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  binding.chown(path, uid, gid, callback);
}

function utimes(path, atime, mtime, callback) {
  mustCall(callback);
  path = getValidatedPath(path);
  binding.utimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), callback);
}

function futimes(fd, atime, mtime, callback) {
  fd = getValidatedFd(fd);
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  binding.futimes(fd, atime, mtime, mustCall(callback));
}

function lutimes(path, atime, mtime, callback) {
  mustCall(callback);
  path = getValidatedPath(path);
  binding.lutimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), callback);
}

function mkdtemp(prefix, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  mustCall(callback);
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnOnNonPortableTemplate(prefix);
  binding.mkdtemp(prefix, askBytes(encoding), nameCallback(callback, encoding));
}

function copyFile(src, dest, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = 0;
  }
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  mustCall(callback);
  binding.copyFile(src, dest, getValidMode(mode, 'copyFile'), callback);
}

module.exports = {
  access,
  exists,
  open,
  close,
  read,
  readv,
  write,
  writev,
  rename,
  truncate,
  ftruncate,
  rmdir,
  fdatasync,
  fsync,
  mkdir,
  fstat,
  lstat,
  stat,
  statfs,
  readlink,
  symlink,
  link,
  unlink,
  fchmod,
  chmod,
  lchown,
  fchown,
  chown,
  utimes,
  futimes,
  lutimes,
  mkdtemp,
  copyFile,
  nameCallback,
};
