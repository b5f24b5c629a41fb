// natives: none
// The shortest edit script between two sequences (Myers 1986), and how assert prints it.
// A diff is a list of [operation, value]: -1 only in expected, 0 in both, 1 only in actual.
// Used by assert's messages and util.diff.
'use strict';

const {
  codes: { ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');

const kDelete = -1;
const kSame = 0;
const kInsert = 1;
const kShownContext = 5;

function sameLine(a, b, ignoreComma) {
  return a === b || (ignoreComma && (`${a},` === b || a === `${b},`));
}

// Whether the path at diagonal k comes from the diagonal above it (k + 1).
function comesFromAbove(reach, k, edits, offset) {
  return k === -edits || (k !== edits && reach[offset + k - 1] < reach[offset + k + 1]);
}

// Each step's furthest points are kept, to walk back from the end: back to front.
function walkBack(steps, actual, expected, ignoreComma) {
  const result = [];
  let x = actual.length;
  let y = expected.length;
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    const reach = steps[edits];
    const middle = edits + 1;
    const k = x - y;
    const before = comesFromAbove(reach, k, edits, middle) ? k + 1 : k - 1;
    const startX = reach[middle + before];
    const startY = startX - before;
    while (x > startX && y > startY) {
      x--;
      y--;
      const value = ignoreComma && !stringEndsWith.call(actual[x], ',') ? expected[y] : actual[x];
      arrayPush.call(result, [kSame, value]);
    }
    if (edits > 0) arrayPush.call(result, x > startX ? [kInsert, actual[--x]] : [kDelete, expected[--y]]);
  }
  return result;
}

// The diff, last operation first.
function myersDiff(actual, expected, ignoreComma = false) {
  const most = actual.length + expected.length;
  if (most > 2 ** 31 - 1) throw new ERR_OUT_OF_RANGE('myersDiff input size', '< 2^31', most);
  const offset = most + 1;
  const reach = new Int32Array(2 * offset + 1);
  const steps = [];
  for (let edits = 0; edits <= most; edits++) {
    // Only the diagonals that this many edits can reach.
    arrayPush.call(steps, bytesSlice.call(reach, offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      let x = comesFromAbove(reach, k, edits, offset) ? reach[offset + k + 1] : reach[offset + k - 1] + 1;
      let y = x - k;
      while (x < actual.length && y < expected.length && sameLine(actual[x], expected[y], ignoreComma)) {
        x++;
        y++;
      }
      reach[offset + k] = x;
      if (x >= actual.length && y >= expected.length) return walkBack(steps, actual, expected, ignoreComma);
    }
  }
}

function printSimpleMyersDiff(diff) {
  const colors = require('internal/util/colors');
  let text = '';
  for (let i = diff.length - 1; i >= 0; i--) {
    const [operation, value] = each(diff[i]);
    const color = operation === kInsert ? colors.green : operation === kDelete ? colors.red : colors.white;
    text += `${color}${value}${colors.white}`;
  }
  return `\n${text}`;
}

// Placeholder for the unchanged lines beyond the shown ones, now that a change follows.
function printHidden(hidden, colors) {
  const line = (value) => `${colors.white}  ${value}\n`;
  if (hidden.length === 0) return '';
  if (hidden.length <= 2) return arrayJoin.call(arrayMap.call(hidden, line), '');
  return `${colors.blue}...${colors.white}\n${line(hidden[hidden.length - 1])}`;
}

function printMyersDiff(diff, operator) {
  const colors = require('internal/util/colors');
  let text = '';
  let skipped = false;
  let same = 0;
  let hidden = [];
  for (let i = diff.length - 1; i >= 0; i--) {
    const [operation, value] = each(diff[i]);
    if (operation === kSame) {
      if (same++ < kShownContext) text += `${colors.white}  ${value}\n`;
      else arrayPush.call(hidden, value);
      continue;
    }
    text += printHidden(hidden, colors);
    skipped ||= hidden.length > 2;
    same = 0;
    hidden = [];
    if (operation === kDelete) {
      text += `${colors.red}-${colors.white} ${value}\n`;
    } else if (operator === 'partialDeepStrictEqual') {
      text += `${colors.gray}${colors.hasColors ? ' ' : '+'} ${value}${colors.white}\n`;
    } else {
      text += `${colors.green}+${colors.white} ${value}\n`;
    }
  }
  return { message: `\n${stringTrimEnd.call(text)}`, skipped };
}

module.exports = { myersDiff, printMyersDiff, printSimpleMyersDiff };
