// natives: none
//
// fs.glob, fs.globSync and fs.promises.glob: walks a tree along the segments of
// a pattern. The walk is a generator that yields the directories it wants to
// read and the paths it found; a synchronous and an asynchronous driver run it.
// Patterns do not go through symbolic links unless followSymlinks is set; a link
// that is named is entered.

'use strict';

const { basename, dirname, isAbsolute, join, resolve } = require('internal/path/path');
const { codes } = require('internal/errors/coded');
const { validateBoolean, validateFunction, validateObject, validateString } = require('internal/util/validators');
const { isUrl } = require('internal/fs/utils');
const { GLOBSTAR, compileGlob, parseGlob } = require('internal/fs/glob_pattern');

function checkPatterns(pattern) {
  if (typeof pattern === 'string') return [pattern];
  if (!Array.isArray(pattern)) {
    if (typeof pattern === 'object') throw new codes.ERR_INVALID_ARG_TYPE('patterns', 'Array', pattern);
    validateString(pattern, 'patterns');
  }
  arrayForEach.call(pattern, (one, i) => validateString(one, `patterns[${i}]`));
  return pattern;
}

const isNotEmpty = (pattern) => pattern !== '';

function excluder(exclude, root, withFileTypes) {
  if (exclude == null) return { skip: () => false, drop: () => false };
  if (Array.isArray(exclude)) {
    arrayForEach.call(exclude, (one, i) => {
      if (typeof one !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`options.exclude[${i}]`, 'string', one);
    });
    const matchers = arrayMap.call(exclude, (one) => compileGlob(resolve(root, one)));
    const drop = (path) => arraySome.call(matchers, (match) => match(resolve(root, path)));
    return { skip: drop, drop };
  }
  if (typeof exclude !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('options.exclude', ['string[]', 'function'], exclude);
  // Of a part without wildcards the function gets the whole path.
  const skip = (path, entry, isLiteral) => exclude(withFileTypes ? entry : isLiteral ? path : (entry?.name ?? basename(path)));
  return { skip, drop: () => false };
}

class Walk {
  constructor(pattern, options = {}, isSync = true) {
    validateObject(options, 'options');
    const { cwd, exclude, followSymlinks, withFileTypes } = options;
    this.root = isUrl(cwd) ? require('internal/url/url').fileURLToPath(cwd) : (cwd ?? '.');
    if (followSymlinks != null) validateBoolean(followSymlinks, 'options.followSymlinks');
    this.follow = Boolean(followSymlinks);
    this.withFileTypes = Boolean(withFileTypes);
    this.base = isSync ? this.root : resolve(this.root); // of the parentPath of entries
    this.excluded = excluder(exclude, this.root, this.withFileTypes);
    this.patterns = arrayFlatMap.call(arrayFilter.call(checkPatterns(pattern), isNotEmpty), parseGlob);
    this.found = new Set();
    this.listings = new Map();
  }

  full(path) {
    return isAbsolute(path) ? path : join(this.root, path);
  }

  *run() {
    for (const { segments, wantsDirectory } of each(this.patterns)) {
      const absolute = segments[0] === '';
      yield* this.step(absolute ? '/' : '', segments, absolute ? 1 : 0, { wantsDirectory, entry: undefined, linked: false });
    }
  }

  // Everything under `path` that the segments from `index` on describe.
  *step(path, segments, index, state) {
    if (index === segments.length) {
      yield* this.report(path, state);
      return;
    }
    const segment = segments[index];
    if (segment === GLOBSTAR) {
      yield* this.deep(path, segments, index, state);
    } else if (typeof segment === 'string') {
      yield* this.literal(path, segments, index, state);
    } else {
      for (const entry of each(yield* this.list(path))) {
        if (regexpTest.call(segment, entry.name)) yield* this.child(path, entry, segments, index + 1, state);
      }
    }
  }

  *literal(path, segments, index, state) {
    const next = join(path, segments[index]) || '.';
    const entry = yield ['lstat', this.full(next), next];
    if (entry === null) return;
    if (segments[index] !== '..' && this.excluded.skip(next, entry, true)) return;
    yield* this.step(next, segments, index + 1, { ...state, entry, linked: false });
  }

  *child(path, entry, segments, index, state) {
    const next = path === '' || path === '.' ? entry.name : join(path, entry.name);
    if (this.excluded.skip(next, entry)) return;
    if ((index < segments.length || state.wantsDirectory) && !(yield* this.mayEnter(next, entry))) return;
    yield* this.step(next, segments, index, { ...state, entry, linked: false });
  }

  *mayEnter(path, entry) {
    if (entry.isDirectory()) return true;
    if (!this.follow || !entry.isSymbolicLink()) return false;
    return yield ['isDirectory', this.full(path)];
  }

  // ** : here, then each directory below.
  *deep(path, segments, index, state) {
    const last = index === segments.length - 1;
    if (!state.linked || (last && !state.wantsDirectory)) yield* this.step(path, segments, index + 1, state);
    if (state.linked) return;
    for (const entry of each(yield* this.list(path))) {
      if (stringStartsWith.call(entry.name, '.')) continue;
      const next = path === '' || path === '.' ? entry.name : join(path, entry.name);
      if (this.excluded.skip(next, entry)) continue;
      const isLink = entry.isSymbolicLink();
      if (!entry.isDirectory() && !isLink) {
        if (last) yield* this.report(next, { ...state, entry });
        continue;
      }
      const directory = !isLink || (yield ['isDirectory', this.full(next)]);
      const inner = { ...state, entry, linked: isLink && !this.follow };
      if (directory && !this.cycle(next, isLink)) yield* this.deep(next, segments, index, inner);
      else if (last) yield* this.report(next, inner);
    }
  }

  // With followSymlinks, a link to one of its own parents is not entered again.
  cycle(path, isLink) {
    if (!isLink || !this.follow) return false;
    const { realpathSync } = require('internal/fs/fs');
    const real = realpathSync(this.full(path));
    const here = realpathSync(dirname(this.full(path)));
    return here === real || stringStartsWith.call(here, real + '/');
  }

  *list(path) {
    const full = this.full(path === '' ? '.' : path);
    let listing = this.listings.get(full);
    if (listing === undefined) this.listings.set(full, (listing = yield ['readdir', full]));
    return listing;
  }

  *report(path, state) {
    const shown = path === '' ? '.' : path.length > 1 && stringEndsWith.call(path, '/') ? stringSlice.call(path, 0, -1) : path;
    if (state.wantsDirectory && !(yield ['isDirectory', this.full(shown)])) return;
    if (this.found.has(shown) || this.excluded.drop(shown)) return;
    this.found.add(shown);
    if (!this.withFileTypes) yield ['found', shown];
    else yield ['found', yield ['lstat', isAbsolute(shown) ? shown : join(this.base, shown)]];
  }
}

const { Dirent } = require('internal/fs/stats');
const kindNumbers = [
  ['isFile', 1],
  ['isDirectory', 2],
  ['isSymbolicLink', 3],
  ['isFIFO', 4],
  ['isSocket', 5],
  ['isCharacterDevice', 6],
  ['isBlockDevice', 7],
];

function toDirent(full, stats) {
  const kind = arrayFind.call(kindNumbers, (kind) => stats[kind[0]]());
  return new Dirent(basename(full), kind?.[1] ?? 0, dirname(full));
}

function operateSync(request) {
  const [operation, full] = each(request);
  const fs = require('internal/fs/fs');
  try {
    if (operation === 'readdir') return fs.readdirSync(full, { withFileTypes: true });
    if (operation === 'lstat') return toDirent(full, fs.lstatSync(full));
    return fs.statSync(full).isDirectory();
  } catch {
    return operation === 'readdir' ? [] : operation === 'lstat' ? null : false;
  }
}

async function operate(request) {
  const [operation, full] = each(request);
  const { exports: promises } = require('internal/fs/promises');
  try {
    if (operation === 'readdir') return await promises.readdir(full, { withFileTypes: true });
    if (operation === 'lstat') return toDirent(full, await promises.lstat(full));
    return (await promises.stat(full)).isDirectory();
  } catch {
    return operation === 'readdir' ? [] : operation === 'lstat' ? null : false;
  }
}

function globSync(pattern, options) {
  const steps = new Walk(pattern, options).run();
  const found = [];
  let answer;
  for (let step = steps.next(); !step.done; step = steps.next(answer)) {
    if (step.value[0] === 'found') arrayPush.call(found, step.value[1]);
    else answer = operateSync(step.value);
  }
  return found;
}

async function* drive(walk) {
  const steps = walk.run();
  let answer;
  for (let step = steps.next(); !step.done; step = steps.next(answer)) {
    if (step.value[0] === 'found') yield step.value[1];
    else answer = await operate(step.value);
  }
}

function globPromise(pattern, options) {
  return drive(new Walk(pattern, options, false));
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'cb');
  const walk = new Walk(pattern, options, false);
  const results = async () => {
    const found = [];
    for await (const path of drive(walk)) arrayPush.call(found, path);
    return found;
  };
  promiseThen(
    results(),
    (found) => process.nextTick(callback, null, found),
    (error) => process.nextTick(callback, error),
  );
}

module.exports = { glob, globSync, globPromise };
