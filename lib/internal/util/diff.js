// natives: none
// util.diff: what differs between two strings or two lists of strings.
'use strict';

const { validateString, validateStringArray } = require('internal/util/validators');
const { myersDiff } = require('internal/util/myers_diff');

function diff(actual, expected) {
  if (actual === expected) return [];
  for (const [name, value] of eachEntry([
    ['actual', actual],
    ['expected', expected],
  ])) {
    if (Array.isArray(value)) validateStringArray(value, name);
    else validateString(value, name);
  }
  return arrayReverse.call(myersDiff(actual, expected));
}

module.exports = { diff };
