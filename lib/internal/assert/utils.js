// natives: none
// How every assertion fails: the message a user gave (text with placeholders, an error to
// throw, a function) or a generated one, then AssertionError.
'use strict';

const {
  codes: { ERR_AMBIGUOUS_ARGUMENT, ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const AssertionError = require('internal/assert/assertion_error');

const isError = (value) => require('internal/util/inspect/errors').isError(value);

function refuseTrailing(message, what) {
  if (message.length > 1) {
    throw new ERR_AMBIGUOUS_ARGUMENT('message', `The error message ${what} has trailing arguments that would be ignored.`);
  }
}

// `message` is the rest of the assertion's arguments.
function resolveMessage(message, actual, expected) {
  if (message.length === 0) return undefined;
  const [first] = each(message);
  if (typeof first === 'string') return message.length > 1 ? require('internal/util/format').format(...each(message)) : first;
  if (isError(first)) {
    refuseTrailing(message, `was passed as error object "${errorToString.call(first)}"`);
    throw first;
  }
  if (typeof first === 'function') {
    refuseTrailing(message, `with function "${first.name || 'anonymous'}"`);
    try {
      const text = first(actual, expected);
      return typeof text === 'string' ? text : undefined;
    } catch {
      return undefined;
    }
  }
  throw new ERR_INVALID_ARG_TYPE('message', ['string', 'function'], first);
}

function innerFail(failure) {
  failure.message = resolveMessage(failure.message, failure.actual, failure.expected);
  const error = new AssertionError(failure);
  if (failure.generatedMessage !== undefined) error.generatedMessage = failure.generatedMessage;
  throw error;
}

function falsyMessage(fn) {
  const source = require('internal/assert/source').sourceOfCall(fn);
  return source ? `The expression evaluated to a falsy value:\n\n  ${source}\n` : 'The expression evaluated to a falsy value';
}

function innerOk(fn, ...args) {
  if (args[0]) return;
  const generatedMessage = args.length < 2 || args[1] == null;
  let message = arraySlice.call(args, 1);
  if (args.length === 0) message = ['No value argument passed to `assert.ok()`'];
  else if (generatedMessage) message = [falsyMessage(fn)];
  innerFail({ actual: args[0], expected: true, message, operator: '==', stackStartFn: fn, generatedMessage });
}

module.exports = { innerFail, innerOk };
