// natives: none
// Small helpers that several of lib's modules share: promisify, deprecate, lazy properties,
// encoding names, signal names. node:util re-exports the public ones.
'use strict';

const errno = require('internal/errors/errno');
const { validateFunction, validateOneOf, validateString } = require('internal/util/validators');

const kEmptyObject = Object.freeze({ __proto__: null });

// --- promisify

const kCustomPromisified = Symbol.for('nodejs.util.promisify.custom');
// Names for a callback's results, e.g. ['bytesRead', 'buffer'] on fs.read.
const customPromisifyArgs = Symbol('customPromisifyArgs');

const hiddenSelf = (fn) => ({ __proto__: null, value: fn, enumerable: false, writable: false, configurable: true });

function promisify(original) {
  validateFunction(original, 'original');
  if (original[kCustomPromisified]) {
    const custom = original[kCustomPromisified];
    validateFunction(custom, 'util.promisify.custom');
    return Object.defineProperty(custom, kCustomPromisified, hiddenSelf(custom));
  }
  const names = original[customPromisifyArgs];
  function fn(...args) {
    return new Promise((resolve, reject) => {
      arrayPush.call(args, (error, ...values) => {
        if (error) return reject(error);
        if (names === undefined || values.length <= 1) return resolve(values[0]);
        resolve(Object.fromEntries(each(arrayMap.call(names, (name, i) => [name, values[i]]))));
      });
      const returned = Reflect.apply(original, this, args);
      if (returned !== undefined && require('internal/util/types').isPromise(returned)) {
        process.emitWarning('Calling promisify on a function that returns a Promise is likely a mistake.', 'DeprecationWarning', 'DEP0174');
      }
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  Object.defineProperty(fn, kCustomPromisified, hiddenSelf(fn));
  return Object.defineProperties(fn, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = kCustomPromisified;

// --- deprecate

const warnedCodes = new Set();

// A function that warns at its first call, and once for each code.
function deprecationWarner(message, code, deprecated) {
  let warned = false;
  return () => {
    if (warned) return;
    warned = true;
    if (code === 'ExperimentalWarning') {
      process.emitWarning(message, code, deprecated);
    } else if (code === undefined) {
      process.emitWarning(message, 'DeprecationWarning', deprecated);
    } else if (!warnedCodes.has(code)) {
      process.emitWarning(message, 'DeprecationWarning', code, deprecated);
      warnedCodes.add(code);
    }
  };
}

function copyLength(to, from) {
  Object.defineProperty(to, 'length', { __proto__: null, ...Object.getOwnPropertyDescriptor(from, 'length') });
}

function deprecate(fn, message, code, useEmitSync, modifyPrototype = true) {
  if (code !== undefined) validateString(code, 'code');
  const warn = deprecationWarner(message, code, deprecated);
  function deprecated(...args) {
    if (!process.noDeprecation) warn();
    return new.target ? Reflect.construct(fn, args, new.target) : Reflect.apply(fn, this, args);
  }
  if (modifyPrototype) {
    // The wrapper stands in for the original: same statics, and `instanceof` holds both ways.
    Object.setPrototypeOf(deprecated, fn);
    if (fn.prototype) deprecated.prototype = fn.prototype;
    copyLength(deprecated, fn);
  }
  return deprecated;
}

function isPendingDeprecation() {
  const { getOptionValue } = requireLater('internal/process/options');
  return getOptionValue('--pending-deprecation') && !process.noDeprecation;
}

// Warns only under --pending-deprecation.
function pendingDeprecate(fn, message, code) {
  const warn = deprecationWarner(message, code, deprecated);
  function deprecated(...args) {
    if (isPendingDeprecation()) warn();
    return Reflect.apply(fn, this, args);
  }
  copyLength(deprecated, fn);
  return deprecated;
}

const experimental = new Set();
function emitExperimentalWarning(feature, prefix = '', code, ctor) {
  if (experimental.has(feature)) return;
  experimental.add(feature);
  process.emitWarning(`${prefix}${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning', code, ctor);
}

// --- encodings

const kEncodings = {
  __proto__: null,
  utf8: 'utf8',
  'utf-8': 'utf8',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
  latin1: 'latin1',
  binary: 'latin1',
  base64: 'base64',
  base64url: 'base64url',
  hex: 'hex',
  ascii: 'ascii',
  '': 'utf8',
};

// The canonical name, or undefined.
function normalizeEncoding(encoding) {
  if (encoding == null || encoding === 'utf8' || encoding === 'utf-8') return 'utf8';
  if (typeof encoding !== 'string') return undefined;
  return kEncodings[encoding] ?? kEncodings[stringToLowerCase.call(encoding)];
}

// --- errors and signals

const getSystemErrorName = (number) => errno.codeOf(number);
const getSystemErrorMessage = (number) => errno.messageOf(number);
const getSystemErrorMap = () => new program.Map(each(errno.byNumber));

const signals = () => requireLater('internal/os/os').constants.signals;

function convertProcessSignalToExitCode(signalCode) {
  const table = signals();
  validateOneOf(signalCode, 'signalCode', Object.keys(table));
  return 128 + table[signalCode];
}

// --- the rest

module.exports = {
  isPendingDeprecation,
  convertProcessSignalToExitCode,
  customPromisifyArgs,
  deprecate,
  emitExperimentalWarning,
  getSystemErrorMap,
  getSystemErrorMessage,
  getSystemErrorName,
  kEmptyObject,
  normalizeEncoding,
  pendingDeprecate,
  promisify,
};
