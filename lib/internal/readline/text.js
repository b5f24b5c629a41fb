// natives: none
// Where characters and words begin and end in a line that is being edited.
'use strict';

// Line ends as readline sees them; global: lastIndex is used and must be reset.
const lineEnding = /\r?\n|\r(?!\n)|\u2028|\u2029/g;

const isHigh = (code) => code >= 0xd800 && code <= 0xdbff;
const isLow = (code) => code >= 0xdc00 && code <= 0xdfff;

// Code units of the character before `at`.
function charLengthLeft(text, at) {
  if (at <= 0) return 0;
  const pair = at > 1 && isHigh(stringCharCodeAt.call(text, at - 2)) && isLow(stringCharCodeAt.call(text, at - 1));
  return pair ? 2 : 1;
}

// Code units of the character at `at`; 1 past the end, so that the cursor stays put there.
function charLengthAt(text, at) {
  if (text.length <= at) return 1;
  return stringCodePointAt.call(text, at) > 0xffff ? 2 : 1;
}

function wordLengthLeft(text, at) {
  const reversed = arrayJoin.call(arrayReverse.call(Array.from(each(stringSlice.call(text, 0, at)))), '');
  return regexpExec.call(/^\s*(?:[^\w\s]+|\w+)?/, reversed)[0].length;
}

// With the white space behind the word.
function wordLengthRight(text, at) {
  return regexpExec.call(/^(?:\s+|[^\w\s]+|\w+)\s*/, stringSlice.call(text, at))?.[0].length ?? 0;
}

// Deleting takes a run of spaces, or a word, or a run of punctuation.
function deletableRight(text, at) {
  return regexpExec.call(/^(?:\s+|\W+|\w+)\s*/, stringSlice.call(text, at))?.[0].length ?? 0;
}

function commonPrefix(strings) {
  if (strings.length === 0) return '';
  if (strings.length === 1) return strings[0];
  const sorted = arrayToSorted.call(strings);
  const first = sorted[0];
  const last = sorted[sorted.length - 1];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return stringSlice.call(first, 0, length);
}

module.exports = {
  lineEnding,
  charLengthLeft,
  charLengthAt,
  wordLengthLeft,
  wordLengthRight,
  deletableRight,
  commonPrefix,
};
