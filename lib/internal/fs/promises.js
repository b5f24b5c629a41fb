// natives: fs
//
// fs.promises: the promise forms of what callbacks.js does by callback.

'use strict';

const binding = native('fs');
const {
  kUsePromise,
  constants: { O_RDONLY },
} = binding;
const { codes } = require('internal/errors/coded');
const { validateBoolean, validateObject, validateOneOf, isInt32 } = require('internal/util/validators');
const { takeStatFs } = require('internal/fs/stats');
const { FileHandle } = require('internal/fs/file_handle');
const { readFile: readFileCallback, writeFile: writeFileCallback } = require('internal/fs/whole_file');
const handleCalls = require('internal/fs/handle_calls');
const { call, stats, checkAborted, isIterable, writeChunks } = handleCalls;
const {
  askBytes,
  copyObject,
  getOptions,
  getValidMode,
  getValidatedPath,
  inEncoding,
  kEmpty,
  opens,
  mkdirOptions,
  parseFileMode,
  stringToFlags,
  toUnixTimestamp,
  validateId,
  validateRmdirOptions,
  validateStringAfterArrayBufferView,
  warnOnNonPortableTemplate,
} = require('internal/fs/utils');

// The promise form of a function that takes its callback last.
function promised(operation, ...parameters) {
  return new Promise((resolve, reject) => {
    operation(...each(parameters), (error, value) => (error ? reject(error) : resolve(value)));
  });
}

async function access(path, mode = 0) {
  await call('access', getValidatedPath(path), getValidMode(mode, 'access'));
}

async function cp(src, dest, options) {
  return require('internal/fs/cp').cpPromise(src, dest, options);
}

async function copyFile(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  await call('copyFile', src, dest, getValidMode(mode, 'copyFile'));
}

async function open(path, flags, mode) {
  path = getValidatedPath(path);
  const flagBits = stringToFlags(flags);
  const modeBits = parseFileMode(mode, 'mode', 0o666);
  if (opens.note !== null) opens.note();
  return new FileHandle(await call('open', path, flagBits, modeBits));
}

async function opendir(path, options, callback) {
  return promised(require('internal/fs/dir').opendir, path, options ?? {});
}

async function rename(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  await call('rename', oldPath, getValidatedPath(newPath, 'newPath'));
}

async function truncate(path, len = 0) {
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(len);
  } finally {
    await handle.close();
  }
}

async function rm(path, options) {
  path = getValidatedPath(path);
  await promised(require('internal/fs/rm').rm, path, options);
}

async function rmdir(path, options) {
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  await call('rmdir', path);
}

async function mkdir(path, options) {
  path = getValidatedPath(path);
  const { mode, recursive } = mkdirOptions(options, 'mode');
  const made = await call('mkdir', path, mode, recursive);
  return recursive ? made : undefined;
}

async function readdir(path, given) {
  const options = getOptions(given);
  return promised(require('internal/fs/readdir').readdir, path, { ...options, recursive: Boolean(options.recursive) });
}

async function readlink(path, options) {
  const { encoding } = getOptions(options);
  return inEncoding(await call('readlink', getValidatedPath(path, 'oldPath'), askBytes(encoding)), encoding);
}

async function symlink(target, path, type) {
  validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
  target = getValidatedPath(target, 'target');
  await call('symlink', target, getValidatedPath(path));
}

async function lstat(path, options = kEmpty) {
  validateObject(options, 'options');
  return stats('lstat', getValidatedPath(path), options.bigint === true, true);
}

function stat(path, options = kEmpty) {
  try {
    checkAborted(getOptions(options, kEmpty).signal);
    return stats('stat', getValidatedPath(path), options.bigint === true, options.throwIfNoEntry !== false);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function statfs(path, options = kEmpty) {
  path = getValidatedPath(path);
  return new Promise((resolve, reject) => {
    binding.statfs(path, options.bigint === true, (error) => (error ? reject(error) : resolve(takeStatFs(options.bigint === true))));
  });
}

async function link(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  await call('link', existingPath, getValidatedPath(newPath, 'newPath'));
}

async function unlink(path) {
  await call('unlink', getValidatedPath(path));
}

async function chmod(path, mode) {
  path = getValidatedPath(path);
  await call('chmod', path, parseFileMode(mode, 'mode'));
}

async function lchmod(path, mode) {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

async function lchown(path, uid, gid) {
  path = getValidatedPath(path);
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  await call('lchown', path, uid, gid);
}

async function chown(path, uid, gid) {
  path = getValidatedPath(path);
  validateId(uid, 'uid');
  validateId(gid, 'gid');
  await call('chown', path, uid, gid);
}

async function utimes(path, atime, mtime) {
  path = getValidatedPath(path);
  await call('utimes', path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function lutimes(path, atime, mtime) {
  path = getValidatedPath(path);
  await call('lutimes', path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function realpath(path, options) {
  const { encoding } = getOptions(options);
  return inEncoding(await call('realpath', getValidatedPath(path), askBytes(encoding)), encoding);
}

async function mkdtemp(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnOnNonPortableTemplate(prefix);
  return inEncoding(await call('mkdtemp', prefix, askBytes(encoding)), encoding);
}

async function mkdtempDisposable(prefix, options) {
  const path = await mkdtemp(prefix, options);
  const full = typeof path === 'string' ? require('internal/path/path').resolve(path) : path;
  const remove = async () => {
    await rm(full, { recursive: true, force: true });
  };
  return { __proto__: null, path, remove, [Symbol.asyncDispose]: remove };
}

async function writeFile(path, data, given) {
  const options = getOptions(given, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  validateBoolean(options.flush ?? false, 'options.flush');
  if (path instanceof FileHandle) return path.writeFile(data, options);
  checkAborted(options.signal);
  if (!isIterable(data)) {
    parseFileMode(options.mode, 'mode', 0o666);
    if (!ArrayBuffer.isView(data)) validateStringAfterArrayBufferView(data, 'data');
    return promised(writeFileCallback, getValidatedPath(path), data, options);
  }
  const handle = await open(path, options.flag || 'w', options.mode);
  try {
    checkAborted(options.signal);
    await writeChunks(handle, data, options.signal, options.encoding);
    if (options.flush) await handle.sync();
  } finally {
    await handle.close();
  }
  return undefined;
}

async function appendFile(path, data, given) {
  const options = copyObject(getOptions(given, { encoding: 'utf8', mode: 0o666, flag: 'a' }));
  options.flag ||= 'a';
  return writeFile(path, data, options);
}

// Bytes or UTF-8 text without a signal: the native half's own promise is the answer.
function readFile(path, given) {
  if (given !== 'utf8') require('internal/buffer/buffer'); // or bytes would come as plain arrays
  try {
    const isPlain = given === undefined || given === 'utf8' || given === 'utf-8';
    if (isPlain && typeof path === 'string') {
      return binding.readFile(getValidatedPath(path), O_RDONLY, given !== undefined, kUsePromise);
    }
  } catch (error) {
    return Promise.reject(error);
  }
  return readFileWith(path, given);
}

async function readFileWith(path, given) {
  const options = getOptions(given, { flag: 'r' });
  if (path instanceof FileHandle) return path.readFile(options);
  if (isInt32(path)) getValidatedPath(path);
  checkAborted(options.signal);
  return promised(readFileCallback, path, options);
}

function glob(pattern, options) {
  return require('internal/fs/glob').globPromise(pattern, options);
}

function watch(filename, options) {
  return require('internal/fs/watch').watchPromise(filename, options);
}

const exported = {
  access,
  copyFile,
  cp,
  glob,
  open,
  opendir,
  rename,
  truncate,
  rm,
  rmdir,
  mkdir,
  readdir,
  readlink,
  symlink,
  lstat,
  stat,
  statfs,
  link,
  unlink,
  chmod,
  lchmod,
  lchown,
  chown,
  utimes,
  lutimes,
  realpath,
  mkdtemp,
  mkdtempDisposable,
  writeFile,
  appendFile,
  readFile,
  watch,
  constants: binding.constants,
};

module.exports = { exports: exported };
