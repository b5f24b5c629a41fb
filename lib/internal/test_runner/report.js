// natives: stdio
// Prints tests as people read them: one line each, indented by nesting, then the totals and
// the failures again in full. In a process that --test started, the last part goes to that
// process instead, which sums up.
'use strict';

const { writeBytes, writeText } = native('stdio');

const kSigns = { pass: '\u2714', fail: '\u2716', skip: '\ufe63', todo: '\u26a0' };
const failures = []; // texts
let reportFd = -1;
const totals = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

const print = (text) => writeText(1, `${text}\n`);
const indentation = (test) => stringRepeat.call('  ', Math.max(test.nesting, 0));

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
  const time = ` (${Number(numberToFixed.call(test.duration, 6))}ms)`;
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
  if (test.error !== null && !test.todo && !test.skipped && test.error.failureType !== 'subtestsFailed')
    arrayPush.call(failures, failure(test));
}

function failure(test) {
  const { inspect } = require('internal/util/inspect');
  const cause = test.error.cause ?? test.error;
  const text = typeof cause === 'string' ? cause : inspect(cause);
  return `${kSigns.fail} ${test.name} (${Number(numberToFixed.call(test.duration, 6))}ms)\n${replaceMatches(text, /^/gm, '  ')}`;
}

function printTest(test) {
  show(test);
}

// Returns how many tests failed.
function printSummary(duration) {
  if (reportFd >= 0) {
    require('internal/fs/fs').writeSync(reportFd, JSON.stringify({ totals, failures }));
    return totals.fail + totals.cancelled;
  }
  for (const key of each(Object.keys(totals))) print(`\u2139 ${key} ${totals[key]}`);
  print(`\u2139 duration_ms ${Number(numberToFixed.call(duration, 6))}`);
  if (failures.length > 0) {
    print(`\n${kSigns.fail} failing tests:`);
    for (const text of each(failures)) print(`\n${text}`);
  }
  return totals.fail + totals.cancelled;
}

// Results reported by a file's process. False: it declared no tests, or did not end as its tests did; then the file itself is a test.
function addOutcome(report, succeeded) {
  let outcome;
  try {
    outcome = JSON.parse(report);
  } catch {
    return false;
  }
  for (const key of each(Object.keys(totals))) totals[key] += outcome.totals[key];
  for (const text of each(outcome.failures)) arrayPush.call(failures, text);
  return succeeded || outcome.totals.fail + outcome.totals.cancelled > 0;
}

function printFile({ file, code, signal, duration }) {
  const cause = code === 0 ? null : `test failed\n${signal === null ? `exitCode: ${code}` : `signal: '${signal}'`}`;
  const test = {
    name: file,
    nesting: 0,
    duration,
    subtests: [],
    diagnostics: [],
    error: cause === null ? null : { cause },
    isSuite: false,
  };
  show(test);
}

function printOutput(pieces) {
  for (const [fd, bytes] of eachEntry(pieces)) writeBytes(fd, bytes);
}

module.exports = {
  addOutcome,
  printFile,
  printOutput,
  printSummary,
  printTest,
  sendTo: (fd) => {
    reportFd = fd;
  },
};
