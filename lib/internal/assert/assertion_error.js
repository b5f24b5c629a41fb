// natives: none
// AssertionError: what assert's functions throw. Its message shows both values and a diff;
// `generatedMessage`, `actual`, `expected` and `operator` tell test runners the rest.
'use strict';

const colors = require('internal/util/colors');
const { validateObject } = require('internal/util/validators');
const { isErrorStackTraceLimitWritable } = require('internal/errors/coded');

// For assertions that fail; most programs have none.
const inspect = (value, options) => require('internal/util/inspect').inspect(value, options);
const isError = (value) => require('internal/util/inspect/errors').isError(value);
const diff = () => require('internal/util/myers_diff');

const kHeadlines = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};

const kShortLength = 12;
const kLongLength = 512;
const kLongLines = 50;
const kWithDiff = new Set(['deepStrictEqual', 'strictEqual', 'partialDeepStrictEqual']);

const isObject = (value) => typeof value === 'object' && value !== null;

// Everything that a comparison looks at, whatever util.inspect's defaults are now.
function show(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

// A copy without stack, so that the diff does not show it.
function copyError(source) {
  const target = Object.assign({ __proto__: Object.getPrototypeOf(source) }, source);
  Object.defineProperty(target, 'message', { __proto__: null, value: source.message });
  if (Object.hasOwn(source, 'cause')) {
    const value = isError(source.cause) ? copyError(source.cause) : source.cause;
    Object.defineProperty(target, 'cause', { __proto__: null, value });
  }
  return target;
}

// --- diffs

// Two lines, with a caret under the first difference when both are strings.
function stackedDiff(actual, expected) {
  const text = `\n${colors.green}+${colors.white} ${actual}\n${colors.red}- ${colors.white}${expected}`;
  const columns = process.stderr.isTTY ? process.stderr.columns : 80;
  if (actual.length + expected.length > columns) return text;
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at++;
  // Not for the first two characters: there it is plain to see.
  return at < 3 || at === actual.length ? text : `${text}\n${stringRepeat.call(' ', at + 2)}^`;
}

function simpleDiff(actual, shownActual, expected, shownExpected) {
  const quotes = (typeof actual === 'string' ? 2 : 0) + (typeof expected === 'string' ? 2 : 0);
  const length = shownActual.length + shownExpected.length - quotes;
  if (length <= kShortLength && (actual !== 0 || expected !== 0)) {
    return { text: `${shownActual} !== ${shownExpected}`, header: '' };
  }
  if (typeof actual === 'string' && typeof expected === 'string' && colors.hasColors) {
    return {
      text: diff().printSimpleMyersDiff(diff().myersDiff(stringSplit.call(shownActual, ''), stringSplit.call(shownExpected, ''))),
      header: `${colors.green}actual${colors.white} ${colors.red}expected${colors.white}`,
    };
  }
  return { text: stackedDiff(shownActual, shownExpected) };
}

function linesDiff(actual, linesActual, linesExpected, operator) {
  const { myersDiff, printMyersDiff } = diff();
  const { message, skipped } = printMyersDiff(myersDiff(linesActual, linesExpected, isObject(actual)), operator);
  const header =
    operator === 'partialDeepStrictEqual'
      ? `${colors.gray}${colors.hasColors ? '' : '+ '}actual${colors.white} ${colors.red}- expected${colors.white}`
      : undefined;
  return { text: message, skipped, header };
}

// Same text, yet not the same: shown once.
function identicalDiff(lines, diff) {
  if (lines.length <= kLongLines || diff === 'full') return { text: arrayJoin.call(lines, '\n'), header: '' };
  return { text: `${arrayJoin.call(arraySlice.call(lines, 0, kLongLines), '\n')}\n...}`, header: '', skipped: true };
}

function chooseOperator(actual, expected, operator) {
  const bothReferences = (isObject(actual) && isObject(expected)) || (typeof actual === 'function' && typeof expected === 'function');
  return operator === 'strictEqual' && bothReferences ? 'strictEqualObject' : operator;
}

function messageWithDiff(actual, expected, operator, customMessage, diff) {
  let headline = chooseOperator(actual, expected, operator);
  const shownActual = show(actual);
  const shownExpected = show(expected);
  const linesActual = stringSplit.call(shownActual, '\n');
  const linesExpected = stringSplit.call(shownExpected, '\n');
  let result;
  if (linesActual.length === 1 && linesExpected.length === 1 && !(isObject(actual) && isObject(expected))) {
    result = simpleDiff(actual, shownActual, expected, shownExpected);
  } else if (shownActual === shownExpected) {
    headline = 'notIdentical';
    result = identicalDiff(linesActual, diff);
  } else {
    result = linesDiff(actual, linesActual, linesExpected, headline);
  }
  const header = result.header ?? `${colors.green}+ actual${colors.white} ${colors.red}- expected${colors.white}`;
  return `${customMessage || kHeadlines[headline]}\n${header}${result.skipped ? '\n... Skipped lines' : ''}` + `\n${result.text}\n`;
}

// --- the other messages

function messageOfNot(actual, operator, diff) {
  const isReference = isObject(actual) || typeof actual === 'function';
  const headline = kHeadlines[operator === 'notStrictEqual' && isReference ? 'notStrictEqualObject' : operator];
  const lines = stringSplit.call(show(actual), '\n');
  if (lines.length > kLongLines && diff !== 'full') {
    lines.length = 46;
    arrayPush.call(lines, `${colors.blue}...${colors.white}`);
  }
  if (lines.length === 1) return `${headline}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${headline}\n\n${arrayJoin.call(lines, '\n')}\n`;
}

const cut = (text, limit, diff) => (text.length > limit && diff !== 'full' ? `${stringSlice.call(text, 0, limit - 3)}...` : text);

function messageOfLoose(actual, expected, operator, diff) {
  const shownActual = show(actual);
  const shownExpected = show(expected);
  const headline = kHeadlines[operator];
  if (operator === 'notDeepEqual' && shownActual === shownExpected) {
    return cut(`${headline}\n\n${shownActual}`, 1024, diff);
  }
  const left = cut(shownActual, kLongLength, diff);
  const right = cut(shownExpected, kLongLength, diff);
  if (operator === 'deepEqual') return `${headline}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  const unequal = kHeadlines[`${operator}Unequal`];
  if (unequal) return `${unequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  return `${left} ${operator} ${right}`;
}

function makeMessage(actual, expected, operator, diff) {
  if (kWithDiff.has(operator)) return messageWithDiff(actual, expected, operator, undefined, diff);
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') return messageOfNot(actual, operator, diff);
  return messageOfLoose(actual, expected, operator, diff);
}

function shorten(text) {
  if (typeof text !== 'string') return text;
  const lines = stringSplit.call(text, '\n', 11);
  if (lines.length > 10) return `${arrayJoin.call(arraySlice.call(lines, 0, 10), '\n')}\n...`;
  return text.length > kLongLength ? `${stringSlice.call(text, kLongLength)}...` : text;
}

function withoutStack(make) {
  if (!isErrorStackTraceLimitWritable()) return make();
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, stackStartFn, details, stackStartFunction, diff = 'simple' } = options;
    let { actual, expected } = options;
    let text;
    if (message != null) {
      text = kWithDiff.has(operator) ? messageWithDiff(actual, expected, operator, message, diff) : String(message);
    } else {
      colors.refresh();
      if (
        isObject(actual) &&
        isObject(expected) &&
        'stack' in actual &&
        actual instanceof Error &&
        'stack' in expected &&
        expected instanceof Error
      ) {
        actual = copyError(actual);
        expected = copyError(expected);
      }
      text = makeMessage(actual, expected, operator, diff);
    }
    withoutStack(() => super(text));
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', {
      __proto__: null,
      value: 'AssertionError [ERR_ASSERTION]',
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    this.actual = details ? undefined : actual;
    this.expected = details ? undefined : expected;
    this.operator = details ? undefined : operator;
    if (details)
      arrayForEach.call(details, (detail, i) => {
        for (const key of each(['message', 'actual', 'expected', 'operator'])) this[`${key} ${i}`] = detail[key];
        this[`stack trace ${i}`] = detail.stack;
      });
    captureStackTrace(this, stackStartFn || stackStartFunction);
    // An async function that was resumed is not on the stack: then show what is.
    if (Error.stackTraceLimit > 0 && !stringIncludes.call(this.stack, '\n    at ')) captureStackTrace(this);
    // The stack is written now, with the code in the name; then the name is the plain one.
    this.stack;
    this.name = 'AssertionError';
    this.diff = diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  // Both values are in the message already: show them shallow and short.
  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    const { actual, expected } = this;
    this.actual = shorten(actual);
    this.expected = shorten(expected);
    const shown = inspect(this, { ...options, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return shown;
  }
}

module.exports = AssertionError;
