// natives: fs
//
// fs.realpath and fs.realpathSync with their `native` forms. Here both ask the
// system once; the difference Node keeps between them is in the errors: the
// plain form names lstat, the native one realpath.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('fs');
const path = require('internal/path/path');
const { askBytes, getOptions, getValidatedPath, inEncoding, isUrl, mustCall } = require('internal/fs/utils');
const { nameCallback } = require('internal/fs/callbacks');

// Programs hand over anything with toString, and get an absolute path back.
function absolute(value) {
  const text = typeof value === 'string' || isUrl(value) ? value : value + '';
  return path.resolve(getValidatedPath(text));
}

// A file without a path (a pipe behind /dev/stdin): as far as its links lead.
function lastLink(full) {
  try {
    return lastLink(path.resolve(path.dirname(full), binding.readlink(full, false)));
  } catch {
    return full;
  }
}

// The first component that cannot be looked at, as lstat would have told it; undefined when all of them can.
function asLstatError(error, full) {
  if (error.syscall !== 'realpath') return error;
  let current = '';
  for (const part of each(arraySlice.call(stringSplit.call(full, '/'), 1))) {
    current += '/' + part;
    try {
      binding.lstat(current, false, true);
    } catch (failure) {
      if (failure.code !== 'ERR_ACCESS_DENIED') return failure;
    }
  }
  return statFailure(full);
}

function statFailure(full) {
  try {
    binding.stat(full, false, true);
    return undefined;
  } catch (failure) {
    return failure;
  }
}

function realpathSync(p, options) {
  const { encoding } = getOptions(options);
  const full = absolute(p);
  try {
    return inEncoding(binding.followLinks(full, askBytes(encoding)), encoding);
  } catch (error) {
    const failure = asLstatError(error, full);
    if (failure) throw failure;
    return inEncoding(askBytes(encoding) ? Buffer.from(lastLink(full)) : lastLink(full), encoding);
  }
}

realpathSync.native = function (p, options) {
  const { encoding } = getOptions(options);
  return inEncoding(binding.realpath(getValidatedPath(p), askBytes(encoding)), encoding);
};

function realpath(p, options, callback) {
  callback = mustCall(typeof options === 'function' ? options : callback);
  const { encoding } = getOptions(options);
  const full = absolute(p);
  const done = nameCallback(callback, encoding);
  binding.realpath(full, askBytes(encoding), (error, found) => {
    const failure = error && asLstatError(error, full);
    if (failure) callback(failure);
    else done(null, error ? (askBytes(encoding) ? Buffer.from(lastLink(full)) : lastLink(full)) : found);
  });
}

realpath.native = function (p, options, callback) {
  callback = mustCall(callback || options);
  const { encoding } = getOptions(options);
  binding.realpath(getValidatedPath(p), askBytes(encoding), nameCallback(callback, encoding));
};

module.exports = { realpathSync, realpath };
