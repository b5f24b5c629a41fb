// natives: none
// Windows paths: path.win32. Both slashes separate; roots are '\', 'C:', 'C:\',
// '\\server\share\' and device roots such as '\\.\'.
'use strict';

const { validateString } = require('internal/util/validators');
const { extensionOf, formatParts, lastSegment, relativeSegments, resolveDots, withoutSuffix } = require('internal/path/segments');

const kSlash = 47;
const kBackslash = 92;
const isSeparator = (code) => code === kSlash || code === kBackslash;
const startsWithSeparator = (path, at = 0) => isSeparator(stringCharCodeAt.call(path, at));
const isDrive = (path) => regexpTest.call(/^[a-zA-Z]:/, path);
const tidy = (path, isAbsolute) => resolveDots(path, !isAbsolute, '\\', isSeparator);

const kReservedNames = new Set(['CON', 'PRN', 'AUX', 'NUL']);
for (const digit of each(['1', '2', '3', '4', '5', '6', '7', '8', '9', '\xb9', '\xb2', '\xb3'])) {
  kReservedNames.add(`COM${digit}`).add(`LPT${digit}`);
}
const isReserved = (path, colon) => kReservedNames.has(stringToUpperCase.call(stringSlice.call(path, 0, colon)));

// '\\server\share': its two names, and where it ends. Both must be there.
function uncRoot(path) {
  const match = regexpExec.call(/^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/, path);
  return match === null ? undefined : { server: match[1], share: match[2], end: match[0].length };
}

// The device ('' if none), where what follows the root starts, and whether that is absolute.
function splitRoot(path) {
  if (startsWithSeparator(path)) {
    if (path.length === 1 || !startsWithSeparator(path, 1)) return { device: '', rootEnd: 1, isAbsolute: true };
    const unc = uncRoot(path);
    if (unc === undefined) return { device: '', rootEnd: 0, isAbsolute: true };
    if (unc.server === '.' || unc.server === '?') return { device: `\\\\${unc.server}`, rootEnd: 4, isAbsolute: true };
    return { device: `\\\\${unc.server}\\${unc.share}`, rootEnd: unc.end, isAbsolute: true, unc };
  }
  if (path.length > 1 && isDrive(path)) {
    const isAbsolute = path.length > 2 && startsWithSeparator(path, 2);
    return { device: stringSlice.call(path, 0, 2), rootEnd: isAbsolute ? 3 : 2, isAbsolute };
  }
  return { device: '', rootEnd: 0, isAbsolute: false };
}

// A drive has a current directory of its own, kept in the environment.
function directoryOf(device) {
  const path = process.env[`=${device}`] || process.cwd();
  const elsewhere =
    stringToLowerCase.call(stringSlice.call(path, 0, 2)) !== stringToLowerCase.call(device) &&
    stringCharCodeAt.call(path, 2) === kBackslash;
  return path === undefined || elsewhere ? `${device}\\` : path;
}

// splitRoot for normalize: reserved device names count as devices.
function splitDevice(path) {
  const root = splitRoot(path);
  const colon = stringIndexOf.call(path, ':');
  if (root.device === '\\\\.' || root.device === '\\\\?') {
    const named = stringSlice.call(path, 4, colon + 1);
    if (!isReserved(named, named.length - 1)) return root;
    return { ...root, device: `\\\\?\\${named}`, rootEnd: 4 + named.length };
  }
  if (root.device === '' && !root.isAbsolute && colon > 0 && isReserved(path, colon)) {
    return { device: stringSlice.call(path, 0, colon + 1), rootEnd: colon + 1, isAbsolute: false };
  }
  return root;
}

// A relative path must not come out looking like one with a drive or a stream at its root.
function looksAbsolute(path, tail) {
  if (isDrive(tail)) return true;
  for (let at = stringIndexOf.call(path, ':'); at !== -1; at = stringIndexOf.call(path, ':', at + 1)) {
    if (at === path.length - 1 || startsWithSeparator(path, at + 1)) return true;
  }
  return false;
}

// Where the part that dirname and parse may cut starts; -1 without a root.
function rootLength(path) {
  const { device, rootEnd, unc } = splitRoot(path);
  if (startsWithSeparator(path)) {
    const share = unc ?? (device === '' ? undefined : uncRoot(path));
    if (share === undefined) return 1;
    return share.end === path.length ? share.end : share.end + 1;
  }
  return device === '' ? -1 : rootEnd;
}

const segmentStart = (path) => (path.length >= 2 && isDrive(path) ? 2 : 0);

const win32 = {
  resolve(...args) {
    let device = '';
    let tail = '';
    let isAbsolute = false;
    for (let i = args.length - 1; i >= -1; i--) {
      let path;
      if (i >= 0) {
        path = args[i];
        validateString(path, `paths[${i}]`);
        if (path === '') continue;
      } else if (device === '') {
        path = process.cwd();
        const isHere = args.length === 0 || (args.length === 1 && (args[0] === '' || args[0] === '.'));
        if (isHere && (args.length === 0 || startsWithSeparator(path))) return stringReplaceAll.call(path, '/', '\\');
      } else {
        path = directoryOf(device);
      }
      const root = splitRoot(path);
      if (root.device !== '') {
        if (device === '') device = root.device;
        else if (stringToLowerCase.call(root.device) !== stringToLowerCase.call(device)) continue;
      }
      if (!isAbsolute) {
        tail = `${stringSlice.call(path, root.rootEnd)}\\${tail}`;
        isAbsolute = root.isAbsolute;
      }
      if (isAbsolute && device !== '') break;
    }
    const tidied = tidy(tail, isAbsolute);
    return isAbsolute ? `${device}\\${tidied}` : `${device}${tidied}` || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    if (path.length === 1) return path === '/' ? '\\' : path;
    const { device, rootEnd, isAbsolute, unc } = splitDevice(path);
    if (unc !== undefined && unc.end === path.length) return `${device}\\`;
    let tail = tidy(stringSlice.call(path, rootEnd), isAbsolute);
    if (tail === '' && !isAbsolute) tail = '.';
    if (tail !== '' && startsWithSeparator(path, path.length - 1)) tail += '\\';
    if (!isAbsolute && device === '' && stringIncludes.call(path, ':') && looksAbsolute(path, tail)) return `.\\${tail}`;
    if (isReserved(path, stringIndexOf.call(path, ':'))) return `.\\${device}${tail}`;
    return isAbsolute ? `${device}\\${tail}` : `${device}${tail}`;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path !== '' && (startsWithSeparator(path) || (path.length > 2 && isDrive(path) && startsWithSeparator(path, 2)));
  },

  join(...args) {
    const parts = [];
    for (const arg of each(args)) {
      validateString(arg, 'path');
      if (arg !== '') arrayPush.call(parts, arg);
    }
    if (parts.length === 0) return '.';
    let joined = arrayJoin.call(parts, '\\');
    // Two separators at the start would read as a server, unless the first part says so itself.
    if (!regexpTest.call(/^[\\/]{2}[^\\/]/, parts[0])) joined = replaceMatches(joined, /^[\\/]{2,}/, '\\');
    const names = stringSplit.call(joined, '\\');
    if (arraySome.call(names, (name) => stringIncludes.call(name, ':') && isReserved(name, stringIndexOf.call(name, ':'))))
      return stringReplaceAll.call(joined, '/', '\\');
    return win32.normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    const start = win32.resolve(from);
    const goal = win32.resolve(to);
    if (stringToLowerCase.call(start) === stringToLowerCase.call(goal)) return '';
    const split = (path) => arrayFilter.call(stringSplit.call(path, '\\'), (segment) => segment !== '');
    const here = split(start);
    const there = split(goal);
    const { common, steps } = relativeSegments(here, there, (a, b) => stringToLowerCase.call(a) === stringToLowerCase.call(b));
    // Another device: there is no way but the whole path.
    return common === 0 && here.length > 0 && there.length > 0 ? goal : arrayJoin.call(steps, '\\');
  },

  toNamespacedPath(path) {
    if (typeof path !== 'string' || path === '') return path;
    const resolved = win32.resolve(path);
    if (resolved.length <= 2) return path;
    if (regexpTest.call(/^\\\\[^?.]/, resolved)) return `\\\\?\\UNC\\${stringSlice.call(resolved, 2)}`;
    return regexpTest.call(/^[a-zA-Z]:\\/, resolved) ? `\\\\?\\${resolved}` : resolved;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    if (path.length === 1) return startsWithSeparator(path) ? path : '.';
    const root = rootLength(path);
    if (uncRoot(path)?.end === path.length) return path;
    const { start } = lastSegment(path, Math.max(root, 0), isSeparator);
    if (start !== -1) return stringSlice.call(path, 0, start - 1);
    return root === -1 ? '.' : stringSlice.call(path, 0, root);
  },

  basename(path, suffix) {
    if (suffix !== undefined) validateString(suffix, 'suffix');
    validateString(path, 'path');
    const from = segmentStart(path);
    const { start, end } = lastSegment(path, from, isSeparator);
    if (end === -1) {
      const keeps = suffix !== undefined && suffix !== '' && suffix !== path && suffix.length <= path.length;
      return keeps ? stringSlice.call(path, from) : '';
    }
    return withoutSuffix(stringSlice.call(path, start === -1 ? from : start, end), suffix, path);
  },

  extname(path) {
    validateString(path, 'path');
    const from = segmentStart(path);
    const { start, end } = lastSegment(path, from, isSeparator);
    return end === -1 ? '' : extensionOf(stringSlice.call(path, start === -1 ? from : start, end));
  },

  format(pathObject) {
    return formatParts('\\', pathObject);
  },

  parse(path) {
    validateString(path, 'path');
    const parts = { root: '', dir: '', base: '', ext: '', name: '' };
    if (path === '') return parts;
    const rootEnd = Math.max(rootLength(path), 0);
    parts.root = stringSlice.call(path, 0, rootEnd);
    const { start, end } = lastSegment(path, rootEnd, isSeparator);
    const from = start === -1 ? rootEnd : start;
    if (end !== -1) {
      parts.base = stringSlice.call(path, from, end);
      parts.ext = extensionOf(parts.base);
      parts.name = stringSlice.call(parts.base, 0, parts.base.length - parts.ext.length);
    }
    parts.dir = from > 0 && from !== rootEnd ? stringSlice.call(path, 0, from - 1) : parts.root;
    return parts;
  },

  matchesGlob(path, pattern) {
    validateString(path, 'path');
    validateString(pattern, 'pattern');
    return requireLater('internal/fs/glob_pattern').matchGlobPattern(path, pattern, true);
  },

  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};

win32._makeLong = win32.toNamespacedPath;

module.exports = win32;
