// natives: none
//
// Glob patterns: braces, *, ?, [classes], extended globs and **. A pattern
// becomes lists of segments, each a literal, a regular expression or GLOBSTAR.
// Names that begin with a dot are matched only by segments that say so.
// fs.glob walks the segments; path.matchesGlob and fs.watch's `ignore` match
// whole paths.

'use strict';

const GLOBSTAR = Symbol('**');

// The comma-separated parts of a brace group that starts at `open`, or undefined when it is no group.
function braceParts(text, open) {
  const parts = [];
  let depth = 0;
  let start = open + 1;
  for (let i = open; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i++;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) {
      arrayPush.call(parts, stringSlice.call(text, start, i));
      return { parts, end: i + 1 };
    } else if (character === ',' && depth === 1) {
      arrayPush.call(parts, stringSlice.call(text, start, i));
      start = i + 1;
    }
  }
  return undefined;
}

const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/;

// {1..3} and {a..e..2}
function expandRange(text) {
  const match = regexpExec.call(range, text);
  if (match === null) return undefined;
  const numeric = regexpTest.call(/^-?\d+$/, match[1]);
  if (numeric !== regexpTest.call(/^-?\d+$/, match[2])) return undefined;
  const from = numeric ? Number(match[1]) : stringCharCodeAt.call(match[1], 0);
  const to = numeric ? Number(match[2]) : stringCharCodeAt.call(match[2], 0);
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1))) * (from <= to ? 1 : -1);
  const width = numeric && regexpTest.call(/^-?0\d/, match[1] + match[2]) ? Math.max(match[1].length, match[2].length) : 0;
  const values = [];
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
    arrayPush.call(values, numeric ? stringPadStart.call(String(value), width, '0') : String.fromCharCode(value));
  }
  return values;
}

function expandBraces(text) {
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') {
      i++;
      continue;
    }
    if (text[i] !== '{') continue;
    const group = braceParts(text, i);
    if (group === undefined) continue;
    const choices = group.parts.length > 1 ? arrayFlatMap.call(group.parts, expandBraces) : expandRange(group.parts[0]);
    if (choices === undefined) continue;
    const head = stringSlice.call(text, 0, i);
    const tails = expandBraces(stringSlice.call(text, group.end));
    return arrayFlatMap.call(choices, (choice) => arrayMap.call(tails, (tail) => head + choice + tail));
  }
  return [text];
}

const posixClasses = {
  __proto__: null,
  alpha: '\\p{L}\\p{Nl}',
  digit: '\\p{Nd}',
  alnum: '\\p{L}\\p{Nl}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\p{Z}\\t\\r\\n\\v\\f',
  blank: '\\p{Zs}\\t',
  punct: '\\p{P}',
  xdigit: 'A-Fa-f0-9',
  word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}',
  cntrl: '\\p{Cc}',
  graph: '\\p{L}\\p{N}\\p{P}\\p{S}',
  print: '\\p{L}\\p{N}\\p{P}\\p{S} ',
};

function escape(character) {
  return regexpTest.call(/[\\^$.*+?()[\]{}|/]/, character) ? '\\' + character : character;
}

// [abc], [!a-z], [[:alpha:]]: the expression and where it ends, or undefined when it is not closed.
function characterClass(text, open) {
  let i = open + 1;
  const negated = text[i] === '!' || text[i] === '^';
  if (negated) i++;
  let body = '';
  for (let first = true; i < text.length; first = false) {
    if (text[i] === ']' && !first) return { source: `[${negated ? '^/' : ''}${body}]`, end: i + 1 };
    const posix = regexpExec.call(/^\[:(\w+):\]/, stringSlice.call(text, i));
    if (posix !== null && posixClasses[posix[1]] !== undefined) {
      body += posixClasses[posix[1]];
      i += posix[0].length;
    } else if (text[i] === '-' && !first && text[i + 1] !== ']') {
      body += '-';
      i++;
    } else {
      if (text[i] === '\\' && i + 1 < text.length) i++;
      body += text[i] === '-' ? '\\-' : escape(text[i]);
      i++;
    }
  }
  return undefined;
}

function closingParenthesis(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

function alternatives(text) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === '|' && depth === 0) {
      arrayPush.call(parts, stringSlice.call(text, start, i));
      start = i + 1;
    }
  }
  arrayPush.call(parts, stringSlice.call(text, start));
  return parts;
}

// ?(a|b) *(a|b) +(a|b) @(a|b) !(a|b)
function extendedGlob(text, i) {
  const close = closingParenthesis(text, i + 1);
  if (close === -1) return undefined;
  const inner = arrayJoin.call(
    arrayMap.call(alternatives(stringSlice.call(text, i + 2, close)), (part) => toSource(part)),
    '|',
  );
  const rest = toSource(stringSlice.call(text, close + 1));
  if (text[i] === '!') return { source: `(?!(?:${inner})${rest}$)[^/]*?`, end: close + 1 };
  return { source: `(?:${inner})${text[i] === '@' ? '' : text[i]}`, end: close + 1 };
}

function toSource(text) {
  let source = '';
  for (let i = 0; i < text.length; ) {
    const character = text[i];
    let special;
    if (stringIncludes.call('?*+@!', character) && text[i + 1] === '(') special = extendedGlob(text, i);
    else if (character === '[') special = characterClass(text, i);
    if (special !== undefined) {
      source += special.source;
      i = special.end;
    } else if (character === '*') {
      source += '[^/]*?';
      while (text[i] === '*') i++;
    } else {
      if (character === '?') source += '[^/]';
      else if (character === '\\' && i + 1 < text.length) source += escape(text[++i]);
      else source += escape(character);
      i++;
    }
  }
  return source;
}

const hasMagic = /[*?[\\]|[+@!]\(/;

function parseSegment(text) {
  if (text === '**') return GLOBSTAR;
  if (!regexpTest.call(hasMagic, text)) return text;
  const startsWithWildcard = regexpTest.call(/^(?:[*?[]|[?*+@!]\()/, text) && !regexpTest.call(/^[?*+@!]\((?:[^)]*\|)?\./, text);
  const dots = startsWithWildcard ? '(?!\\.)' : '';
  const nonEmpty = regexpTest.call(/^\*+$/, text) ? '(?=.)' : '';
  return new RegExp(`^${dots}${nonEmpty}${toSource(text)}$`, 'u');
}

// Empty segments and '.' say nothing; a trailing slash (kept as '') asks for a directory.
function parseSegments(text) {
  const parts = stringSplit.call(text, '/');
  const kept = arrayFilter.call(parts, (part, i) => (part !== '' && part !== '.') || (i === 0 && part === ''));
  const segments = arrayFilter.call(
    arrayMap.call(kept, parseSegment),
    (segment, i, all) => segment !== GLOBSTAR || all[i - 1] !== GLOBSTAR,
  );
  const wantsDirectory = parts.length > 1 && arrayAt.call(parts, -1) === '';
  return { segments, wantsDirectory };
}

function parseGlob(pattern) {
  return arrayMap.call(expandBraces(pattern), parseSegments);
}

function matchesSegment(segment, name) {
  return typeof segment === 'string' ? segment === name : regexpTest.call(segment, name);
}

function matchParts(segments, parts, s = 0, p = 0) {
  for (; s < segments.length; s++, p++) {
    if (segments[s] === GLOBSTAR) {
      for (let skip = p; skip <= parts.length; skip++) {
        if (matchParts(segments, parts, s + 1, skip)) return true;
        if (skip < parts.length && stringStartsWith.call(parts[skip], '.')) return false;
      }
      return false;
    }
    if (p >= parts.length || !matchesSegment(segments[s], parts[p])) return false;
  }
  return p === parts.length;
}

// A function that tells whether a whole path matches.
function compileGlob(pattern) {
  const parsed = parseGlob(pattern);
  return (path) => {
    const parts = stringSplit.call(path, '/');
    if (parts.length > 1 && arrayAt.call(parts, -1) === '') arrayPop.call(parts);
    return arraySome.call(parsed, ({ segments }) => matchParts(segments, parts));
  };
}

// path.matchesGlob; in Windows' paths a backslash separates.
function matchGlobPattern(path, pattern, isWindows) {
  const withSlashes = (text) => (isWindows ? stringReplaceAll.call(text, '\\', '/') : text);
  return compileGlob(withSlashes(pattern))(withSlashes(path));
}

module.exports = { GLOBSTAR, parseGlob, compileGlob, matchGlobPattern };
