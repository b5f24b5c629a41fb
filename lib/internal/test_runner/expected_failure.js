// natives: none
// options.expectFailure: a test that must fail, for a reason (`label`) and perhaps with a certain error (`match`).
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { failure, types } = require('internal/test_runner/failures');

// false, or { label, match }.
function readExpectFailure(value) {
  if (value === undefined || value === false) return false;
  if (typeof value === 'string') return { label: value, match: undefined };
  if (typeof value === 'function' || require('internal/util/types').isRegExp(value)) return { label: undefined, match: value };
  if (typeof value !== 'object' || value === null) return { label: undefined, match: undefined };
  const keys = Object.keys(value);
  if (keys.length === 0) throw new ERR_INVALID_ARG_VALUE('options.expectFailure', value, 'must not be an empty object');
  if (arrayEvery.call(keys, (key) => key === 'match' || key === 'label')) return { label: value.label, match: value.match };
  return { label: undefined, match: value };
}

// undefined when `error` is the one expected, else the failure to report instead.
function mismatch(expected, error) {
  if (expected.match === undefined) return undefined;
  const thrown = error?.code === 'ERR_TEST_FAILURE' && error.failureType === types.testCode && error.cause ? error.cause : error;
  try {
    require('internal/assert/assert').throws(() => {
      throw thrown;
    }, expected.match);
    return undefined;
  } catch (cause) {
    const result = failure('The test failed, but the error did not match the expected validation', types.testCode);
    result.cause = cause;
    return result;
  }
}

module.exports = { mismatch, readExpectFailure };
