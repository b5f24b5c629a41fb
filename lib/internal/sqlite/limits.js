// natives: sqlite
// database.limits: SQLite's run-time limits as properties that can be read and set.
'use strict';

const binding = native('sqlite');
const { integerOption, rangeError, requireObject, typeError } = require('internal/sqlite/errors');

// In the order of SQLITE_LIMIT_LENGTH = 0, …; worker threads are no business of a program's.
const names = [
  'length',
  'sqlLength',
  'column',
  'exprDepth',
  'compoundSelect',
  'vdbeOp',
  'functionArg',
  'attach',
  'likePatternLength',
  'variableNumber',
  'triggerDepth',
];
const kMostInt32 = 0x7fffffff;

function valueOf(value) {
  if (value === Infinity) return kMostInt32;
  if (typeof value !== 'number' || (value | 0) !== value) {
    throw typeError('Limit value must be a non-negative integer or Infinity.');
  }
  if (value < 0) throw rangeError('Limit value must be non-negative.');
  return value;
}

function makeLimits(database) {
  const limits = {};
  for (let id = 0; id < names.length; id++) {
    Object.defineProperty(limits, names[id], {
      __proto__: null,
      enumerable: true,
      get() {
        return binding.limit(database, id, -1);
      },
      set(value) {
        binding.limit(database, id, -1); // throws when the database is closed
        binding.limit(database, id, valueOf(value));
      },
    });
  }
  return limits;
}

// The option of the constructor as pairs of number and value.
function limitPairs(limits) {
  const pairs = [];
  if (limits !== undefined) {
    requireObject(limits, 'options.limits');
    for (let id = 0; id < names.length; id++) {
      let value;
      try {
        value = integerOption(limits, names[id]);
      } catch (error) {
        if (error?.code === 'ERR_INVALID_ARG_TYPE') error.message = `The "options.limits.${names[id]}" argument must be an integer.`;
        throw error;
      }
      if (value === undefined) continue;
      if (value < 0) throw rangeError(`The "options.limits.${names[id]}" argument must be non-negative.`);
      arrayPush.call(pairs, id, value);
    }
  }
  return new Int32Array(pairs);
}

module.exports = { makeLimits, limitPairs };
