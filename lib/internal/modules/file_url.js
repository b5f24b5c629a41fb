// natives: none
//
// Paths to file: URLs and back, as strings. The module loader calls these for
// every file, so the common case (nothing to escape) is one regular expression.
// This is not node:url: no URL objects, no options, POSIX only.

'use strict';

const needsEscape = /[^A-Za-z0-9_\-./@+:,=!$&'();*]/;
const escapeEach = /[^A-Za-z0-9_\-./@+:,=!$&'();*]/gu;

function escapeCharacter(character) {
  const code = stringCodePointAt.call(character, 0);
  if (code >= 0xd800 && code <= 0xdfff) return '%EF%BF%BD';
  if (code < 0x80) return '%' + (code < 16 ? '0' : '') + stringToUpperCase.call(numberToString.call(code, 16));
  return encodeURIComponent(character);
}

// `path` is absolute; a trailing slash is kept.
function pathToUrl(path) {
  if (!regexpTest.call(needsEscape, path)) return 'file://' + path;
  return 'file://' + replaceMatches(path, escapeEach, escapeCharacter);
}

function urlToPath(url) {
  if (stringStartsWith.call(url, 'file:///') && !regexpTest.call(/[%?#\\\t\n\r]/, url) && !stringIncludes.call(url, '/.')) {
    return stringSlice.call(url, 7);
  }
  return require('internal/url/url').fileURLToPath(url);
}

function isFileUrl(text) {
  return stringStartsWith.call(text, 'file:');
}

// The importing module in error messages: its path if it has one.
function displayName(urlOrPath) {
  if (!isFileUrl(urlOrPath)) return urlOrPath;
  try {
    return urlToPath(urlOrPath);
  } catch {
    return urlOrPath;
  }
}

// A CommonJS referrer is named by its path, an ES module by its URL.
function toUrl(pathOrUrl) {
  return stringCharCodeAt.call(pathOrUrl, 0) === 47 ? pathToUrl(pathOrUrl) : pathOrUrl;
}

module.exports = { pathToUrl, urlToPath, isFileUrl, displayName, toUrl };
