// natives: fs, permission
//
// fs.rm: files and whole trees. Busy entries are tried again, with the delay
// growing by retryDelay each time, as Node's documentation says.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('fs');
const { codes } = require('internal/errors/coded');
const { getValidatedPath, mustCall, validateRmOptions } = require('internal/fs/utils');
const { joinName } = require('internal/fs/readdir');

const worthRetrying = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);
const isDirectoryError = new Set(['EISDIR', 'EPERM']);

function isADirectory(path) {
  const { ERR_FS_EISDIR } = codes;
  return new ERR_FS_EISDIR({ code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: 21 });
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function retrying(action, { maxRetries, retryDelay }) {
  for (let attempt = 1; ; attempt++) {
    try {
      return action();
    } catch (error) {
      if (attempt > maxRetries || !worthRetrying.has(error.code)) throw error;
      pause(attempt * retryDelay);
    }
  }
}

function removeEntries(path, options) {
  const [names, types] = each(binding.readdir(path, true, true));
  for (let i = 0; i < names.length; i++) {
    const full = joinName(Buffer.from(path), names[i]);
    if (types[i] === 2) removeTreeSync(full, { ...options, force: true });
    else removeFileSync(full, { ...options, force: true });
  }
}

function removeFileSync(path, options) {
  try {
    retrying(() => binding.unlink(path), options);
  } catch (error) {
    if (error.code === 'ENOENT' && options.force) return;
    if (!isDirectoryError.has(error.code) || !binding.isDirectory(path)) throw error;
    removeTreeSync(path, options);
  }
}

// `path` may be anything; a directory goes with all that is in it.
function removeTreeSync(path, options) {
  const found = binding.lstat(path, false, !options.force);
  if (!found) return;
  if (!found.isDirectory()) {
    removeFileSync(path, options);
    return;
  }
  retrying(() => {
    removeEntries(path, options);
    binding.rmdir(path);
  }, options);
}

function rmSync(path, given) {
  const options = validateRmOptions(given);
  path = getValidatedPath(path);
  const found = binding.lstat(path, false, !options.force);
  if (!found) return;
  if (found.isDirectory() && !options.recursive) throw isADirectory(path);
  native('permission').check('fs.write', path);
  removeTreeSync(path, options);
}

function later(attempt, options, again) {
  setTimeout(again, attempt * options.retryDelay);
}

function attempt(operation, options, callback, count = 1) {
  operation((error) => {
    if (error && count <= options.maxRetries && worthRetrying.has(error.code)) {
      later(count, options, () => attempt(operation, options, callback, count + 1));
    } else {
      callback(error ?? null);
    }
  });
}

function removeFile(path, options, callback) {
  attempt(
    (done) => binding.unlink(path, done),
    options,
    (error) => callback(error?.code === 'ENOENT' && options.force ? null : error),
  );
}

function removeEach(path, names, types, options, callback) {
  let left = names.length;
  let failure = null;
  if (left === 0) {
    callback(null);
    return;
  }
  const done = (error) => {
    failure ??= error;
    if (--left === 0) callback(failure);
  };
  for (let i = 0; i < names.length; i++) {
    const full = joinName(Buffer.from(path), names[i]);
    const inner = { ...options, force: true };
    if (types[i] === 2) removeDirectory(full, inner, done);
    else removeFile(full, inner, done);
  }
}

function removeDirectory(path, options, callback) {
  const once = (done) => {
    binding.readdir(path, true, true, (error, raw) => {
      if (error) {
        done(error);
        return;
      }
      removeEach(path, raw[0], raw[1], options, (failure) => (failure ? done(failure) : binding.rmdir(path, done)));
    });
  };
  attempt(once, options, (error) => callback(error?.code === 'ENOENT' && options.force ? null : error));
}

// Under --permission: the error for the whole tree, before anything of it is touched.
function refusal(path) {
  try {
    native('permission').check('fs.write', path);
    return undefined;
  } catch (error) {
    return error;
  }
}

function rm(path, given, callback) {
  if (typeof given === 'function') {
    callback = given;
    given = undefined;
  }
  path = getValidatedPath(path);
  const options = validateRmOptions(given);
  mustCall(callback);
  binding.lstat(path, false, true, (error, found) => {
    if (error) {
      callback(options.force && error.code === 'ENOENT' ? null : error);
      return;
    }
    const directory = found.isDirectory();
    const refused = refusal(path);
    if (refused !== undefined) callback(refused);
    else if (directory && !options.recursive) callback(isADirectory(path));
    else if (directory) removeDirectory(path, options, callback);
    else removeFile(path, options, callback);
  });
}

module.exports = { rm, rmSync, removeTreeSync };
