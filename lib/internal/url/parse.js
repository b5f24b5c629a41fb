// natives: url
// The legacy url.parse() and url.format(): Node's own loose grammar from before
// the URL Standard, kept bug for bug because packages depend on it. Resolution
// is in internal/url/resolve. New code uses web/url.
'use strict';

const { domainToASCII } = native('url');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_URL },
} = require('internal/errors/coded');
const { validateObject, validateString } = require('internal/util/validators');

const both = (...names) => new Set(arrayFlatMap.call(names, (name) => [name, `${name}:`]));
const hostlessProtocols = both('javascript');
const slashedProtocols = both('http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss');

const kMaxHostname = 255;
// A path alone, perhaps with a query: by far the most common thing to parse.
const kPathOnly = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const kProtocol = /^[a-z0-9.+-]+:/i;
const kUserAtHost = /^\/\/[^@/]+@[^@/]+/;
// Characters that would let toASCII smuggle another URL part into a host.
const kSpoofing = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const kSpoofingInBrackets = /[\0\t\n\r #%/<>?@\\^|]/;
const kNeedsEscape = /[\t\n\r "'<>\\^`{|}]/g;

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

let warned = false;
function warnOnce() {
  if (warned || requireLater('internal/buffer/caller').isCalledFromNodeModules()) return;
  warned = true;
  process.emitWarning(
    '`url.parse()` behavior is not standardized and prone to errors that have security implications. ' +
      'Use the WHATWG URL API instead. CVEs are not issued for `url.parse()` vulnerabilities.',
    'DeprecationWarning',
    'DEP0169',
  );
}

function parse(url, parseQueryString, slashesDenoteHost) {
  warnOnce();
  if (url instanceof Url) return url;
  return new Url().parse(url, parseQueryString, slashesDenoteHost);
}

function isBracketed(hostname) {
  return stringStartsWith.call(hostname, '[') && stringEndsWith.call(hostname, ']');
}

function isBlank(code) {
  return code < 33 || code === 0xa0 || code === 0xfeff;
}

function trim(url) {
  let start = 0,
    end = url.length;
  while (start < end && isBlank(stringCharCodeAt.call(url, start))) start++;
  while (end > start && isBlank(stringCharCodeAt.call(url, end - 1))) end--;
  return stringSlice.call(url, start, end);
}

// Backslashes count as slashes up to the query or fragment.
function straighten(url) {
  const split = regexpSearch.call(/[?#]/, url);
  const head = split === -1 ? url : stringSlice.call(url, 0, split);
  if (!stringIncludes.call(head, '\\')) return url;
  return stringReplaceAll.call(head, '\\', '/') + (split === -1 ? '' : stringSlice.call(url, split));
}

function setQuery(target, search, parseQueryString) {
  if (search) {
    target.search = search;
    target.query = stringSlice.call(search, 1);
    if (parseQueryString) target.query = require('internal/url/querystring').parse(target.query);
  } else if (parseQueryString) {
    target.search = null;
    target.query = { __proto__: null };
  }
}

// Where the host ends. An '@' moves everything before it into the credentials,
// however odd, unless a character that ends the host came first.
function scanAuthority(rest) {
  let at = -1,
    stop = -1;
  for (let i = 0; i < rest.length; i++) {
    const character = rest[i];
    if (character === '/' || character === '?' || character === '#') {
      if (stop === -1) stop = i;
      break;
    }
    if (character === '@') {
      at = i;
      stop = -1;
    } else if (stop === -1 && stringIncludes.call(' "%\';<>\\^`{|}', character)) {
      stop = i;
    }
  }
  return { at, stop };
}

// Tabs and newlines vanish from the authority, as in the URL Standard.
function dropControls(rest) {
  const end = regexpSearch.call(/[/?#]/, rest);
  const head = end === -1 ? rest : stringSlice.call(rest, 0, end);
  return replaceMatches(head, /[\t\n\r]/g, '') + (end === -1 ? '' : stringSlice.call(rest, end));
}

// Moves what cannot be part of a hostname into the path; returns the new rest.
function checkHostname(target, rest, url) {
  const { hostname } = target;
  const bad = regexpSearch.call(/[/\\#?:]/, hostname);
  if (bad === -1) return rest;
  if (hostname[bad] === ':') throw new ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', url);
  target.hostname = stringSlice.call(hostname, 0, bad);
  return `/${stringSlice.call(hostname, bad)}${rest}`;
}

function toAsciiHost(hostname, bracketed, url) {
  if (hostname.length > kMaxHostname) return '';
  hostname = stringToLowerCase.call(hostname);
  if (hostname === '') return '';
  if (bracketed) {
    if (regexpTest.call(kSpoofingInBrackets, hostname)) throw new ERR_INVALID_URL(url);
    return hostname;
  }
  const ascii =
    regexpTest.call(/^[\0-\x7f]*$/, hostname) && !stringIncludes.call(hostname, 'xn--') ? hostname : domainToASCII(hostname, true);
  if (ascii === '' || regexpTest.call(kSpoofing, ascii)) throw new ERR_INVALID_URL(url);
  return ascii;
}

// Takes credentials, host and port off the front of `rest`.
function parseAuthority(target, rest, url) {
  rest = dropControls(rest);
  const { at, stop } = scanAuthority(rest);
  if (at !== -1) target.auth = decodeURIComponent(stringSlice.call(rest, 0, at));
  target.host = stop === -1 ? stringSlice.call(rest, at + 1) : stringSlice.call(rest, at + 1, stop);
  rest = stop === -1 ? '' : stringSlice.call(rest, stop);

  target.parseHost();
  target.hostname ??= '';
  const bracketed = isBracketed(target.hostname);
  if (!bracketed) rest = checkHostname(target, rest, url);
  target.hostname = toAsciiHost(target.hostname, bracketed, url);
  target.host = target.hostname + (target.port ? `:${target.port}` : '');
  if (bracketed) {
    target.hostname = stringSlice.call(target.hostname, 1, -1);
    if (rest[0] !== '/') rest = `/${rest}`;
  }
  return rest;
}

function escapeDelimiters(text) {
  return replaceMatches(
    text,
    kNeedsEscape,
    (found) => `%${stringPadStart.call(stringToUpperCase.call(numberToString.call(stringCharCodeAt.call(found, 0), 16)), 2, '0')}`,
  );
}

function parseTail(target, rest, parseQueryString) {
  const hash = stringIndexOf.call(rest, '#');
  if (hash !== -1) {
    target.hash = stringSlice.call(rest, hash);
    rest = stringSlice.call(rest, 0, hash);
  }
  const question = stringIndexOf.call(rest, '?');
  setQuery(target, question === -1 ? '' : stringSlice.call(rest, question), parseQueryString);
  const pathname = question === -1 ? rest : stringSlice.call(rest, 0, question);
  if (pathname !== '') target.pathname = pathname;
}

function setPath(target) {
  if (target.pathname || target.search) target.path = (target.pathname || '') + (target.search || '');
}

Url.prototype.parse = function (url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = straighten(trim(url));
  const head = stringSlice.call(rest, 0, (regexpSearch.call(/[?#]/, rest) + 1 || rest.length + 1) - 1);

  if (!slashesDenoteHost && !stringIncludes.call(rest, '#') && !stringIncludes.call(head, '@')) {
    const simple = regexpExec.call(kPathOnly, rest);
    if (simple !== null) {
      this.path = this.href = rest;
      this.pathname = simple[1];
      setQuery(this, simple[2], parseQueryString);
      return this;
    }
  }

  const given = regexpExec.call(kProtocol, rest)?.[0];
  const protocol = given === undefined ? undefined : stringToLowerCase.call(given);
  if (given !== undefined) {
    this.protocol = protocol;
    rest = stringSlice.call(rest, given.length);
  }
  const isHostless = hostlessProtocols.has(protocol);
  let slashes = false;
  if (slashesDenoteHost || given || regexpTest.call(kUserAtHost, rest)) {
    slashes = stringStartsWith.call(rest, '//');
    if (slashes && !isHostless) {
      rest = stringSlice.call(rest, 2);
      this.slashes = true;
    }
  }
  if (!isHostless && (slashes || (given && !slashedProtocols.has(given)))) rest = parseAuthority(this, rest, url);
  if (!isHostless) rest = escapeDelimiters(rest);

  parseTail(this, rest, parseQueryString);
  if (slashedProtocols.has(protocol) && this.hostname && !this.pathname) this.pathname = '/';
  setPath(this);
  this.href = this.format();
  return this;
};

Url.prototype.parseHost = function () {
  let { host } = this;
  const port = regexpExec.call(/:[0-9]*$/, host);
  if (port !== null) {
    if (port[0] !== ':') this.port = stringSlice.call(port[0], 1);
    host = stringSlice.call(host, 0, -port[0].length);
  }
  if (host) this.hostname = host;
};

function encodeAuth(auth) {
  return replaceMatches(encodeURIComponent(auth), /%3A/gi, ':');
}

function hostPart(url, auth) {
  if (url.host) return auth + url.host;
  if (!url.hostname) return '';
  const needsBrackets = stringIncludes.call(url.hostname, ':') && !isBracketed(url.hostname);
  return auth + (needsBrackets ? `[${url.hostname}]` : url.hostname) + (url.port ? `:${url.port}` : '');
}

Url.prototype.format = function () {
  const auth = this.auth ? `${encodeAuth(this.auth)}@` : '';
  let protocol = this.protocol || '';
  if (protocol && !stringEndsWith.call(protocol, ':')) protocol += ':';

  let host = hostPart(this, auth);
  let pathname = stringReplaceAll.call(stringReplaceAll.call(this.pathname || '', '#', '%23'), '?', '%3F');
  if (this.slashes || slashedProtocols.has(protocol)) {
    if (this.slashes || host) {
      if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (stringStartsWith.call(protocol, 'file')) {
      host = '//';
    }
  }

  let query = '';
  if (this.query !== null && typeof this.query === 'object') query = require('internal/url/querystring').stringify(this.query);
  let search = stringReplaceAll.call(this.search || (query && `?${query}`) || '', '#', '%23');
  if (search && search[0] !== '?') search = `?${search}`;
  let hash = this.hash || '';
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  return protocol + host + pathname + search + hash;
};

// url.format(URL, options): parts of a WHATWG URL left out or made readable.
function formatWhatwg(url, options) {
  const read = { fragment: true, unicode: false, search: true, auth: true };
  if (options) {
    validateObject(options, 'options');
    for (const key of each(Object.keys(read))) if (options[key] != null) read[key] = Boolean(options[key]);
  }
  const { protocol, username, password, pathname } = url;
  const hasAuthority = stringStartsWith.call(url.href, '//', protocol.length);
  let out = protocol;
  if (hasAuthority) {
    out += '//';
    if (read.auth && (username || password)) out += `${username}${password ? `:${password}` : ''}@`;
    out += read.unicode ? native('url').domainToUnicode(url.hostname) : url.hostname;
    if (url.port !== '') out += `:${url.port}`;
  } else if (stringStartsWith.call(pathname, '//')) {
    out += '/.';
  }
  return out + pathname + (read.search ? url.search : '') + (read.fragment ? url.hash : '');
}

function format(urlObject, options) {
  if (typeof urlObject === 'string') {
    urlObject = parse(urlObject);
  } else if (typeof urlObject !== 'object' || urlObject === null) {
    throw new ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  } else if (urlObject instanceof require('internal/url/url_class').URL) {
    return formatWhatwg(urlObject, options);
  }
  return call0(Url.prototype.format, urlObject);
}

module.exports = { Url, parse, format, hostlessProtocols, slashedProtocols, setPath };

require('internal/url/resolve');
