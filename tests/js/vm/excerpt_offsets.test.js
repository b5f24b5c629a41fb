'use strict';
// The excerpt before the stack of an error: the caret stands below the text, whatever the column offset of the script.
const assert = require('node:assert');
const vm = require('node:vm');

function stackOf(text, options) {
  try {
    vm.runInThisContext(text, options);
  } catch (error) {
    return error.stack;
  }
  return undefined;
}
const first = stackOf(' throw new Error()', { filename: 'given.js', lineOffset: 32, columnOffset: 123 });
assert.match(first, /^given\.js:33\n throw new Error\(\)\n \^\n/);
assert.match(first, /given\.js:33:131/);
const second = stackOf('1;\n  throw new Error()', { filename: 'given.js', lineOffset: 32, columnOffset: 123 });
assert.match(second, /^given\.js:34\n {2}throw new Error\(\)\n {2}\^\n/);
