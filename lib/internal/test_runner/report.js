// natives: stdio
// Prints tests as people read them: one line each, indented by nesting, then the totals and
// the failures again in full.
'use strict';

const { writeText } = native('stdio');

const kSigns = { pass: '\u2714', fail: '\u2716', skip: '\ufe63', todo: '\u26a0' };
const failures = [];
const totals = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

const print = (text) => writeText(1, `${text}\n`);
const indentation = (test) => '  '.repeat(Math.max(test.nesting, 0));

function count(test) {
  if (test.isSuite) totals.suites++;
  else totals.tests++;
  if (test.isSuite) return;
  if (test.skipped) totals.skipped++;
  else if (test.todo) totals.todo++;
  else if (test.error === null) totals.pass++;
  else if (test.error.failureType === 'cancelledByParent') totals.cancelled++;
  else totals.fail++;
}

function note(kind, value) {
  return value ? ` # ${kind}${typeof value === 'string' ? ` ${value}` : ''}` : '';
}

function line(test) {
  const failed = test.error !== null && !test.todo;
  const sign = test.skipped ? kSigns.skip : failed ? kSigns.fail : test.error !== null ? kSigns.todo : kSigns.pass;
  const time = ` (${Number(test.duration.toFixed(6))}ms)`;
  return `${indentation(test)}${sign} ${test.name}${time}${note('SKIP', test.skipped)}${test.skipped ? '' : note('TODO', test.todo)}`;
}

function show(test) {
  if (test.subtests.length > 0) {
    print(`${indentation(test)}\u25b6 ${test.name}`);
    for (const subtest of each(test.subtests)) show(subtest);
  }
  print(line(test));
  for (const message of each(test.diagnostics)) print(`${indentation(test)}\u2139 ${message}`);
  count(test);
  if (test.error !== null && !test.todo && !test.skipped && test.error.failureType !== 'subtestsFailed') failures.push(test);
}

function showFailures() {
  const { inspect } = require('internal/util/inspect');
  print(`\n${kSigns.fail} failing tests:`);
  for (const test of each(failures)) {
    print(`\n${kSigns.fail} ${test.name} (${Number(test.duration.toFixed(6))}ms)`);
    const cause = test.error.cause ?? test.error;
    print(inspect(cause).replace(/^/gm, '  '));
  }
}

function printTest(test) { show(test); }

function printSummary(duration) {
  for (const key of each(Object.keys(totals))) print(`\u2139 ${key} ${totals[key]}`);
  print(`\u2139 duration_ms ${Number(duration.toFixed(6))}`);
  if (failures.length > 0) showFailures();
}

module.exports = { printSummary, printTest };
