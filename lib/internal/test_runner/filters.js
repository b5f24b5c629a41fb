// natives: none
// Which tests run: name patterns, skip patterns and `only`.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');

const kLiteral = /^\/(.*)\/([a-z]*)$/;

// "/pattern/flags" or the pattern alone.
function toRegExp(text, name) {
  const parts = regexpExec.call(kLiteral, text);
  try {
    return new RegExp(parts?.[1] ?? text, parts?.[2] ?? '');
  } catch (error) {
    throw new ERR_INVALID_ARG_VALUE(name, text, `is an invalid regular expression.${error?.message ? ` ${error.message}` : ''}`);
  }
}

// Patterns of the command line, null when there are none.
const readPatterns = (list, name) => (list?.length > 0 ? arrayMap.call(list, (text) => toRegExp(text, name)) : null);

// options.testNamePatterns and options.testSkipPatterns of run(): one or several, strings or regular expressions.
function readPatternOption(value, name) {
  if (value == null) return value;
  return arrayMap.call(Array.isArray(value) ? value : [value], (pattern, i) => {
    if (require('internal/util/types').isRegExp(pattern)) return pattern;
    if (typeof pattern === 'string') return toRegExp(pattern, `${name}[${i}]`);
    throw new ERR_INVALID_ARG_TYPE(`${name}[${i}]`, ['string', 'RegExp'], pattern);
  });
}

// A pattern that matches a suite takes in everything inside it.
function matches(test, patterns) {
  const fits = (name) => arraySome.call(patterns, (pattern) => regexpExec.call(pattern, name) !== null);
  if (fits(test.name) || (test.parent !== null && matches(test.parent, patterns))) return true;
  return fits(stringTrim.call(test.nameWithAncestors));
}

function isFilteredByName(test) {
  const { testNamePatterns, testSkipPatterns } = test.config;
  if (testNamePatterns && !matches(test, testNamePatterns)) return true;
  return Boolean(testSkipPatterns) && matches(test, testSkipPatterns);
}

function isFilteredByOnly(test) {
  if (!test.root.harness.filtersByOnly || test.only || test.hasOnlyTests) return false;
  const { parent } = test;
  return Boolean(parent.runOnlySubtests) || parent.hasOnlyTests || test.only === false;
}

module.exports = { isFilteredByName, isFilteredByOnly, readPatternOption, readPatterns };
