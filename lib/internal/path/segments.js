// natives: none
// The common part of POSIX and Windows paths once it is known what separates segments and
// where the root ends. Called by internal/path/posix and internal/path/win32.
'use strict';

const kDot = 46;

// Resolves '.' and '..' and repeated separators. '..' that lead above the start are kept
// when `allowAboveRoot`, dropped otherwise.
function resolveDots(path, allowAboveRoot, separator, isSeparator) {
  const kept = [];
  let start = 0;
  for (let i = 0; i <= path.length; i++) {
    if (i < path.length && !isSeparator(stringCharCodeAt.call(path, i))) continue;
    const length = i - start;
    const dots =
      length <= 2 && stringCharCodeAt.call(path, start) === kDot && (length === 1 || stringCharCodeAt.call(path, start + 1) === kDot);
    if (length === 0 || (length === 1 && dots)) {
      // nothing, or '.'
    } else if (length === 2 && dots) {
      if (kept.length > 0 && kept[kept.length - 1] !== '..') arrayPop.call(kept);
      else if (allowAboveRoot) arrayPush.call(kept, '..');
    } else {
      arrayPush.call(kept, stringSlice.call(path, start, i));
    }
    start = i + 1;
  }
  return kept.length === 1 ? kept[0] : arrayJoin.call(kept, separator);
}

// Where the last segment at or after `from` starts and ends; trailing separators do not
// count. start is -1 when there is no separator before it, end is -1 when there is none.
function lastSegment(path, from, isSeparator) {
  let end = path.length;
  while (end > from && isSeparator(stringCharCodeAt.call(path, end - 1))) end--;
  if (end === from) return { start: -1, end: -1 };
  let start = end;
  while (start > from && !isSeparator(stringCharCodeAt.call(path, start - 1))) start--;
  return { start: start > from ? start : -1, end };
}

function withoutSuffix(segment, suffix, path) {
  if (suffix === undefined || suffix === '' || suffix.length > path.length) return segment;
  if (suffix === path) return '';
  return segment !== suffix && stringEndsWith.call(segment, suffix) ? stringSlice.call(segment, 0, -suffix.length) : segment;
}

// '.ext' of a file name, '' for 'name', '.name' and '..'.
function extensionOf(segment) {
  const dot = stringLastIndexOf.call(segment, '.');
  return dot <= 0 || segment === '..' ? '' : stringSlice.call(segment, dot);
}

function formatParts(separator, parts) {
  require('internal/util/validators').validateObject(parts, 'pathObject');
  const { ext } = parts;
  const dir = parts.dir || parts.root;
  const base = parts.base || `${parts.name || ''}${ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : ''}`;
  if (!dir) return base;
  return dir === parts.root ? `${dir}${base}` : `${dir}${separator}${base}`;
}

// The way from one list of segments to another.
function relativeSegments(from, to, same) {
  let common = 0;
  while (common < from.length && common < to.length && same(from[common], to[common])) common++;
  return { common, steps: [...each(arrayFill.call(Array(from.length - common), '..')), ...each(arraySlice.call(to, common))] };
}

module.exports = { extensionOf, formatParts, lastSegment, relativeSegments, resolveDots, withoutSuffix };
