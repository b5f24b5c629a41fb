// natives: none
// Argument checks with Node's names, argument order and errors. Plain functions on the
// passing path (they run on every call of fs, net, ...); when a check fails the error's stack
// starts at the caller's caller. Errors load with the first failure.
'use strict';

const errors = () => require('internal/errors/coded');

const kMinSafe = Number.MIN_SAFE_INTEGER;
const kMaxSafe = Number.MAX_SAFE_INTEGER;

function fail(error, check) {
  if (Error.stackTraceLimit) captureStackTrace(error, check);
  return error;
}
const badType = (name, expected, value, check) => fail(new (errors().codes.ERR_INVALID_ARG_TYPE)(name, expected, value), check);
const badValue = (name, value, reason, check) => fail(new (errors().codes.ERR_INVALID_ARG_VALUE)(name, value, reason), check);
const badRange = (name, range, value, check) => fail(new (errors().codes.ERR_OUT_OF_RANGE)(name, range, value), check);

const isInt32 = (value) => value === (value | 0);
const isUint32 = (value) => value === value >>> 0;

function parseFileMode(value, name, def) {
  value ??= def;
  if (typeof value === 'string') {
    if (!regexpTest.call(/^[0-7]+$/, value)) {
      throw badValue(name, value, 'must be a 32-bit unsigned integer or an octal string', parseFileMode);
    }
    value = Number.parseInt(value, 8);
  }
  validateUint32(value, name);
  return value + 0;
}

function checkInteger(value, name, min, max, check) {
  if (typeof value !== 'number') throw badType(name, 'number', value, check);
  if (!Number.isInteger(value)) throw badRange(name, 'an integer', value, check);
  if (value < min || value > max) throw badRange(name, `>= ${min} && <= ${max}`, value, check);
}

function validateInteger(value, name, min = kMinSafe, max = kMaxSafe) {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  checkInteger(value, name, min, max, validateInteger);
}

function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  if (typeof value === 'number' && value === (value | 0) && value >= min && value <= max) return;
  checkInteger(value, name, min, max, validateInt32);
}

function validateUint32(value, name, positive = false) {
  if (typeof value === 'number' && value === value >>> 0 && !(positive && value === 0)) return;
  checkInteger(value, name, positive ? 1 : 0, 4294967295, validateUint32);
}

function validateString(value, name) {
  if (typeof value !== 'string') throw badType(name, 'string', value, validateString);
}

function validateStringWithoutNullBytes(value, name) {
  validateString(value, name);
  if (stringIncludes.call(value, '\0')) {
    throw badValue(name, value, 'must be a string without null bytes', validateStringWithoutNullBytes);
  }
}

function validateNumber(value, name, min = undefined, max) {
  if (typeof value !== 'number') throw badType(name, 'number', value, validateNumber);
  if (min == null && max == null) return;
  if ((min == null || value >= min) && (max == null || value <= max)) return;
  const bounds = [];
  if (min != null) arrayPush.call(bounds, `>= ${min}`);
  if (max != null) arrayPush.call(bounds, `<= ${max}`);
  throw badRange(name, arrayJoin.call(bounds, ' && '), value, validateNumber);
}

function validateOneOf(value, name, oneOf) {
  if (arrayIncludes.call(oneOf, value)) return;
  const allowed = arrayMap.call(oneOf, (entry) => (typeof entry === 'string' ? `'${entry}'` : String(entry)));
  throw badValue(name, value, `must be one of: ${arrayJoin.call(allowed, ', ')}`, validateOneOf);
}

function validateBoolean(value, name) {
  if (typeof value !== 'boolean') throw badType(name, 'boolean', value, validateBoolean);
}

const kValidateObjectNone = 0;
const kValidateObjectAllowNullable = 1;
const kValidateObjectAllowArray = 2;
const kValidateObjectAllowFunction = 4;
const kValidateObjectAllowObjects = kValidateObjectAllowArray | kValidateObjectAllowFunction;
const kValidateObjectAllowObjectsAndNull = kValidateObjectAllowObjects | kValidateObjectAllowNullable;

function validateObject(value, name, options = kValidateObjectNone) {
  const type = typeof value;
  const allowed =
    value === null
      ? (options & kValidateObjectAllowNullable) !== 0
      : type === 'function'
        ? (options & kValidateObjectAllowFunction) !== 0
        : type === 'object' && ((options & kValidateObjectAllowArray) !== 0 || !Array.isArray(value));
  if (!allowed) throw badType(name, 'Object', value, validateObject);
}

function validateDictionary(value, name) {
  if (value == null || typeof value === 'object' || typeof value === 'function') return;
  throw badType(name, 'a dictionary', value, validateDictionary);
}

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) throw badType(name, 'Array', value, validateArray);
  if (value.length < minLength) {
    throw badValue(name, value, `must have a length of at least ${minLength}`, validateArray);
  }
}

function validateStringArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; ++i) {
    if (typeof value[i] !== 'string') throw badType(`${name}[${i}]`, 'string', value[i], validateStringArray);
  }
}

function validateBooleanArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; ++i) {
    if (typeof value[i] !== 'boolean') throw badType(`${name}[${i}]`, 'boolean', value[i], validateBooleanArray);
  }
}

function validateAbortSignal(signal, name) {
  if (signal === undefined || (signal !== null && typeof signal === 'object' && 'aborted' in signal)) return;
  throw badType(name, 'AbortSignal', signal, validateAbortSignal);
}

function validateAbortSignalArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) {
    const signal = value[i];
    if (signal == null) throw badType(`${name}[${i}]`, 'AbortSignal', signal, validateAbortSignalArray);
    validateAbortSignal(signal, `${name}[${i}]`);
  }
}

function validateSignalName(signal, name = 'signal') {
  validateString(signal, name);
  const { signals } = requireLater('internal/os/os').constants;
  if (signals[signal] !== undefined) return;
  const hint = signals[stringToUpperCase.call(signal)] === undefined ? '' : ' (signals must use all capital letters)';
  throw fail(new (errors().codes.ERR_UNKNOWN_SIGNAL)(signal + hint), validateSignalName);
}

function validateBuffer(buffer, name = 'buffer') {
  if (!ArrayBuffer.isView(buffer)) {
    throw badType(name, ['Buffer', 'TypedArray', 'DataView'], buffer, validateBuffer);
  }
}

function validateEncoding(data, encoding) {
  if (typeof encoding !== 'string' || data.length % 2 === 0 || stringToLowerCase.call(encoding) !== 'hex') return;
  throw badValue('encoding', encoding, `is invalid for data of length ${data.length}`, validateEncoding);
}

function validatePort(port, name = 'Port', allowZero = true) {
  const number = typeof port === 'number' || (typeof port === 'string' && stringTrim.call(port) !== '') ? +port : -1;
  if (number !== number >>> 0 || number > 0xffff || (number === 0 && !allowZero)) {
    throw fail(new (errors().codes.ERR_SOCKET_BAD_PORT)(name, port, allowZero), validatePort);
  }
  return number | 0;
}

function validateFunction(value, name) {
  if (typeof value !== 'function') throw badType(name, 'Function', value, validateFunction);
}

function validatePlainFunction(value, name) {
  if (typeof value !== 'function' || require('internal/util/types').isAsyncFunction(value)) {
    throw badType(name, 'Function', value, validatePlainFunction);
  }
}

function validateUndefined(value, name) {
  if (value !== undefined) throw badType(name, 'undefined', value, validateUndefined);
}

function validateUnion(value, name, union) {
  if (!arrayIncludes.call(union, value)) throw badType(name, `('${arrayJoin.call(union, '|')}')`, value, validateUnion);
}

function validateThisInternalField(object, field, className) {
  if (typeof object === 'object' && object !== null && Object.hasOwn(object, field)) return;
  throw fail(new (errors().codes.ERR_INVALID_THIS)(className), validateThisInternalField);
}

// RFC 8288: <target> followed by parameters; the target itself is not checked.
const kLinkValue = /^<[^>\r\n]*>(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;
const kLinkShape = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';

function validateLinkHeaderValue(hints) {
  const links = typeof hints === 'string' ? [hints] : hints;
  if (!Array.isArray(links)) throw badValue('hints', hints, kLinkShape, validateLinkHeaderValue);
  for (const link of each(links)) {
    if (link === undefined || !regexpTest.call(kLinkValue, link)) {
      throw badValue('hints', link, kLinkShape, validateLinkHeaderValue);
    }
  }
  return arrayJoin.call(links, ', ');
}

function validateIgnoreElement(value, name) {
  if (typeof value === 'function' || require('internal/util/types').isRegExp(value)) return;
  if (typeof value !== 'string') throw badType(name, ['string', 'RegExp', 'Function'], value, validateIgnoreOption);
  if (value === '') throw badValue(name, value, 'must be a non-empty string', validateIgnoreOption);
}

function validateIgnoreOption(value, name) {
  if (value == null) return;
  if (!Array.isArray(value)) return validateIgnoreElement(value, name);
  for (let i = 0; i < value.length; i++) validateIgnoreElement(value[i], `${name}[${i}]`);
}

// undefined and NaN mean "not given" (false); anything else must be a finite number.
function validateFiniteNumber(number, name) {
  if (number === undefined || Number.isNaN(number)) return false;
  if (Number.isFinite(number)) return true;
  validateNumber(number, name);
  throw badRange(name, 'a finite number', number, validateFiniteNumber);
}

function checkRangesOrGetDefault(number, name, lower, upper, def) {
  if (!validateFiniteNumber(number, name)) return def;
  if (number >= lower && number <= upper) return number;
  throw badRange(name, `>= ${lower} and <= ${upper}`, number, checkRangesOrGetDefault);
}

module.exports = {
  checkRangesOrGetDefault,
  isInt32,
  isUint32,
  kValidateObjectAllowArray,
  kValidateObjectAllowFunction,
  kValidateObjectAllowNullable,
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  kValidateObjectNone,
  parseFileMode,
  validateAbortSignal,
  validateAbortSignalArray,
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateBuffer,
  validateDictionary,
  validateEncoding,
  validateFiniteNumber,
  validateFunction,
  validateIgnoreOption,
  validateInt32,
  validateInteger,
  validateLinkHeaderValue,
  validateNumber,
  validateObject,
  validateOneOf,
  validatePlainFunction,
  validatePort,
  validateSignalName,
  validateString,
  validateStringArray,
  validateStringWithoutNullBytes,
  validateThisInternalField,
  validateUint32,
  validateUndefined,
  validateUnion,
  get hideStackFrames() {
    return errors().hideStackFrames;
  },
};
