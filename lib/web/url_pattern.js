// natives: none
// URLPattern (https://urlpattern.spec.whatwg.org/): the class users see, with Node's argument checks, around the
// pattern engine of the npm package urlpattern-polyfill, which is embedded in the binary.
'use strict';

const {
  codes: { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { URL } = require('web/url');
const { URLPattern: Engine } = require('urlpattern-polyfill');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kParts = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

const engines = new WeakMap();

function engineOf(pattern) {
  const engine = typeof pattern === 'object' && pattern !== null ? engines.get(pattern) : undefined;
  if (engine === undefined) throw new TypeError('Illegal invocation');
  return engine;
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

// The result's keys in the order of the Standard's dictionary.
function ordered(found) {
  const result = {};
  for (const name of each([...each(kParts), 'inputs'].sort())) {
    const part = found[name];
    result[name] = name === 'inputs' ? part : { groups: part.groups, input: part.input };
  }
  return result;
}

// null counts as the text it turns into: a base that cannot be parsed, so that nothing matches.
function checkBase(base) {
  if (base === null) return 'null';
  if (base !== undefined && typeof base !== 'string') throw new ERR_INVALID_ARG_TYPE('baseURL', 'string', base);
  return base;
}

function checkOptions(options) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options', 'object', options);
  }
  return { ignoreCase: Boolean(options.ignoreCase) };
}

function invalidPattern(error) {
  const made = new TypeError(error.message);
  made.code = 'ERR_INVALID_URL_PATTERN';
  return made;
}

function makeEngine(input, base, options) {
  try {
    if (base !== undefined) return new Engine(input, base, options);
    return new Engine(input, options);
  } catch (error) {
    throw invalidPattern(error);
  }
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
  engines.set(this, makeEngine(input, base, checkOptions(options)));
}

const methods = {
  exec(input = {}, baseURL = undefined) {
    const engine = engineOf(this);
    input = checkInput(input);
    baseURL = checkBase(baseURL);
    rejectBaseWithInit(input, baseURL);
    if (baseURL !== undefined && !URL.canParse(baseURL)) return null;
    const found = engine.exec(input, baseURL);
    return found ? ordered(found) : null;
  },
  test(input = {}, baseURL = undefined) {
    const engine = engineOf(this);
    input = checkInput(input);
    baseURL = checkBase(baseURL);
    rejectBaseWithInit(input, baseURL);
    if (baseURL !== undefined && !URL.canParse(baseURL)) return false;
    return engine.test(input, baseURL);
  },
};

for (const name of each([...each(kParts), 'hasRegExpGroups'])) {
  Object.defineProperty(URLPattern.prototype, name, {
    configurable: true,
    enumerable: true,
    get() { return engineOf(this)[name]; },
  });
}
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(URLPattern.prototype, name, {
    configurable: true, enumerable: true, writable: true, value: methods[name],
  });
}
Object.defineProperty(URLPattern.prototype, kInspect, {
  configurable: true,
  enumerable: false,
  writable: true,
  value(depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = Object.fromEntries(each(kParts.map((name) => [name, this[name]])));
    return `URLPattern ${inspect(shown, options)}`;
  },
});
Object.defineProperty(URLPattern.prototype, Symbol.toStringTag, {
  configurable: true, enumerable: false, writable: false, value: 'URLPattern',
});

module.exports = { URLPattern };
