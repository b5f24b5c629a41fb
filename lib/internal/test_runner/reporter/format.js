// natives: none
// The lines that the spec and dot reporters print about a test, with signs, colours and errors.
'use strict';

const colors = require('internal/util/colors');
const { inspectWithoutCustom } = require('internal/test_runner/reporter/inspect_error');

const kSigns = {
  __proto__: null,
  arrow: '\u25b6 ',
  fail: '\u2716 ',
  info: '\u2139 ',
  pass: '\u2714 ',
  skip: '\ufe63 ',
  warning: '\u26a0 ',
};

const indentation = (nesting) => stringRepeat.call('  ', nesting);

function formatError(error, indent) {
  const shown = error.code === 'ERR_TEST_FAILURE' ? error.cause : error;
  const text = inspectWithoutCustom(shown, { __proto__: null, colors: colors.shouldColorize(process.stdout), breakLength: Infinity });
  return `\n${indent}  ${replaceMatches(text, /\r?\n/g, `\n${indent}  `)}\n`;
}

function appearance(type, { skip, todo, expectFailure }) {
  const failed = type === 'test:fail';
  const words = (value, usual) => ` # ${typeof value === 'string' && value.length > 0 ? value : usual}`;
  if (skip !== undefined) return { color: colors.gray, sign: kSigns.skip, note: words(skip, 'SKIP') };
  const usual = failed ? { color: colors.red, sign: kSigns.fail } : { color: colors.green, sign: kSigns.pass };
  if (todo !== undefined) {
    return { ...(failed ? { color: colors.yellow, sign: kSigns.warning } : usual), note: words(todo, 'TODO') };
  }
  return { ...usual, note: expectFailure === undefined ? '' : ' # EXPECTED FAILURE' };
}

function formatTest(type, data, { withError = true, prefix = '', indent = '' } = {}) {
  const { details } = data;
  const gray = (text) => ` ${colors.gray}(${text})${colors.white}`;
  const { color, sign, note } = appearance(type, data);
  const duration = details?.duration_ms ? gray(`${details.duration_ms}ms`) : '';
  const replayed = details?.passed_on_attempt === undefined ? '' : gray(`passed on attempt ${details.passed_on_attempt}`);
  const error = withError && details?.error ? formatError(details.error, indent) : '';
  return `${prefix}${indent}${color}${sign}${data.name}${duration}${replayed}${note}${colors.white}${error}`;
}

module.exports = { formatTest, indentation, kSigns };
