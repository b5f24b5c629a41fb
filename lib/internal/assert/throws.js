// natives: none
// assert.throws, rejects, doesNotThrow, doesNotReject: runs what is to be tried, then holds
// what came out against a class, a regular expression, a validation object or a function.
'use strict';

const {
  codes: { ERR_AMBIGUOUS_ARGUMENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_RETURN_VALUE },
} = require('internal/errors/coded');
const AssertionError = require('internal/assert/assertion_error');
const { innerFail } = require('internal/assert/utils');
const { inspect } = require('internal/util/inspect');
const { isError } = require('internal/util/inspect/errors');
const { isPromise, isRegExp } = require('internal/util/types');
const { isDeepStrictEqual } = require('internal/util/comparisons');
const { validateFunction } = require('internal/util/validators');

const kNothing = {};
const isErrorClass = (fn) => objectIsPrototypeOf.call(Error, fn);
const isInstance = (value, fn) => fn.prototype !== undefined && value instanceof fn;
const matches = (regexp, text) => regexpExec.call(regexp, text) !== null;

// --- trying

function getActual(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (error) {
    return error;
  }
  return kNothing;
}

function looksLikePromise(value) {
  return (
    isPromise(value) ||
    (value !== null && typeof value === 'object' && typeof value.then === 'function' && typeof value.catch === 'function')
  );
}

async function waitForActual(promiseFn) {
  let promise = promiseFn;
  if (typeof promiseFn === 'function') {
    promise = promiseFn();
    if (!looksLikePromise(promise)) throw new ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
  } else if (!looksLikePromise(promiseFn)) {
    throw new ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseFn);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return kNothing;
}

// --- what was expected

// Stand-ins for both sides that hold only the compared keys, for a readable diff.
class Comparison {
  constructor(object, keys, actual) {
    for (const key of each(keys)) {
      if (!(key in object)) continue;
      const fits = actual !== undefined && typeof actual[key] === 'string' && isRegExp(object[key]) && matches(object[key], actual[key]);
      this[key] = fits ? actual[key] : object[key];
    }
  }
}

function compareKey(actual, expected, key, message, keys, fn, diff) {
  if (key in actual && isDeepStrictEqual(actual[key], expected[key])) return;
  if (message) innerFail({ actual, expected, message: [message], operator: fn.name, stackStartFn: fn, diff });
  const error = new AssertionError({
    actual: new Comparison(actual, keys),
    expected: new Comparison(expected, keys, actual),
    operator: 'deepStrictEqual',
    stackStartFn: fn,
    diff,
  });
  error.actual = actual;
  error.expected = expected;
  error.operator = fn.name;
  throw error;
}

function compareWithObject(actual, expected, message, fn, diff) {
  if (typeof actual !== 'object' || actual === null) {
    const error = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn, diff });
    error.operator = fn.name;
    throw error;
  }
  const keys = Object.keys(expected);
  if (expected instanceof Error) arrayPush.call(keys, 'name', 'message');
  else if (keys.length === 0) throw new ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
  for (const key of each(keys)) {
    if (typeof actual[key] === 'string' && isRegExp(expected[key]) && matches(expected[key], actual[key])) continue;
    compareKey(actual, expected, key, message, keys, fn, diff);
  }
}

function wrongClassMessage(actual, expected) {
  const head = `The error is expected to be an instance of "${expected.name}". Received `;
  if (!isError(actual)) return `${head}"${inspect(actual, { depth: -1 })}"`;
  const name = actual.constructor?.name || actual.name;
  const which = expected.name === name ? 'an error with identical name but a different prototype.' : `"${name}"`;
  return `${head}${which}${actual.message ? `\n\nError message:\n\n${actual.message}` : ''}`;
}

function wrongResultMessage(actual, expected, result) {
  const name = expected.name ? `"${expected.name}" ` : '';
  const caught = isError(actual) ? `\n\nCaught error:\n\n${actual}` : '';
  return `The ${name}validation function is expected to return "true". Received ${inspect(result)}${caught}`;
}

// undefined when `actual` is as expected, else what to say.
function mismatch(actual, expected) {
  if (isRegExp(expected)) {
    const text = String(actual);
    if (matches(expected, text)) return undefined;
    return `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
  }
  if (isInstance(actual, expected)) return undefined;
  if (isErrorClass(expected)) return wrongClassMessage(actual, expected);
  const result = call1(expected, {}, actual);
  return result === true ? undefined : wrongResultMessage(actual, expected, result);
}

function expectedException(actual, expected, message, fn, diff) {
  if (typeof expected !== 'function' && !isRegExp(expected)) {
    compareWithObject(actual, expected, message, fn, diff);
    return;
  }
  const wrong = mismatch(actual, expected);
  if (wrong === undefined) return;
  const error = new AssertionError({
    actual,
    expected,
    message: message || wrong,
    operator: fn.name,
    stackStartFn: fn,
    diff,
  });
  error.generatedMessage = !message;
  throw error;
}

function checkExpectation(error) {
  if (error == null || typeof error === 'object' || typeof error === 'function') return;
  throw new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
}

// A string in the error's place is the message; say so when it looks like a mistake.
function refuseAmbiguous(actual, text) {
  if (typeof actual === 'object' && actual !== null) {
    if (actual.message !== text) return;
    throw new ERR_AMBIGUOUS_ARGUMENT('error/message', `The error message "${actual.message}" is identical to the message.`);
  }
  if (actual === text) {
    throw new ERR_AMBIGUOUS_ARGUMENT('error/message', `The error "${actual}" is identical to the message.`);
  }
}

function expectsError(kind, stackStartFn, actual, args, diff) {
  let [error, message] = each(args);
  if (typeof error === 'string' && args.length < 2) {
    refuseAmbiguous(actual, error);
    message = error;
    error = undefined;
  } else {
    checkExpectation(error);
  }
  if (actual === kNothing) {
    const details = `${error?.name ? ` (${error.name})` : ''}${message ? `: ${message}` : '.'}`;
    innerFail({
      actual: undefined,
      expected: error,
      operator: stackStartFn.name,
      message: [`Missing expected ${kind}${details}`],
      stackStartFn,
      diff,
    });
  }
  if (error) expectedException(actual, error, message, stackStartFn, diff);
}

function hasMatchingError(actual, expected) {
  if (isRegExp(expected)) return matches(expected, String(actual));
  if (typeof expected !== 'function') throw new ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  if (isInstance(actual, expected)) return true;
  return !isErrorClass(expected) && call1(expected, {}, actual) === true;
}

function expectsNoError(kind, stackStartFn, actual, args, diff) {
  if (actual === kNothing) return;
  let [error, message] = each(args);
  if (typeof error === 'string') {
    message = error;
    error = undefined;
  }
  if (error && !hasMatchingError(actual, error)) throw actual;
  innerFail({
    actual,
    expected: error,
    operator: stackStartFn.name,
    message: [`Got unwanted ${kind}${message ? `: ${message}` : '.'}\nActual message: "${actual?.message}"`],
    stackStartFn,
    diff,
  });
}

module.exports = { expectsError, expectsNoError, getActual, waitForActual };
