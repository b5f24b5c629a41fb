// natives: fs
//
// The ...Sync functions of node:fs that are one system call, or one native
// operation. Those with a story of their own are beside this file: cp, rm,
// glob, realpath, whole files (whole_file.js), directories (readdir.js).

'use strict';

const binding = native('fs');
const { validateBuffer, validateInteger, validateObject, validateOneOf, validateString } = require('internal/util/validators');
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

function accessSync(path, mode) {
  binding.access(getValidatedPath(path), getValidMode(mode, 'access'));
}

let existsWarned = false;
function existsSync(path) {
  try {
    path = getValidatedPath(path);
  } catch (error) {
    if (error.code === 'ERR_INVALID_ARG_TYPE' && !existsWarned) {
      existsWarned = true;
      process.emitWarning('Passing invalid argument types to fs.existsSync is deprecated', 'DeprecationWarning', 'DEP0187');
    }
    return false;
  }
  return binding.exists(path);
}

function openSync(path, flags, mode) {
  const flagBits = stringToFlags(flags);
  const modeBits = parseFileMode(mode, 'mode', 0o666);
  if (opens.note !== null) opens.note();
  return binding.open(getValidatedPath(path), flagBits, modeBits);
}

function closeSync(fd) {
  binding.close(getValidatedFd(fd));
}

function readSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  validateBuffer(buffer);
  let offset = offsetOrOptions;
  if (arguments.length <= 3 || typeof offsetOrOptions === 'object') {
    if (offsetOrOptions !== undefined && offsetOrOptions !== null) validateObject(offsetOrOptions, 'options');
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kEmpty);
  }
  const range = readRange(buffer, offset, length, position);
  return range.length === 0 ? 0 : binding.read(fd, buffer, range.offset, range.length, range.position);
}

function readvSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  if (buffers.length === 0) throw noBuffers();
  return binding.readv(fd, buffers, positionOf(position));
}

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  if (ArrayBuffer.isView(buffer)) {
    if (typeof offsetOrOptions === 'function') validateInteger(offsetOrOptions, 'offset', 0);
    const range = writeRange(buffer, offsetOrOptions, length, position);
    return binding.write(fd, buffer, range.offset, range.length, range.position);
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  const bytes = writeText(buffer, length);
  return binding.write(fd, bytes, 0, bytes.length, positionOf(offsetOrOptions));
}

function writevSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  if (buffers.length === 0) return 0;
  return binding.writev(fd, buffers, positionOf(position));
}

function renameSync(oldPath, newPath) {
  binding.rename(getValidatedPath(oldPath, 'oldPath'), getValidatedPath(newPath, 'newPath'));
}

function truncateSync(path, len) {
  const fs = require('internal/fs/fs');
  const fd = fs.openSync(path, 'r+');
  try {
    fs.ftruncateSync(fd, len === undefined ? 0 : len);
  } finally {
    fs.closeSync(fd);
  }
}

function ftruncateSync(fd, len = 0) {
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  binding.ftruncate(fd, Math.max(0, len));
}

function rmdirSync(path, options) {
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  binding.rmdir(path);
}

function fdatasyncSync(fd) {
  binding.fdatasync(getValidatedFd(fd));
}

function fsyncSync(fd) {
  binding.fsync(getValidatedFd(fd));
}

function mkdirSync(path, options) {
  const { mode, recursive } = mkdirOptions(options);
  const made = binding.mkdir(getValidatedPath(path), mode, recursive);
  return recursive ? made : undefined;
}

function fstatSync(fd, options = kEmpty) {
  fd = getValidatedFd(fd);
  return toStats(binding.fstat(fd, options.bigint === true));
}

function lstatSync(path, options = kEmpty) {
  return toStats(binding.lstat(getValidatedPath(path), options.bigint === true, options.throwIfNoEntry !== false));
}

function statSync(path, options = kEmpty) {
  return toStats(binding.stat(getValidatedPath(path), options.bigint === true, options.throwIfNoEntry !== false));
}

function statfsSync(path, options = kEmpty) {
  binding.statfs(getValidatedPath(path), options.bigint === true);
  return takeStatFs(options.bigint === true);
}

function readlinkSync(path, options) {
  const { encoding } = getOptions(options);
  return inEncoding(binding.readlink(getValidatedPath(path), askBytes(encoding)), encoding);
}

function symlinkSync(target, path, type) {
  validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
  target = getValidatedPath(target, 'target');
  binding.symlink(target, getValidatedPath(path));
}

function linkSync(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  binding.link(existingPath, getValidatedPath(newPath, 'newPath'));
}

function unlinkSync(path) {
  binding.unlink(getValidatedPath(path));
}

function fchmodSync(fd, mode) {
  fd = getValidatedFd(fd);
  binding.fchmod(fd, parseFileMode(mode, 'mode'));
}

function chmodSync(path, mode) {
  path = getValidatedPath(path);
  binding.chmod(path, parseFileMode(mode, 'mode'));
}

function lchownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  binding.lchown(path, uid, gid);
}

function fchownSync(fd, uid, gid) {
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  binding.fchown(getValidatedFd(fd), uid, gid);
}

function chownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  binding.chown(path, uid, gid);
}

function utimesSync(path, atime, mtime) {
  path = getValidatedPath(path);
  binding.utimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function futimesSync(fd, atime, mtime) {
  fd = getValidatedFd(fd);
  binding.futimes(fd, toUnixTimestamp(atime, 'atime'), toUnixTimestamp(mtime, 'mtime'));
}

function lutimesSync(path, atime, mtime) {
  path = getValidatedPath(path);
  binding.lutimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function mkdtempSync(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnOnNonPortableTemplate(prefix);
  return inEncoding(binding.mkdtemp(prefix, askBytes(encoding)), encoding);
}

function mkdtempDisposableSync(prefix, options) {
  const { resolve } = require('internal/path/path');
  const path = mkdtempSync(prefix, options);
  // The program may change directory before it disposes.
  const full = typeof path === 'string' ? resolve(path) : path;
  const remove = () => {
    require('internal/fs/rm').removeTreeSync(full, { maxRetries: 0, retryDelay: 0, force: true });
  };
  return { path, remove, [Symbol.dispose]: remove };
}

function copyFileSync(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  binding.copyFile(src, dest, getValidMode(mode, 'copyFile'));
}

function openAsBlobSync(path, options = kEmpty) {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  path = getValidatedPath(path);
  const { size, mtimeMs } = require('internal/fs/fs').statSync(path);
  return require('internal/webstreams/blob').blobOfFile(path, type, { size, mtimeMs });
}

function openAsBlob(path, options = kEmpty) {
  return Promise.resolve(openAsBlobSync(path, options));
}

module.exports = {
  accessSync,
  existsSync,
  openSync,
  closeSync,
  readSync,
  readvSync,
  writeSync,
  writevSync,
  renameSync,
  truncateSync,
  ftruncateSync,
  rmdirSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  fstatSync,
  lstatSync,
  statSync,
  statfsSync,
  readlinkSync,
  symlinkSync,
  linkSync,
  unlinkSync,
  fchmodSync,
  chmodSync,
  lchownSync,
  fchownSync,
  chownSync,
  utimesSync,
  futimesSync,
  lutimesSync,
  mkdtempSync,
  mkdtempDisposableSync,
  copyFileSync,
  openAsBlob,
  openAsBlobSync,
};
