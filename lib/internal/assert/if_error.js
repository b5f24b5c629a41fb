// natives: none
// assert.ifError: throws for anything but null and undefined, with the frames of the error
// it was given under its own.
'use strict';

const AssertionError = require('internal/assert/assertion_error');
const { inspect } = require('internal/util/inspect');

function describe(error) {
  if (typeof error !== 'object' || typeof error.message !== 'string') return inspect(error);
  return error.message.length === 0 && error.constructor ? error.constructor.name : error.message;
}

// Our frames, up to the first that the original has too, then the original's.
function joinStacks(ours, theirs) {
  const start = stringIndexOf.call(theirs, '\n    at');
  if (start === -1) return ours;
  const original = stringSplit.call(stringSlice.call(theirs, start + 1), '\n');
  const frames = stringSplit.call(ours, '\n');
  for (const frame of each(original)) {
    const at = arrayIndexOf.call(frames, frame);
    if (at === -1) continue;
    frames.length = at;
    break;
  }
  return `${arrayJoin.call(frames, '\n')}\n${arrayJoin.call(original, '\n')}`;
}

function unwanted(error, stackStartFn, diff) {
  const wrapped = new AssertionError({
    actual: error,
    expected: null,
    operator: 'ifError',
    message: `ifError got unwanted exception: ${describe(error)}`,
    stackStartFn,
    diff,
  });
  if (typeof error.stack === 'string') wrapped.stack = joinStacks(wrapped.stack, error.stack);
  return wrapped;
}

module.exports = { unwanted };
