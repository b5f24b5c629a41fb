// natives: none
// Timers and handles that tests leave behind: which test made them, and where. Long timers and handles are always recorded, for the message
// about what keeps a process alive when its tests are over; --test-leaks records every timer and fails the test that left one.
'use strict';

const active = require('internal/async_hooks/active_resources');
const asyncContext = require('internal/async_hooks/context');
const { relative } = require('internal/path/path');
const { failure, types } = require('internal/test_runner/failures');
const { currentTest } = require('internal/test_runner/scope');

const kLongTimer = 500; // milliseconds
const kSweepAt = 1000;
const kPatience = 1000;

const made = new Map(); // resource -> { test, where }
let recordsAll = false;

const isTimer = (resource) => resource._idleTimeout !== undefined;

function isAlive(resource) {
  if (isTimer(resource)) return !resource._destroyed && resource.hasRef();
  return active.has(resource) && resource[active.kResourceName]() !== undefined;
}

function note(resource) {
  const test = currentTest();
  if (test === undefined || test.isFile) return; // the process of a file and its pipes are the runner's own
  if (made.size >= kSweepAt) sweep();
  made.set(resource, { test, where: new Error() });
}

function sweep() {
  for (const resource of each([...each(made.keys())])) {
    if (isTimer(resource) ? resource._destroyed : !active.has(resource)) made.delete(resource);
  }
}

function watch(all) {
  recordsAll = all;
  asyncContext.onCapture = (resource, type) => {
    if (type === 'Timeout' && (recordsAll || resource._idleTimeout >= kLongTimer || resource._repeat !== null)) note(resource);
  };
  active.watchAdded(note);
}

// The first frame that is the program's.
function placeOf({ stack }) {
  const frame = arrayFind.call(
    stringSplit.call(stack, '\n'),
    (line) => regexpTest.call(/^ {4}at /, line) && !stringIncludes.call(line, 'node:'),
  );
  const place = frame === undefined ? null : regexpExec.call(/\(?((?:file:\/\/)?\/[^()]*:\d+:\d+)\)?$/, frame);
  if (place === null) return '';
  return ` at ${relative(process.cwd(), replaceMatches(place[1], /^file:\/\//g, ''))}`;
}

function describe(resource) {
  if (isTimer(resource)) return `${resource._repeat === null ? 'a timer' : 'an interval'} of ${resource._idleTimeout} ms`;
  return `an open ${resource[active.kResourceName]()}`;
}

const isWithin = (test, outer) => test === outer || (test.parent !== null && isWithin(test.parent, outer));

// Lines about what `test` and the tests inside it have made and not ended.
function leftBy(test) {
  const lines = [];
  for (const {
    0: resource,
    1: { test: maker, where },
  } of eachEntry(made)) {
    if (isAlive(resource) && isWithin(maker.parentTest ?? maker, test))
      arrayPush.call(lines, `${describe(resource)}, made${placeOf(where)}`);
  }
  return lines;
}

// --test-leaks: undefined when the test left nothing.
function leakOf(test) {
  if (!recordsAll) return undefined;
  const lines = leftBy(test);
  return lines.length === 0 ? undefined : failure(`test left behind: ${arrayJoin.call(lines, '; ')}`, types.testCode);
}

function explain(title, tests) {
  const lines = [];
  for (const {
    0: resource,
    1: { test, where },
  } of eachEntry(made)) {
    if (isAlive(resource) && (tests === undefined || arraySome.call(tests, (one) => isWithin(test.parentTest ?? test, one)))) {
      arrayPush.call(lines, `  ${describe(resource)}, made in "${(test.parentTest ?? test).fullName}"${placeOf(where)}\n`);
    }
  }
  if (lines.length > 0) process.stderr.write(`${title}\n${arrayJoin.call(lines, '')}`);
}

let patience;

// All tests have run: if the process is still there a second later, it says why.
function explainSoon() {
  clearTimeout(patience);
  patience = setTimeout(() => explain('The tests are over, but the process is kept alive by (see --test-force-exit):'), kPatience);
  patience.unref();
}

const explainRunning = (tests) => explain('Waiting for:', tests);
const explainTimeout = (test) => explain(`Test "${test.fullName}" timed out, and waits for:`, [test]);

module.exports = { explainRunning, explainSoon, explainTimeout, leakOf, watch };
