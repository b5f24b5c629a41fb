// natives: none
// The spec reporter: tests as an indented list, failures in full at the end.
'use strict';

const { relative } = require('internal/path/path');
const Transform = require('internal/streams/transform');
const colors = require('internal/util/colors');
const { types } = require('internal/test_runner/failures');
const { coverageTable } = require('internal/test_runner/reporter/coverage_table');
const { formatTest, indentation, kSigns } = require('internal/test_runner/reporter/format');

class SpecReporter extends Transform {
  #started = []; // tests that have begun, innermost first, and whose outcome or arrow is not printed yet
  #failed = [];
  #cwd = process.cwd();

  constructor() {
    super({ __proto__: null, writableObjectMode: true });
    colors.refresh();
  }

  #failures() {
    if (this.#failed.length === 0) return '';
    const lines = [`\n${colors.red}${kSigns.fail}failing tests:${colors.white}\n`];
    for (const test of each(this.#failed)) {
      if (test.file) arrayPush.call(lines, `test at ${relative(this.#cwd, test.file)}:${test.line}:${test.column}`);
      arrayPush.call(lines, formatTest('test:fail', test));
    }
    this.#failed = [];
    return arrayJoin.call(lines, '\n');
  }

  #outcome(type, data) {
    arrayShift.call(this.#started);
    let prefix = '';
    while (this.#started.length > 0) {
      const { nesting, name } = arrayPop.call(this.#started);
      prefix += `${indentation(nesting)}${kSigns.arrow}${name}\n`;
    }
    return `${formatTest(type, data, { withError: false, prefix, indent: indentation(data.nesting) })}\n`;
  }

  #note({ level, nesting, message }) {
    const color = level === 'error' ? colors.red : level === 'warn' ? colors.yellow : colors.blue;
    return `${color}${indentation(nesting)}${kSigns.info}${message}${colors.white}\n`;
  }

  #interrupted({ tests }) {
    if (tests.length === 0) return '';
    const lines = arrayMap.call(tests, ({ nesting, name, file, line, column }) => {
      const place = file ? ` ${colors.gray}(${relative(this.#cwd, file)}:${line}:${column})${colors.white}` : '';
      return `${indentation(nesting)}${kSigns.warning}${name}${place}\n`;
    });
    return `\n${colors.yellow}Interrupted while running:${colors.white}\n\n${arrayJoin.call(lines, '')}`;
  }

  #text(type, data) {
    switch (type) {
      case 'test:fail':
        if (data.details?.error?.failureType !== types.subtests) arrayPush.call(this.#failed, data);
        return this.#outcome(type, data);
      case 'test:pass':
        return this.#outcome(type, data);
      case 'test:start':
        arrayUnshift.call(this.#started, data);
        return undefined;
      case 'test:stderr':
      case 'test:stdout':
        return data.message;
      case 'test:diagnostic':
      case 'test:log':
        return this.#note(data);
      case 'test:coverage':
        return coverageTable(indentation(data.nesting), data.summary, kSigns.info, colors.blue);
      case 'test:summary':
        return data.file === undefined ? this.#failures() : undefined;
      case 'test:watch:restarted':
        return `\nRestarted at ${new Date().toLocaleString()}\n`;
      case 'test:interrupted':
        return this.#interrupted(data);
      default:
        return undefined;
    }
  }

  _transform({ type, data }, encoding, callback) {
    callback(null, this.#text(type, data));
  }
  _flush(callback) {
    callback(null, this.#failures());
  }
}

module.exports = SpecReporter;
