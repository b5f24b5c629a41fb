// natives: none
// node:util. Everything that is not needed at once loads when first read.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const internal = require('internal/util/helpers');
const errors = require('internal/errors/coded');
const { validateFunction, validateNumber, validateString } = require('internal/util/validators');

const {
  codes: { ERR_FALSY_VALUE_REJECTION, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
} = errors;

function checkErrno(number) {
  validateNumber(number, 'err');
  if (number >= 0 || !Number.isSafeInteger(number)) throw new ERR_OUT_OF_RANGE('err', 'a negative integer', number);
}

function getSystemErrorName(err) {
  checkErrno(err);
  return internal.getSystemErrorName(err);
}

function getSystemErrorMessage(err) {
  checkErrno(err);
  return internal.getSystemErrorMessage(err);
}

function _errnoException(err, ...rest) {
  checkErrno(err);
  const error = new errors.ErrnoException(err, ...each(rest));
  captureStackTrace(error, _errnoException);
  return error;
}

function _exceptionWithHostPort(err, ...rest) {
  checkErrno(err);
  const error = new errors.ExceptionWithHostPort(err, ...each(rest));
  captureStackTrace(error, _exceptionWithHostPort);
  return error;
}

function inherits(ctor, superCtor) {
  if (ctor == null) throw new ERR_INVALID_ARG_TYPE('ctor', 'Function', ctor);
  if (superCtor == null) throw new ERR_INVALID_ARG_TYPE('superCtor', 'Function', superCtor);
  if (superCtor.prototype === undefined) {
    throw new ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', superCtor.prototype);
  }
  Object.defineProperty(ctor, 'super_', { __proto__: null, value: superCtor, writable: true, configurable: true });
  Object.setPrototypeOf(ctor.prototype, superCtor.prototype);
}

function _extend(target, source) {
  if (source === null || typeof source !== 'object') return target;
  for (const key of each(arrayReverse.call(Object.keys(source)))) target[key] = source[key];
  return target;
}

// null means "no error" to a callback: a falsy reason is wrapped.
function callWithReason(reason, callback) {
  if (!reason) {
    reason = new ERR_FALSY_VALUE_REJECTION(reason);
    captureStackTrace(reason, callWithReason);
  }
  return callback(reason);
}

function callbackify(original) {
  validateFunction(original, 'original');
  function callbackified(...args) {
    const last = arrayPop.call(args);
    validateFunction(last, 'last argument');
    const callback = functionBind.call(last, this);
    // the program's: what it returned
    Reflect.apply(original, this, args).then(
      (value) => process.nextTick(callback, null, value),
      (reason) => process.nextTick(callWithReason, reason, callback),
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  return Object.defineProperties(callbackified, descriptors);
}

module.exports = {
  _errnoException,
  _exceptionWithHostPort,
  _extend: internal.deprecate(_extend, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode: internal.convertProcessSignalToExitCode,
  debug: undefined,
  debuglog: undefined,
  deprecate(fn, msg, code, { modifyPrototype } = internal.kEmptyObject) {
    return internal.deprecate(fn, msg, code, undefined, modifyPrototype);
  },
  format: undefined,
  styleText: undefined,
  formatWithOptions: undefined,
  getCallSites: undefined,
  getSystemErrorMap: internal.getSystemErrorMap,
  getSystemErrorName,
  getSystemErrorMessage,
  inherits,
  inspect: undefined,
  isArray: internal.deprecate(Array.isArray, 'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.', 'DEP0044'),
  isDeepStrictEqual(a, b, skipPrototype) {
    return require('internal/util/comparisons').isDeepStrictEqual(a, b, skipPrototype);
  },
  markPromiseAsHandled(promise) {
    if (!require('internal/util/types').isPromise(promise)) {
      const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;
      throw new ERR_INVALID_ARG_TYPE('promise', 'Promise', promise);
    }
    promiseThen(promise, undefined, () => {});
  },
  promisify: internal.promisify,
  stripVTControlCharacters: undefined,
  toUSVString(input) {
    return stringToWellFormed.call(`${input}`);
  },
  get transferableAbortSignal() {
    return requireLater('internal/events/abort').transferableAbortSignal;
  },
  get transferableAbortController() {
    return requireLater('internal/events/abort').transferableAbortController;
  },
  get aborted() {
    return requireLater('internal/events/abort').aborted;
  },
  types: require('internal/util/public_types'),
  parseEnv(content) {
    validateString(content, 'content');
    return require('internal/util/parse_env').parseEnv(content);
  },
};

const lazy = (id, keys) => addLazy(module.exports, keys, (name) => require(id)[name], true);
lazy('internal/util/inspect', ['inspect', 'stripVTControlCharacters']);
lazy('internal/util/format', ['format', 'formatWithOptions']);
lazy('internal/util/debuglog', ['debuglog']);
lazy('internal/util/style_text', ['styleText']);
lazy('internal/util/call_sites', ['getCallSites']);
lazy('internal/util/parse_args', ['parseArgs']);
lazy('internal/encoding/encoding', ['TextDecoder', 'TextEncoder']);
lazy('internal/util/mime', ['MIMEType', 'MIMEParams']);
lazy('internal/util/diff', ['diff']);
lazy('internal/timers/rate', ['debounce', 'throttle']);
addLazy(module.exports, ['debug'], () => module.exports.debuglog, true);
