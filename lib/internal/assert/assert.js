// natives: none
// node:assert. The functions are methods of Assert (so that `new Assert({ diff: 'full' })`
// can configure them) and are copied to the default export; they work detached as well.
'use strict';

const {
  codes: { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const AssertionError = require('internal/assert/assertion_error');
const { innerFail, innerOk } = require('internal/assert/utils');
const { validateOneOf } = require('internal/util/validators');

const kOptions = Symbol('options');
const comparisons = () => require('internal/util/comparisons');
const throwing = () => require('internal/assert/throws');
const isError = (value) => require('internal/util/inspect/errors').isError(value);
const diffOf = (self) => self?.[kOptions]?.diff;

module.exports = assert;

function assert(...args) {
  innerOk(assert, ...each(args));
}

function Assert(options) {
  if (!new.target) throw new ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  options = Object.assign({ __proto__: null, strict: true, skipPrototype: false }, options);
  if (options.diff !== undefined) validateOneOf(options.diff, 'options.diff', ['simple', 'full']);
  this.AssertionError = AssertionError;
  Object.defineProperty(this, kOptions, { __proto__: null, value: options });
  if (options.strict) {
    this.equal = this.strictEqual;
    this.deepEqual = this.deepStrictEqual;
    this.notEqual = this.notStrictEqual;
    this.notDeepEqual = this.notDeepStrictEqual;
  }
}
const proto = Assert.prototype;

function failComparison(self, actual, expected, message, stackStartFn, operator = stackStartFn.name) {
  innerFail({ actual, expected, message, operator, stackStartFn, diff: diffOf(self) });
}

function needTwo(count) {
  if (count < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
}

proto.fail = function fail(message) {
  if (isError(message)) throw message;
  const error = new AssertionError({
    operator: 'fail',
    stackStartFn: fail,
    message: message === undefined ? 'Failed' : message,
    diff: diffOf(this),
  });
  if (message === undefined) error.generatedMessage = true;
  throw error;
};

proto.ok = function ok(...args) {
  innerOk(ok, ...each(args));
};

proto.equal = function equal(actual, expected, ...message) {
  needTwo(arguments.length);
  // biome-ignore lint/suspicious/noDoubleEquals: this comparison is what is asked for
  if (actual == expected || (Number.isNaN(actual) && Number.isNaN(expected))) return;
  failComparison(this, actual, expected, message, equal, '==');
};

proto.notEqual = function notEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  // biome-ignore lint/suspicious/noDoubleEquals: this comparison is what is asked for
  if (actual != expected && (!Number.isNaN(actual) || !Number.isNaN(expected))) return;
  failComparison(this, actual, expected, message, notEqual, '!=');
};

proto.deepEqual = function deepEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (!comparisons().isDeepEqual(actual, expected)) failComparison(this, actual, expected, message, deepEqual);
};

proto.notDeepEqual = function notDeepEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (comparisons().isDeepEqual(actual, expected)) failComparison(this, actual, expected, message, notDeepEqual);
};

proto.deepStrictEqual = function deepStrictEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (comparisons().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) return;
  failComparison(this, actual, expected, message, deepStrictEqual);
};

proto.notDeepStrictEqual = function notDeepStrictEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (!comparisons().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) return;
  failComparison(this, actual, expected, message, notDeepStrictEqual);
};

proto.strictEqual = function strictEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (!Object.is(actual, expected)) failComparison(this, actual, expected, message, strictEqual);
};

proto.notStrictEqual = function notStrictEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (Object.is(actual, expected)) failComparison(this, actual, expected, message, notStrictEqual);
};

proto.partialDeepStrictEqual = function partialDeepStrictEqual(actual, expected, ...message) {
  needTwo(arguments.length);
  if (comparisons().isPartialStrictEqual(actual, expected)) return;
  failComparison(this, actual, expected, message, partialDeepStrictEqual);
};

proto.throws = function throws(fn, ...args) {
  const { expectsError, getActual } = throwing();
  expectsError('exception', throws, getActual(fn), args, diffOf(this));
};

// Named, because after an await the stack knows nothing of `rejects` itself.
function rejectsAsExpected(actual, args, diff) {
  throwing().expectsError('rejection', proto.rejects, actual, args, diff);
}

proto.rejects = async function rejects(promiseFn, ...args) {
  rejectsAsExpected(await throwing().waitForActual(promiseFn), args, diffOf(this));
};

proto.doesNotThrow = function doesNotThrow(fn, ...args) {
  const { expectsNoError, getActual } = throwing();
  expectsNoError('exception', doesNotThrow, getActual(fn), args, diffOf(this));
};

proto.doesNotReject = async function doesNotReject(fn, ...args) {
  const { expectsNoError, waitForActual } = throwing();
  expectsNoError('rejection', doesNotReject, await waitForActual(fn), args, diffOf(this));
};

proto.ifError = function ifError(error) {
  if (error === null || error === undefined) return;
  throw require('internal/assert/if_error').unwanted(error, ifError, diffOf(this));
};

function checkMatch(self, string, regexp, message, wanted, fn) {
  const { isRegExp } = require('internal/util/types');
  if (!isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  if (typeof string === 'string' && (regexpExec.call(regexp, string) !== null) === wanted) return;
  const generatedMessage = message.length === 0;
  if (!message[0]) {
    const { inspect } = require('internal/util/inspect');
    const verdict = wanted
      ? 'The input did not match the regular expression'
      : 'The input was expected to not match the regular expression';
    message[0] =
      typeof string !== 'string'
        ? `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`
        : `${verdict} ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`;
  }
  innerFail({
    actual: string,
    expected: regexp,
    message,
    operator: fn.name,
    stackStartFn: fn,
    diff: diffOf(self),
    generatedMessage,
  });
}

proto.match = function match(string, regexp, ...message) {
  checkMatch(this, string, regexp, message, true, match);
};

proto.doesNotMatch = function doesNotMatch(string, regexp, ...message) {
  checkMatch(this, string, regexp, message, false, doesNotMatch);
};

assert.AssertionError = AssertionError;
for (const name of each([
  'ok',
  'fail',
  'equal',
  'notEqual',
  'deepEqual',
  'notDeepEqual',
  'deepStrictEqual',
  'notDeepStrictEqual',
  'strictEqual',
  'notStrictEqual',
  'partialDeepStrictEqual',
  'match',
  'doesNotMatch',
  'throws',
  'rejects',
  'doesNotThrow',
  'doesNotReject',
  'ifError',
])) {
  assert[name] = proto[name];
}

function strict(...args) {
  innerOk(strict, ...each(args));
}

assert.strict = Object.assign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
assert.Assert = assert.strict.Assert = Assert;
