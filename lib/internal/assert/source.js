// natives: util
// Finds the expression of a failed `assert(…)` in its source line, so that the message can
// quote it. Only the line of the call is looked at.
'use strict';

const { getCallerSource } = native('util');

const kAccess = new Set(['.', '?.', '[', ']']);
const kNames = new Set(['name', 'string', 'num']);

// From the start of the member chain before `column` to the parenthesis that closes the call.
function firstExpression(code, column) {
  const { Parser } = require('acorn');
  let last;
  let chain;
  let nesting = 0;
  let end;
  for (const token of each(Parser.tokenizer(code, { ecmaVersion: 'latest' }))) {
    const { label } = token.type;
    if (token.start < column) {
      if (label === ';') {
        chain = undefined;
        continue;
      }
      if (kAccess.has(label) && last?.type.label === 'name') chain ??= last;
      else if (!kAccess.has(label) && !kNames.has(label)) chain = undefined;
      last = token;
    } else if (label === '(') {
      nesting++;
    } else if (label === ')' && --nesting === 0) {
      end = token.end;
      break;
    } else if (label === ';') {
      end = token.start;
      break;
    }
  }
  return stringSlice.call(code, chain?.start ?? column, end);
}

const kControl = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g;
function escapeControl(character) {
  if (character === '\b') return '\\b';
  if (character === '\f') return '\\f';
  return `\\u${stringPadStart.call(numberToString.call(stringCharCodeAt.call(character, 0), 16), 4, '0')}`;
}

// The text of the call of `fn`, or undefined when its source cannot be had.
function sourceOfCall(fn) {
  const [line, column] = each(getCallerSource(fn) ?? []);
  if (line === undefined) return undefined;
  try {
    return replaceMatches(firstExpression(line, column - 1), kControl, escapeControl);
  } catch {
    return undefined;
  }
}

module.exports = { sourceOfCall };
