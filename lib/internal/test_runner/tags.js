// natives: none
// Tags of tests: lower case, each once, in the order they were written; and the filters that choose tests by them.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateArray, validateString } = require('internal/util/validators');

const kNoTags = Object.freeze([]);

function warn() {
  require('internal/util/helpers').emitExperimentalWarning('Test tags');
}

function readTag(value, name) {
  validateString(value, name);
  if (value.length === 0) throw new ERR_INVALID_ARG_VALUE(name, value, 'must not be empty');
  return stringToLowerCase.call(value);
}

// options.tags of a test.
function readTags(values, name) {
  validateArray(values, name);
  if (values.length === 0) return kNoTags;
  warn();
  const tags = new Set();
  for (let i = 0; i < values.length; i++) tags.add(readTag(values[i], `${name}[${i}]`));
  return [...each(tags)];
}

// A test has its own tags and those of the suites around it, theirs first.
function joinTags(inherited, own) {
  if (own.length === 0) return inherited;
  return Object.freeze([...each(new Set([...each(inherited), ...each(own)]))]);
}

// null: no filter was given.
function readFilters(values, name) {
  if (values == null || values.length === 0) return null;
  warn();
  return arrayMap.call(values, (value, i) => readTag(value, `${name}[${i}]`));
}

const matchesFilters = (filters, tags) => arrayEvery.call(filters, (filter) => arrayIncludes.call(tags, filter));

module.exports = { joinTags, kNoTags, matchesFilters, readFilters, readTags };
