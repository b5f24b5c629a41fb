// natives: url, structured_clone
// URL (https://url.spec.whatwg.org/#url-class). Parsing and the setters are
// native (src/text/url): a URL here is its href and the offsets of the parts
// in it. URLSearchParams lives in web/url_search_params.
'use strict';

const binding = native('url');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS },
} = require('internal/errors/coded');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const { kNone } = binding; // the part is not there

// Filled by the native half on success, and the places in it.
const offsets = binding.components;
const { kProtocolEnd, kUsernameEnd, kHostStart, kHostEnd, kPort, kPathnameStart, kSearchStart, kHashStart, kSchemeType } = binding;
// Which part a setter changes.
const { kSetHash, kSetPort, kSetHostname, kSetHost, kSetPathname, kSetSearch, kSetPassword, kSetUsername, kSetProtocol } = binding;

class URLContext {
  constructor(href) {
    this.href = href;
    this.protocol_end = offsets[kProtocolEnd];
    this.username_end = offsets[kUsernameEnd];
    this.host_start = offsets[kHostStart];
    this.host_end = offsets[kHostEnd];
    this.pathname_start = offsets[kPathnameStart];
    this.search_start = offsets[kSearchStart];
    this.hash_start = offsets[kHashStart];
    this.port = offsets[kPort];
    this.scheme_type = offsets[kSchemeType];
  }

  get hasPort() {
    return this.port !== kNone;
  }

  get hasSearch() {
    return this.search_start !== kNone;
  }

  get hasHash() {
    return this.hash_start !== kNone;
  }
}

function toText(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value}`;
}

// Unlike the errors of internal/errors/coded this one does not name its code in toString().
function invalidUrl(input, base) {
  const error = new TypeError('Invalid URL');
  error.code = 'ERR_INVALID_URL';
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

function badReceiver() {
  return new TypeError('Receiver must be an instance of class URL');
}

function unreadable() {
  return new TypeError('Cannot read private member #context from an object whose class did not declare it');
}

let hasContext;
let hrefOf; // of a true URL, whatever its accessors say; undefined for anything else
let setSearchQuietly;

// The searchParams object of a URL, told when the URL's query changes and the other way round.
function linkParams(url, search) {
  const { makeLinked } = require('internal/url/search_params');
  return makeLinked(url, search);
}

class URL {
  #context;
  #searchParams = undefined;

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    const href = binding.parse(input, base);
    if (href === undefined) throw invalidUrl(input, base);
    this.#context = new URLContext(href);
  }

  static {
    hasContext = (value) => typeof value === 'object' && value !== null && #context in value;
    hrefOf = (value) => (hasContext(value) ? value.#context.href : undefined);
    setSearchQuietly = (url, search) => {
      const href = binding.set(url.#context.href, kSetSearch, search);
      if (href !== undefined) url.#context = new URLContext(href);
    };
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    // Asking first keeps a failed parse from building an error.
    if (binding.parse(input, base) === undefined) return null;
    return new URL(input, base);
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    return binding.parse(input, base) !== undefined;
  }

  static createObjectURL(object) {
    return requireLater('internal/webstreams/blob').createObjectURL(object);
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    requireLater('internal/webstreams/blob').revokeObjectURL(toText(url));
  }

  #set(which, value) {
    const href = binding.set(this.#context.href, which, toText(value));
    if (href !== undefined) this.#context = new URLContext(href);
    return href !== undefined;
  }

  #read(from, to) {
    return stringSlice.call(this.#context.href, from, to);
  }

  // host_start stands on the '@' when there are credentials.
  #hostname() {
    const { href, host_start: start, host_end: end } = this.#context;
    return stringSlice.call(href, stringCharCodeAt.call(href, start) === 0x40 ? start + 1 : start, end);
  }

  toString() {
    if (!hasContext(this)) throw badReceiver();
    return this.#context.href;
  }

  get href() {
    if (!hasContext(this)) throw badReceiver();
    return this.#context.href;
  }

  set href(value) {
    if (!hasContext(this)) throw unreadable();
    value = toText(value);
    const href = binding.parse(value, undefined);
    if (href === undefined) throw invalidUrl(value);
    this.#context = new URLContext(href);
    this.#refreshParams();
  }

  get origin() {
    if (!hasContext(this)) throw unreadable();
    return binding.origin(this.#context.href);
  }

  get protocol() {
    if (!hasContext(this)) throw unreadable();
    return this.#read(0, this.#context.protocol_end);
  }

  set protocol(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetProtocol, value);
  }

  get username() {
    if (!hasContext(this)) throw unreadable();
    const { protocol_end: end, username_end: last } = this.#context;
    return end + 2 < last ? this.#read(end + 2, last) : '';
  }

  set username(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetUsername, value);
  }

  get password() {
    if (!hasContext(this)) throw unreadable();
    const { username_end: end, host_start: host } = this.#context;
    return host > end ? this.#read(end + 1, host) : '';
  }

  set password(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetPassword, value);
  }

  get host() {
    if (!hasContext(this)) throw unreadable();
    const { port } = this.#context;
    const hostname = this.#hostname();
    return port === kNone ? hostname : `${hostname}:${port}`;
  }

  set host(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetHost, value);
  }

  get hostname() {
    if (!hasContext(this)) throw unreadable();
    return this.#hostname();
  }

  set hostname(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetHostname, value);
  }

  get port() {
    if (!hasContext(this)) throw unreadable();
    const { port } = this.#context;
    return port === kNone ? '' : `${port}`;
  }

  set port(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetPort, value);
  }

  get pathname() {
    if (!hasContext(this)) throw unreadable();
    const { pathname_start: start, search_start: search, hash_start: hash } = this.#context;
    return this.#read(start, search !== kNone ? search : hash !== kNone ? hash : undefined);
  }

  set pathname(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetPathname, value);
  }

  get search() {
    if (!hasContext(this)) throw badReceiver();
    const { search_start: start, hash_start: hash, href } = this.#context;
    if (start === kNone) return '';
    const end = hash === kNone ? href.length : hash;
    return end - start > 1 ? stringSlice.call(href, start, end) : '';
  }

  set search(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetSearch, value);
    this.#refreshParams();
  }

  get searchParams() {
    if (!hasContext(this)) throw unreadable();
    return (this.#searchParams ??= linkParams(this, this.search));
  }

  get hash() {
    if (!hasContext(this)) throw unreadable();
    const { hash_start: start, href } = this.#context;
    return start === kNone || href.length - start <= 1 ? '' : stringSlice.call(href, start);
  }

  set hash(value) {
    if (!hasContext(this)) throw unreadable();
    this.#set(kSetHash, value);
  }

  toJSON() {
    if (!hasContext(this)) throw badReceiver();
    return this.#context.href;
  }

  #refreshParams() {
    if (this.#searchParams === undefined) return;
    require('internal/url/search_params').reset(this.#searchParams, this.search);
  }

  [kInspect](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = Object.create({ constructor: URL });
    for (const name of each(kShownParts)) shown[name] = this[name];
    if (options.showHidden) shown[Symbol('context')] = this.#context;
    return replaceMatches(`${this.constructor.name} ${inspect(shown, options)}`, /^(\S+) URL /, '$1 ');
  }
}

const kShownParts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'searchParams',
  'hash',
];

for (const name of each(['toString', 'toJSON', ...each(kShownParts)])) {
  Object.defineProperty(URL.prototype, name, { enumerable: true });
}
for (const name of each(['parse', 'canParse', 'createObjectURL', 'revokeObjectURL'])) {
  Object.defineProperty(URL, name, { enumerable: true });
}
Object.defineProperty(URL.prototype, Symbol.toStringTag, {
  configurable: true,
  enumerable: false,
  writable: false,
  value: 'URL',
});

// Duck-typed, as Node does: an object of another realm's URL counts.
function isURL(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

function requireUrlOrString(value, name) {
  if (typeof value === 'string') return new URL(value);
  if (!isURL(value)) throw new ERR_INVALID_ARG_TYPE(name, ['string', 'URL'], value);
  return value;
}

const { setMode, kRefused } = native('structured_clone');
setMode(URL.prototype, kRefused);

module.exports = {
  URL,
  hrefOf,
  isURL,
  requireUrlOrString,
  setSearchQuietly,
  get URLSearchParams() {
    return require('internal/url/search_params').URLSearchParams;
  },
};
