// Precise coverage by session: counts of what ran since the last time, of files loaded before and after the start, in detail or by function.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const inspector = require('node:inspector');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-precise-'));
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const early = write('early.js', 'exports.early = function early(x) { if (x) { return 1; } return 2; };\n');
const late = write('late.js', 'function never() { return 0; }\nexports.late = (x) => (x ? 1 : 2);\nexports.never = never;\n');
const { early: callEarly } = require(early);
callEarly(true);

const session = new inspector.Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ?? result; });
  return answer;
};
const take = (file, method = 'Profiler.takePreciseCoverage') => {
  const { result } = post(method);
  return result.find(({ url }) => url === pathToFileURL(file).href)?.functions;
};
const named = (functions, name) => functions.find(({ functionName }) => functionName === name);

assert.match(post('Profiler.takePreciseCoverage').message, /Precise coverage has not been started/);
assert.match(post('Profiler.startPreciseCoverage').message, /Profiler is not enabled/);
post('Profiler.enable');
assert.match(post('Profiler.getBestEffortCoverage').message, /Nothing is counted/);
assert.strictEqual(typeof post('Profiler.startPreciseCoverage', { callCount: true, detailed: true }).timestamp, 'number');

const { late: callLate } = require(late);
for (let i = 0; i < 3; i++) callLate(true);
setImmediate(() => {
  const functions = take(late);
  const counted = named(functions, 'exports.late') ?? named(functions, 'late');
  assert.strictEqual(counted.ranges[0].count, 3);
  assert.strictEqual(counted.isBlockCoverage, true);
  assert(counted.ranges.some(({ count }) => count === 0), 'the branch that did not run');
  assert.strictEqual(named(functions, 'never').ranges[0].count, 0);

  // Functions loaded before count from their next call on, and taking starts anew.
  callEarly(true);
  callEarly(false);
  callLate(true);
  assert.strictEqual(named(take(late, 'Profiler.getBestEffortCoverage'), counted.functionName).ranges[0].count, 1);
  const again = post('Profiler.takePreciseCoverage').result;
  const of = (file) => again.find(({ url }) => url === pathToFileURL(file).href).functions;
  assert.strictEqual(named(of(late), counted.functionName).ranges[0].count, 1);
  assert.strictEqual(named(of(early), 'early').ranges[0].count, 2);
  assert.strictEqual(named(take(late), counted.functionName).ranges[0].count, 0);

  // By function, and whether at all.
  post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  for (let i = 0; i < 3; i++) callLate(true);
  const coarse = named(take(late), counted.functionName);
  assert.deepStrictEqual([coarse.ranges.length, coarse.ranges[0].count, coarse.isBlockCoverage], [1, 1, false]);
  post('Profiler.stopPreciseCoverage');
  assert.match(post('Profiler.takePreciseCoverage').message, /has not been started/);
  session.disconnect();
  fs.rmSync(folder, { recursive: true });
});
