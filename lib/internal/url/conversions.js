// natives: url, buffer
// Between URLs and the rest of Node: file URLs and paths, http options,
// domainToASCII and domainToUnicode. Re-exports URL and URLSearchParams under
// Node's internal module name.
'use strict';

const binding = native('url');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_FILE_URL_HOST,
    ERR_INVALID_FILE_URL_PATH,
    ERR_INVALID_URL,
    ERR_INVALID_URL_SCHEME,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors/coded');
const { validateObject, validateString, kValidateObjectAllowObjects } = require('internal/util/validators');
const { URL, isURL } = require('internal/url/url_class');

const isWindowsHost = process.platform === 'win32';
const path = () => require('internal/path/path');

// As Node: the host that the text is when it is set in a URL, '' when it is refused (the URL keeps the one it had).
function hostOf(domain) {
  for (const before of each(['a', 'b'])) {
    const url = new URL(`ws://${before}`);
    url.hostname = domain;
    if (url.hostname !== before) return url.hostname;
  }
  return '';
}

function domainToASCII(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  return hostOf(domain);
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  return binding.domainToUnicode(hostOf(domain));
}

function urlToHttpOptions(url) {
  validateObject(url, 'url', kValidateObjectAllowObjects);
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol: url.protocol,
    hostname: hostname && hostname[0] === '[' ? stringSlice.call(hostname, 1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) {
    options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  }
  return options;
}

// --- file URL → path

function rejectEncodedSeparators(pathname, url, windows) {
  for (let at = stringIndexOf.call(pathname, '%'); at !== -1; at = stringIndexOf.call(pathname, '%', at + 1)) {
    const third = stringCharCodeAt.call(pathname, at + 2) | 0x20;
    const digit = pathname[at + 1];
    if (digit === '2' && third === 0x66) {
      throw new ERR_INVALID_FILE_URL_PATH(
        windows ? 'must not include encoded \\ or / characters' : 'must not include encoded / characters',
        url,
      );
    }
    if (windows && digit === '5' && third === 0x63) {
      throw new ERR_INVALID_FILE_URL_PATH('must not include encoded \\ or / characters', url);
    }
  }
}

function windowsPath(url, decodePart, asUnicode) {
  const { hostname } = url;
  rejectEncodedSeparators(url.pathname, url, true);
  const pathname = decodePart(stringReplaceAll.call(url.pathname, '/', '\\'));
  if (hostname !== '') return `\\\\${asUnicode(hostname)}${pathname}`;
  const letter = stringCharCodeAt.call(pathname, 1) | 0x20;
  if (letter < 0x61 || letter > 0x7a || pathname[2] !== ':') {
    throw new ERR_INVALID_FILE_URL_PATH('must be absolute', url);
  }
  return stringSlice.call(pathname, 1);
}

function requireFileUrl(value) {
  if (typeof value === 'string') value = new URL(value);
  else if (!isURL(value)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], value);
  if (value.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  return value;
}

function requireLocalHost(url) {
  if (url.hostname !== '') throw new ERR_INVALID_FILE_URL_HOST(process.platform);
}

function fileURLToPath(value, options = undefined) {
  const windows = options?.windows ?? isWindowsHost;
  const url = requireFileUrl(value);
  if (windows) return windowsPath(url, decodeURIComponent, domainToUnicode);
  requireLocalHost(url);
  const { pathname } = url;
  if (!stringIncludes.call(pathname, '%')) return pathname;
  rejectEncodedSeparators(pathname, url, false);
  return decodeURIComponent(pathname);
}

// The bytes as they stand in the URL, whatever encoding they are in.
function percentDecode(text) {
  const source = native('buffer').fromString(text, 0);
  let length = 0;
  for (let i = 0; i < source.length; i++, length++) {
    const pair = source[i] === 0x25 && i + 2 < source.length ? String.fromCharCode(source[i + 1], source[i + 2]) : '';
    if (regexpTest.call(/^[0-9a-fA-F]{2}$/, pair)) {
      source[length] = parseInt(pair, 16);
      i += 2;
    } else {
      source[length] = source[i];
    }
  }
  return source.subarray(0, length);
}

function fileURLToPathBuffer(value, options = undefined) {
  const windows = options?.windows ?? isWindowsHost;
  const url = requireFileUrl(value);
  const { Buffer } = requireLater('internal/buffer/buffer');
  if (windows) return Buffer.from(windowsPath(url, decodeURIComponent, domainToUnicode));
  requireLocalHost(url);
  rejectEncodedSeparators(url.pathname, url, false);
  return percentDecode(url.pathname);
}

// --- path → file URL

// Spaces and control characters are escaped here, too: the parser of URLs drops some of them, and all of them at the end.
function encodeByte(character) {
  const code = stringCharCodeAt.call(character, 0);
  return `%${code < 16 ? '0' : ''}${stringToUpperCase.call(numberToString.call(code, 16))}`;
}

function escapePath(text, windows) {
  const pattern = windows ? /[\0- %?#^[\]|~]/g : /[\0- %\\?#^[\]|~]/g;
  return replaceMatches(text, pattern, encodeByte);
}

function uncUrl(filepath) {
  const isExtended = stringStartsWith.call(filepath, '\\\\?\\UNC\\');
  const prefix = isExtended ? 8 : 2;
  const end = stringIndexOf.call(filepath, '\\', prefix);
  if (end === -1) throw new ERR_INVALID_ARG_VALUE('path', filepath, 'Missing UNC resource path');
  if (end === 2) throw new ERR_INVALID_ARG_VALUE('path', filepath, 'Empty UNC servername');
  const hostname = stringSlice.call(filepath, prefix, end);
  const url = binding.fileUrl(stringReplaceAll.call(escapePath(stringSlice.call(filepath, end), true), '\\', '/'), hostname);
  if (url === undefined) throw new ERR_INVALID_URL(filepath);
  return new URL(url);
}

function pathToFileURL(filepath, options = undefined) {
  const windows = options?.windows ?? isWindowsHost;
  validateString(filepath, 'path');
  const isUnc = windows && stringStartsWith.call(filepath, '\\\\');
  if (isUnc && (stringStartsWith.call(filepath, '\\\\?\\UNC\\') || !stringStartsWith.call(filepath, '\\\\?\\'))) return uncUrl(filepath);
  if (isUnc) filepath = stringSlice.call(filepath, 4);

  const rules = windows ? path().win32 : path().posix;
  let resolved = rules.resolve(filepath);
  const last = filepath[filepath.length - 1];
  const hadSlash = last === '/' || (windows && last === '\\');
  if (hadSlash && resolved[resolved.length - 1] !== rules.sep) resolved += '/';
  resolved = escapePath(resolved, windows);
  if (windows) resolved = `/${stringReplaceAll.call(resolved, '\\', '/')}`;
  return new URL(`file://${resolved}`);
}

function toPathIfFileURL(value) {
  return isURL(value) ? fileURLToPath(value) : value;
}

module.exports = {
  URL,
  get URLSearchParams() {
    return require('internal/url/search_params').URLSearchParams;
  },
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  fileURLToPathBuffer,
  isURL,
  pathToFileURL,
  toPathIfFileURL,
  urlToHttpOptions,
};
