// natives: none
// Errors as reporters print them: once more without custom inspection when that throws.
'use strict';

const { inspect } = require('internal/util/inspect');

function inspectWithoutCustom(value, options) {
  try {
    return inspect(value, options);
  } catch {
    return inspect(value, { ...options, customInspect: false });
  }
}

module.exports = { inspectWithoutCustom };
