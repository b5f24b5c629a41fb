// natives: permission
//
// fs.cp, fs.cpSync and fs.promises.cp: one algorithm, written as a generator
// that yields each file operation it needs. One driver runs the operations
// synchronously, the other awaits them.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { dirname, isAbsolute, join, resolve } = require('internal/path/path');
const { codes } = require('internal/errors/coded');
const { getValidatedPath, validateCpOptions } = require('internal/fs/utils');

const errno = { EINVAL: 22, EISDIR: 21, ENOTDIR: 20, EEXIST: 17 };

// cpSync's are plain errors with a code, as in Node, where native code makes them.
function failure(options, name, message, path, code = 'EINVAL') {
  if (options.sync) return Object.assign(new Error(message), { code: name });
  return new codes[name]({ message, path, syscall: 'cp', errno: errno[code], code });
}

const capital = (text) => stringToUpperCase.call(text[0]) + stringSlice.call(text, 1);
const asDirectory = (path) => (stringEndsWith.call(path, '/') ? path : `${path}/`);

function same(a, b) {
  return b.ino && b.dev && b.ino === a.ino && b.dev === a.dev;
}

function parts(path) {
  return arrayFilter.call(stringSplit.call(resolve(path), '/'), Boolean);
}

// By name only: is `dest` in `src`, or `src` itself?
function isInside(src, dest) {
  const inner = parts(dest);
  return arrayEvery.call(parts(src), (part, i) => inner[i] === part);
}

function intoSelf(src, dest, options) {
  const message = options.sync
    ? `Cannot copy ${asDirectory(src)} to a subdirectory of self ${dest}`
    : `cannot copy ${src} to a subdirectory of self ${dest}`;
  return failure(options, 'ERR_FS_CP_EINVAL', message, dest);
}

function alreadyThere(dest) {
  return failure({ sync: false }, 'ERR_FS_CP_EEXIST', `${dest} already exists`, dest, 'EEXIST');
}

// Errors of entries that cannot be overwritten or copied, in the words of both forms.
function cannot(options, name, message, dest, code) {
  return failure(options, name, options.sync ? capital(message) : message, dest, code);
}

function* statOrNothing(path, options) {
  try {
    return yield [options.dereference ? 'stat' : 'lstat', path, { bigint: true }];
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function* checkPaths(src, dest, options) {
  if (options.filter && !(yield ['filter', src, dest])) return { skipped: true };
  const srcStat = yield [options.dereference ? 'stat' : 'lstat', src, { bigint: true }];
  const destStat = yield* statOrNothing(dest, options);
  if (destStat) {
    if (same(srcStat, destStat)) {
      const message = 'src and dest cannot be the same';
      throw failure(options, 'ERR_FS_CP_EINVAL', options.sync ? `${message} ${dest}` : message, dest);
    }
    if (srcStat.isDirectory() && !destStat.isDirectory()) {
      throw cannot(options, 'ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${dest} with directory ${src}`, dest, 'EISDIR');
    }
    if (!srcStat.isDirectory() && destStat.isDirectory()) {
      throw cannot(options, 'ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${dest} with non-directory ${src}`, dest, 'ENOTDIR');
    }
  }
  if (srcStat.isDirectory() && isInside(src, dest)) throw intoSelf(src, dest, options);
  return { srcStat, destStat, skipped: false };
}

// By inode: no parent of dest may be src.
function* checkParents(src, srcStat, dest, options) {
  const srcParent = resolve(dirname(src));
  for (let parent = resolve(dirname(dest)); parent !== srcParent && parent !== '/'; parent = dirname(parent)) {
    let stat;
    try {
      stat = yield ['stat', parent, { bigint: true }];
    } catch (error) {
      if (error.code === 'ENOENT') return;
      throw error;
    }
    if (same(srcStat, stat)) throw intoSelf(src, dest, options);
  }
}

function* copyFile(srcStat, destStat, src, dest, options) {
  if (destStat) {
    if (!options.force) {
      if (options.errorOnExist) throw alreadyThere(dest);
      return;
    }
    yield ['unlink', dest];
  }
  yield ['copyFile', src, dest, options.mode];
  if (options.preserveTimestamps) {
    if ((srcStat.mode & 0o200) === 0) yield ['chmod', dest, srcStat.mode | 0o200];
    const fresh = yield ['stat', src];
    yield ['utimes', dest, fresh.atime, fresh.mtime];
  }
  yield ['chmod', dest, srcStat.mode];
}

function* copyDirectory(srcStat, destStat, src, dest, options) {
  if (!destStat) yield ['mkdir', dest];
  else if (options.errorOnExist && !options.force) {
    throw alreadyThere(dest);
  }
  for (const name of each(yield ['readdir', src])) {
    const from = join(src, name);
    const to = join(dest, name);
    const checked = yield* checkPaths(from, to, options);
    if (!checked.skipped) yield* copyEntry(checked.destStat, from, to, options);
  }
  if (!destStat) yield ['chmod', dest, srcStat.mode];
}

function* copyLink(destStat, src, dest, options) {
  let target = yield ['readlink', src];
  if (!options.verbatimSymlinks && !isAbsolute(target)) target = resolve(dirname(src), target);
  if (!destStat) {
    yield ['symlink', target, dest];
    return;
  }
  let existing;
  try {
    existing = yield ['readlink', dest];
  } catch (error) {
    if (error.code !== 'EINVAL') throw error;
    yield ['symlink', target, dest];
    return;
  }
  if (!isAbsolute(existing)) existing = resolve(dirname(dest), existing);
  const pointsToDirectory = (yield ['stat', src]).isDirectory();
  if (pointsToDirectory && isInside(target, existing)) throw intoSelf(target, existing, options);
  if (pointsToDirectory && isInside(existing, target)) {
    throw failure(options, 'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${existing} with ${target}`, dest);
  }
  yield ['unlink', dest];
  yield ['symlink', target, dest];
}

function* copyEntry(destStat, src, dest, options) {
  const srcStat = yield [options.dereference ? 'stat' : 'lstat', src];
  if (srcStat.isDirectory()) {
    if (!options.recursive) {
      throw failure(
        options,
        'ERR_FS_EISDIR',
        options.sync ? `Recursive option not enabled, cannot copy a directory: ${asDirectory(src)}` : `${src} is a directory (not copied)`,
        src,
        'EISDIR',
      );
    }
    yield* copyDirectory(srcStat, destStat, src, dest, options);
  } else if (srcStat.isFile() || srcStat.isCharacterDevice() || srcStat.isBlockDevice()) {
    yield* copyFile(srcStat, destStat, src, dest, options);
  } else if (srcStat.isSymbolicLink()) {
    yield* copyLink(destStat, src, dest, options);
  } else if (srcStat.isSocket()) {
    throw cannot(options, 'ERR_FS_CP_SOCKET', `cannot copy a socket file: ${dest}`, dest);
  } else if (srcStat.isFIFO()) {
    throw cannot(options, 'ERR_FS_CP_FIFO_PIPE', `cannot copy a FIFO pipe: ${dest}`, dest);
  } else {
    throw cannot(options, 'ERR_FS_CP_UNKNOWN', `cannot copy an unknown file type: ${dest}`, dest);
  }
}

function* copy(src, dest, options) {
  native('permission').check('fs.read', src);
  native('permission').check('fs.write', dest);
  const { srcStat, destStat, skipped } = yield* checkPaths(src, dest, options);
  if (skipped) return;
  yield* checkParents(src, srcStat, dest, options);
  yield ['mkdir', dirname(dest), { recursive: true }];
  yield* copyEntry(destStat, src, dest, options);
}

function driveSync(steps, options) {
  const fs = require('internal/fs/fs');
  let input = steps.next();
  while (!input.done) {
    const [operation, ...parameters] = each(input.value);
    let answer;
    try {
      answer = operation === 'filter' ? filterSync(options.filter, parameters) : fs[operation + 'Sync'](...each(parameters));
    } catch (error) {
      input = steps.throw(error);
      continue;
    }
    input = steps.next(answer);
  }
}

function filterSync(filter, parameters) {
  const answer = filter(...each(parameters));
  if (answer !== null && typeof answer === 'object' && typeof answer.then === 'function') {
    const { ERR_INVALID_RETURN_VALUE } = codes;
    throw new ERR_INVALID_RETURN_VALUE('boolean', 'filter', answer);
  }
  return answer;
}

async function driveAsync(steps, options) {
  const promises = require('internal/fs/promises').exports;
  let input = steps.next();
  while (!input.done) {
    const [operation, ...parameters] = each(input.value);
    let answer;
    try {
      answer = operation === 'filter' ? await options.filter(...each(parameters)) : await promises[operation](...each(parameters));
    } catch (error) {
      input = steps.throw(error);
      continue;
    }
    input = steps.next(answer);
  }
}

function text(path) {
  return typeof path === 'string' ? path : Buffer.from(path).toString();
}

function cpSync(src, dest, given) {
  const options = validateCpOptions(given);
  options.sync = true;
  const from = text(getValidatedPath(src, 'src'));
  const to = text(getValidatedPath(dest, 'dest'));
  driveSync(copy(from, to, options), options);
}

async function cpPromise(src, dest, given) {
  const options = validateCpOptions(given);
  const from = text(getValidatedPath(src, 'src'));
  const to = text(getValidatedPath(dest, 'dest'));
  await driveAsync(copy(from, to, options), options);
}

function cp(src, dest, given, callback) {
  if (typeof given === 'function') {
    callback = given;
    given = undefined;
  }
  require('internal/fs/utils').mustCall(callback);
  const options = validateCpOptions(given);
  const from = text(getValidatedPath(src, 'src'));
  const to = text(getValidatedPath(dest, 'dest'));
  promiseThen(
    driveAsync(copy(from, to, options), options),
    () => process.nextTick(callback, null),
    (error) => process.nextTick(callback, error),
  );
}

module.exports = { cp, cpSync, cpPromise };
