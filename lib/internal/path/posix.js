// natives: none
// POSIX paths: node:path on this platform, and path.posix.
'use strict';

// Every program loads this file at start: the checks load with the first argument that is no string.
function validateString(value, name) {
  if (typeof value !== 'string') require('internal/util/validators').validateString(value, name);
}
const { extensionOf, formatParts, lastSegment, relativeSegments, resolveDots, withoutSuffix } = require('internal/path/segments');

const kSlash = 47;
const isSlash = (code) => code === kSlash;

// Paths that need no work are common: no empty, '.' or '..' segment.
const kNeedsWork = /(?:^|\/)(?:\.{0,2})(?:\/|$)/;
const tidy = (path, isAbsolute) => resolveDots(path, !isAbsolute, '/', isSlash);

const posix = {
  resolve(...args) {
    if (args.length === 0 || (args.length === 1 && (args[0] === '' || args[0] === '.'))) {
      const cwd = process.cwd();
      if (stringCharCodeAt.call(cwd, 0) === kSlash) return cwd;
    }
    let resolved = '';
    let isAbsolute = false;
    for (let i = args.length - 1; i >= 0 && !isAbsolute; i--) {
      const path = args[i];
      validateString(path, `paths[${i}]`);
      if (path === '') continue;
      resolved = resolved === '' ? path : `${path}/${resolved}`;
      isAbsolute = stringCharCodeAt.call(path, 0) === kSlash;
    }
    if (!isAbsolute) {
      const cwd = process.cwd();
      resolved = `${cwd}/${resolved}`;
      isAbsolute = stringCharCodeAt.call(cwd, 0) === kSlash;
    }
    const tail = tidy(resolved, isAbsolute);
    if (isAbsolute) return `/${tail}`;
    return tail === '' ? '.' : tail;
  },

  normalize(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    const isAbsolute = stringCharCodeAt.call(path, 0) === kSlash;
    if (!regexpTest.call(kNeedsWork, isAbsolute ? stringSlice.call(path, 1) : path)) return path;
    const endsWithSlash = stringCharCodeAt.call(path, path.length - 1) === kSlash;
    let tail = tidy(path, isAbsolute);
    if (tail === '') {
      if (isAbsolute) return '/';
      return endsWithSlash ? './' : '.';
    }
    if (endsWithSlash) tail += '/';
    return isAbsolute ? `/${tail}` : tail;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return stringCharCodeAt.call(path, 0) === kSlash;
  },

  join(...args) {
    let joined = '';
    for (let i = 0; i < args.length; i++) {
      const arg = args[i];
      validateString(arg, 'path');
      if (arg !== '') joined = joined === '' ? arg : `${joined}/${arg}`;
    }
    return joined === '' ? '.' : posix.normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    const split = (path) => arrayFilter.call(stringSplit.call(path, '/'), (segment) => segment !== '');
    return arrayJoin.call(relativeSegments(split(posix.resolve(from)), split(posix.resolve(to)), (a, b) => a === b).steps, '/');
  },

  toNamespacedPath(path) {
    return path;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    // The usual case: a name at the end, one slash before it.
    const slash = stringLastIndexOf.call(path, '/');
    if (slash > 1 && slash < path.length - 1 && stringCharCodeAt.call(path, slash - 1) !== kSlash) return stringSlice.call(path, 0, slash);
    const isAbsolute = stringCharCodeAt.call(path, 0) === kSlash;
    const { start } = lastSegment(path, 1, isSlash);
    if (start === -1) return isAbsolute ? '/' : '.';
    // One slash goes; more before it stay, as they stand.
    return isAbsolute && start === 2 ? '//' : stringSlice.call(path, 0, start - 1);
  },

  basename(path, suffix) {
    if (suffix !== undefined) validateString(suffix, 'suffix');
    validateString(path, 'path');
    if (suffix === undefined && stringCharCodeAt.call(path, path.length - 1) !== kSlash)
      return stringSlice.call(path, stringLastIndexOf.call(path, '/') + 1);
    const { start, end } = lastSegment(path, 0, isSlash);
    if (end === -1) {
      const keeps = suffix !== undefined && suffix !== '' && suffix !== path && suffix.length <= path.length;
      return keeps ? path : '';
    }
    return withoutSuffix(stringSlice.call(path, Math.max(start, 0), end), suffix, path);
  },

  extname(path) {
    validateString(path, 'path');
    const { start, end } = lastSegment(path, 0, isSlash);
    return end === -1 ? '' : extensionOf(stringSlice.call(path, Math.max(start, 0), end));
  },

  format(pathObject) {
    return formatParts('/', pathObject);
  },

  parse(path) {
    validateString(path, 'path');
    const parts = { root: '', dir: '', base: '', ext: '', name: '' };
    if (path === '') return parts;
    const isAbsolute = stringCharCodeAt.call(path, 0) === kSlash;
    if (isAbsolute) parts.root = '/';
    const { start, end } = lastSegment(path, isAbsolute ? 1 : 0, isSlash);
    if (start !== -1) parts.dir = stringSlice.call(path, 0, start - 1);
    else if (isAbsolute) parts.dir = '/';
    if (end !== -1) {
      parts.base = stringSlice.call(path, start === -1 ? parts.root.length : start, end);
      parts.ext = extensionOf(parts.base);
      parts.name = stringSlice.call(parts.base, 0, parts.base.length - parts.ext.length);
    }
    return parts;
  },

  matchesGlob(path, pattern) {
    validateString(path, 'path');
    validateString(pattern, 'pattern');
    return requireLater('internal/fs/glob_pattern').matchGlobPattern(path, pattern, false);
  },

  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};

posix._makeLong = posix.toNamespacedPath;

module.exports = posix;
