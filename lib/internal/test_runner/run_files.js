// natives: none
// rondo --test: runs each file that is named, or found by Node's patterns, in a process of its own, several at a time. A child
// prints its tests; its totals and failures come over a pipe (report.js) and are printed here, after the last file.
'use strict';

const { globSync, statSync } = require('internal/fs/fs');
const { availableParallelism } = require('internal/os/os');
const { relative, resolve } = require('internal/path/path');
const { now } = require('internal/perf/clock');
const { getOptionValue } = require('internal/process/options');
const { addOutcome, printFile, printOutput, printSummary } = require('internal/test_runner/report');

const kReportFd = 3;

function patterns() {
  const kinds = getOptionValue('--strip-types') ? '{cjs,mjs,js,cts,mts,ts}' : '{cjs,mjs,js}';
  return [
    `**/test/**/*.${kinds}`,
    `**/test.${kinds}`,
    `**/test-*.${kinds}`,
    `**/*.test.${kinds}`,
    `**/*-test.${kinds}`,
    `**/*_test.${kinds}`,
  ];
}

function findFiles(named) {
  if (named.length === 0) return arraySort.call(globSync(patterns(), { exclude: (name) => name === 'node_modules' }));
  const files = new Set();
  for (const pattern of each(named)) {
    const found = statSync(pattern, { throwIfNoEntry: false })?.isFile() ? [pattern] : globSync(pattern);
    const kept = arrayFilter.call(found, (file) => statSync(file, { throwIfNoEntry: false })?.isFile());
    if (kept.length === 0) {
      process.stderr.write(`Could not find '${pattern}'\n`);
      process.exit(1);
    }
    for (const file of each(kept)) files.add(relative('', resolve(file)));
  }
  return arraySort.call([...each(files)]);
}

// Calls back with what the file's process printed, reported, and how it ended.
function runFile(file, then) {
  const { spawn } = require('internal/child_process/child_process');
  const started = now();
  const options = arrayFilter.call(process.execArgv, (option) => option !== '--test');
  const child = spawn(process.execPath, [...each(options), resolve(file)], {
    stdio: ['inherit', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_TEST_CONTEXT: 'child-v8', RONDO_TEST_FD: String(kReportFd) },
  });
  const output = [];
  const report = [];
  child.stdout.on('data', (bytes) => arrayPush.call(output, [1, bytes]));
  child.stderr.on('data', (bytes) => arrayPush.call(output, [2, bytes]));
  child.stdio[kReportFd].setEncoding('utf8').on('data', (text) => arrayPush.call(report, text));
  child.on('close', (code, signal) => {
    then({ file, output, report: arrayJoin.call(report, ''), code, signal, duration: now() - started });
  });
}

function runFiles(named) {
  const files = findFiles(named);
  const started = now();
  const ended = [];
  let next = 0;
  let shown = 0;
  // In the order of their names, whichever is ready first.
  const show = () => {
    for (; ended[shown] !== undefined; shown++) {
      const run = ended[shown];
      printOutput(run.output);
      if (!addOutcome(run.report, run.code === 0)) printFile(run);
    }
    if (shown < files.length) return;
    if (printSummary(now() - started) > 0) process.exitCode = 1;
  };
  const startNext = () => {
    if (next === files.length) return;
    const place = next++;
    runFile(files[place], (run) => {
      ended[place] = run;
      startNext();
      show();
    });
  };
  if (files.length === 0) show();
  for (let i = Math.max(1, availableParallelism() - 1); i > 0; i--) startNext();
}

module.exports = { runFiles };
