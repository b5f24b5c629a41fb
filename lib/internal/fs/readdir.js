// natives: fs
//
// readdir in its three faces, plain, with types, and recursive. The native half
// gives names, or [names, types]; a file system that does not tell types leaves
// zeros, and those entries are looked at one by one.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('fs');
const path = require('internal/path/path');
const { validateBoolean } = require('internal/util/validators');
const { Dirent } = require('internal/fs/stats');
const { askBytes, getOptions, getValidatedPath, inEncoding, mustCall } = require('internal/fs/utils');

const separator = '/';

function joinName(directory, name) {
  if (typeof directory === 'string' && typeof name === 'string') return path.join(directory, name);
  if (name === undefined) return directory;
  const bytesOf = (part) => (typeof part === 'string' ? Buffer.from(part) : part);
  return Buffer.concat([bytesOf(directory), bytesOf(separator), bytesOf(name)]);
}

function typeOf(full) {
  let stats;
  try {
    stats = binding.lstat(full, false, true);
  } catch {
    return 0;
  }
  if (stats.isFile()) return 1;
  if (stats.isDirectory()) return 2;
  if (stats.isSymbolicLink()) return 3;
  if (stats.isFIFO()) return 4;
  if (stats.isSocket()) return 5;
  return stats.isCharacterDevice() ? 6 : 7;
}

function makeDirents(directory, listing, encoding) {
  const [names, types] = each(listing);
  return arrayMap.call(names, (raw, index) => {
    const type = types[index] || typeOf(joinName(directory, raw));
    return new Dirent(inEncoding(raw, encoding), type, directory);
  });
}

function finish(directory, raw, options) {
  const { encoding } = options;
  if (options.withFileTypes) return makeDirents(directory, raw, encoding);
  if (!askBytes(encoding)) return raw;
  for (let i = 0; i < raw.length; i++) raw[i] = inEncoding(raw[i], encoding);
  return raw;
}

// One directory of a recursive walk: entries go to `found`, directories to `queue`.
function collect(directory, listing, walk) {
  const [names, types] = each(listing);
  for (let i = 0; i < names.length; i++) {
    const full = joinName(directory, names[i]);
    const type = types[i] || typeOf(full);
    if (walk.options.withFileTypes) {
      arrayPush.call(walk.found, new Dirent(inEncoding(names[i], walk.options.encoding), type, directory));
    } else {
      arrayPush.call(
        walk.found,
        typeof full === 'string'
          ? path.relative(walk.base, full)
          : inEncoding(full.subarray(Buffer.byteLength(walk.base) + 1), walk.options.encoding),
      );
    }
    if (type === 2 || (type === 3 && binding.isDirectory(full))) arrayPush.call(walk.queue, full);
  }
}

function walkSync(base, options) {
  const walk = { base, options, found: [], queue: [base] };
  for (let i = 0; i < walk.queue.length; i++) {
    collect(walk.queue[i], binding.readdir(walk.queue[i], askBytes(options.encoding), true), walk);
  }
  return walk.found;
}

function walkAsync(base, options, callback) {
  const walk = { base, options, found: [], queue: [base] };
  let index = 0;
  const next = () => {
    if (index === walk.queue.length) {
      callback(null, walk.found);
      return;
    }
    const directory = walk.queue[index++];
    binding.readdir(directory, askBytes(options.encoding), true, (error, raw) => {
      if (error) {
        callback(error);
        return;
      }
      collect(directory, raw, walk);
      next();
    });
  };
  next();
}

function readArguments(directory, options) {
  options = getOptions(options);
  directory = getValidatedPath(directory);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  return {
    directory,
    options: { encoding: options.encoding, withFileTypes: Boolean(options.withFileTypes), recursive: Boolean(options.recursive) },
  };
}

function readdirSync(directory, given) {
  const { directory: from, options } = readArguments(directory, given);
  if (options.recursive) return walkSync(from, options);
  return finish(from, binding.readdir(from, askBytes(options.encoding), options.withFileTypes), options);
}

function readdir(directory, given, callback) {
  if (typeof given === 'function') {
    callback = given;
    given = undefined;
  }
  mustCall(callback);
  const { directory: from, options } = readArguments(directory, given);
  if (options.recursive) {
    walkAsync(from, options, callback);
    return;
  }
  const bytes = askBytes(options.encoding);
  if (!bytes && !options.withFileTypes) {
    binding.readdir(from, false, false, callback);
    return;
  }
  binding.readdir(from, bytes, options.withFileTypes, (error, raw) => {
    if (error) callback(error);
    else callback(null, finish(from, raw, options));
  });
}

module.exports = { readdirSync, readdir, joinName };
