// natives: none
// The functions of t.assert: assert's, and those that programs register.
'use strict';

const { validateFunction, validateString } = require('internal/util/validators');

const kNames = [
  'deepEqual',
  'deepStrictEqual',
  'doesNotMatch',
  'doesNotReject',
  'doesNotThrow',
  'equal',
  'fail',
  'ifError',
  'match',
  'notDeepEqual',
  'notDeepStrictEqual',
  'notEqual',
  'notStrictEqual',
  'partialDeepStrictEqual',
  'rejects',
  'strictEqual',
  'throws',
];

let assertions;

function assertionMap() {
  if (assertions !== undefined) return assertions;
  const assert = require('internal/assert/assert');
  assertions = new Map();
  for (const name of each(kNames)) assertions.set(name, assert[name]);
  return assertions;
}

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  assertionMap().set(name, fn);
}

module.exports = { assertionMap, register };
