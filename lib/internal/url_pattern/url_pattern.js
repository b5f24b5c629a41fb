// natives: none
// URLPattern (https://urlpattern.spec.whatwg.org/): the class users see, with Node's argument checks. How patterns are read and
// components compared is in internal/url_pattern.
'use strict';

const {
  codes: { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { URL } = require('internal/url/url_class');
const { compileComponent } = require('internal/url_pattern/parts');
const { parseWhole, matchesSpecialScheme, kDefaultOptions } = require('internal/url_pattern/whole');
const { processInit, componentsOf } = require('internal/url_pattern/init');
const {
  kDefaultPorts,
  canonicalProtocol,
  canonicalUsername,
  canonicalPassword,
  canonicalHostname,
  canonicalIPv6Hostname,
  canonicalPort,
  canonicalPathname,
  canonicalOpaquePathname,
  canonicalSearch,
  canonicalHash,
} = require('internal/url_pattern/canonical');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kParts = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

const kResultKeys = arraySort.call([...each(kParts), 'inputs']);
const kHostnameOptions = { delimiter: '.', prefix: '', ignoreCase: false };

const compiled = new WeakMap();

function componentsOfPattern(pattern) {
  const components = typeof pattern === 'object' && pattern !== null ? compiled.get(pattern) : undefined;
  if (components === undefined) throw new TypeError('Illegal invocation');
  return components;
}

function checkInput(input) {
  if (input === undefined || input === null) return {};
  if (typeof input !== 'string' && typeof input !== 'object' && typeof input !== 'function') {
    throw Object.assign(new ERR_INVALID_ARG_TYPE('input', ['string', 'object'], input), { message: 'Input must be an object or a string' });
  }
  return typeof input === 'string' ? input : readInit(input);
}

// A copy of the dictionary, so that what a getter throws reaches the caller as it is.
function readInit(init) {
  const copy = {};
  for (const name of each([...each(kParts), 'baseURL'])) {
    const value = init[name];
    if (value !== undefined) copy[name] = `${value}`;
  }
  return copy;
}

// null counts as the text it turns into: a base that cannot be parsed, so that nothing matches.
function checkBase(base) {
  if (base === null) return 'null';
  if (base !== undefined && typeof base !== 'string') throw new ERR_INVALID_ARG_TYPE('baseURL', 'string', base);
  return base;
}

function checkOptions(options) {
  if (options === undefined || options === null) return false;
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options', 'object', options);
  }
  return Boolean(options.ignoreCase);
}

function isIPv6Pattern(hostname) {
  return hostname.length >= 2 && (hostname[0] === '[' || ((hostname[0] === '{' || hostname[0] === '\\') && hostname[1] === '['));
}

// https://urlpattern.spec.whatwg.org/#url-pattern-create
function compile(input, base, ignoreCase) {
  let init = input;
  if (typeof input === 'string') {
    init = parseWhole(input);
    if (base === undefined && init.protocol === undefined) throw new TypeError(`A base URL is missing for '${input}'`);
    if (base !== undefined) init.baseURL = base;
  } else if (base !== undefined) {
    throw new TypeError('A base URL is for a pattern that is a string');
  }
  const texts = processInit(init, true, {});
  for (const name of each(kParts)) texts[name] ??= '*';
  if (texts.port !== '' && kDefaultPorts[texts.protocol] === texts.port) texts.port = '';
  const usual = { delimiter: '', prefix: '', ignoreCase };
  const protocol = compileComponent(texts.protocol, canonicalProtocol, kDefaultOptions);
  const pathname = matchesSpecialScheme(protocol)
    ? compileComponent(texts.pathname, canonicalPathname, { delimiter: '/', prefix: '/', ignoreCase })
    : compileComponent(texts.pathname, canonicalOpaquePathname, usual);
  return {
    protocol,
    username: compileComponent(texts.username, canonicalUsername, kDefaultOptions),
    password: compileComponent(texts.password, canonicalPassword, kDefaultOptions),
    hostname: compileComponent(
      texts.hostname,
      isIPv6Pattern(texts.hostname) ? canonicalIPv6Hostname : (text) => canonicalHostname(text),
      kHostnameOptions,
    ),
    port: compileComponent(texts.port, (text) => canonicalPort(text), kDefaultOptions),
    pathname,
    search: compileComponent(texts.search, canonicalSearch, usual),
    hash: compileComponent(texts.hash, canonicalHash, usual),
  };
}

function compileOrThrow(input, base, ignoreCase) {
  try {
    return compile(input, base, ignoreCase);
  } catch (error) {
    throw Object.assign(new TypeError(error.message), { code: 'ERR_INVALID_URL_PATTERN' });
  }
}

// The components that are to be compared; null when the input is no URL.
function componentsToMatch(input, base) {
  if (typeof input === 'string') {
    const url = URL.parse(input, base);
    return url === null ? null : componentsOf(url);
  }
  try {
    return processInit(input, false, {
      protocol: '',
      username: '',
      password: '',
      hostname: '',
      port: '',
      pathname: '',
      search: '',
      hash: '',
    });
  } catch {
    return null;
  }
}

function componentResult({ names }, input, found) {
  const groups = {};
  for (let i = 0; i < names.length; i++) groups[names[i]] = found[i + 1];
  return { groups, input };
}

// https://urlpattern.spec.whatwg.org/#url-pattern-match; the keys are in the order of the Standard's dictionary.
function match(pattern, input, base) {
  const values = componentsToMatch(input, base);
  if (values === null) return null;
  const found = {};
  for (const name of each(kParts)) {
    found[name] = regexpExec.call(pattern[name].regexp, values[name]);
    if (found[name] === null) return null;
  }
  const result = {};
  for (const name of each(kResultKeys)) {
    result[name] =
      name === 'inputs' ? (base === undefined ? [input] : [input, base]) : componentResult(pattern[name], values[name], found[name]);
  }
  return result;
}

// A base goes with text only; a dictionary has its own.
function rejectBaseWithInit(input, base) {
  if (base === undefined || typeof input === 'string') return;
  const error = new TypeError('Failed to exec URLPattern');
  error.code = 'ERR_OPERATION_FAILED';
  throw error;
}

// (input, baseURL, options) or (input, options)
function URLPattern(input, baseOrOptions, options) {
  if (new.target === undefined) throw new ERR_CONSTRUCT_CALL_REQUIRED('URLPattern');
  input = checkInput(input);
  let base;
  if (typeof baseOrOptions === 'string' || arguments.length > 2) {
    if (baseOrOptions !== undefined && baseOrOptions !== null && typeof baseOrOptions !== 'string') {
      throw new ERR_INVALID_ARG_TYPE('baseURL', 'string', baseOrOptions);
    }
    base = `${baseOrOptions}`;
  } else {
    if (baseOrOptions !== undefined && baseOrOptions !== null && typeof baseOrOptions !== 'object') {
      throw new ERR_INVALID_ARG_TYPE('baseURL', ['string', 'object'], baseOrOptions);
    }
    options = baseOrOptions ?? options;
  }
  compiled.set(this, compileOrThrow(input, base, checkOptions(options)));
}

function run(self, input, baseURL) {
  const pattern = componentsOfPattern(self);
  input = checkInput(input);
  baseURL = checkBase(baseURL);
  rejectBaseWithInit(input, baseURL);
  return match(pattern, input, baseURL);
}

const methods = {
  exec(input = {}, baseURL = undefined) {
    return run(this, input, baseURL);
  },
  test(input = {}, baseURL = undefined) {
    return run(this, input, baseURL) !== null;
  },
};

for (const name of each(kParts)) {
  Object.defineProperty(URLPattern.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return componentsOfPattern(this)[name].text;
    },
  });
}
Object.defineProperty(URLPattern.prototype, 'hasRegExpGroups', {
  configurable: true,
  enumerable: true,
  get() {
    const components = componentsOfPattern(this);
    return arraySome.call(kParts, (name) => components[name].hasRegExpGroups);
  },
});
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(URLPattern.prototype, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    value: methods[name],
  });
}
Object.defineProperty(URLPattern.prototype, kInspect, {
  configurable: true,
  enumerable: false,
  writable: true,
  value(depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = Object.fromEntries(each(arrayMap.call(kParts, (name) => [name, this[name]])));
    return `URLPattern ${inspect(shown, options)}`;
  },
});
Object.defineProperty(URLPattern.prototype, Symbol.toStringTag, {
  configurable: true,
  enumerable: false,
  writable: false,
  value: 'URLPattern',
});

module.exports = { URLPattern };
