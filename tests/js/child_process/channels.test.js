// Diagnostics channels of children: 'child_process' for each that is made, the tracing channel 'child_process.spawn' around its start.
'use strict';

const assert = require('node:assert');
const { ChildProcess, spawn } = require('node:child_process');
const { subscribe, tracingChannel } = require('node:diagnostics_channel');

const seen = [];
subscribe('child_process', ({ process: child }) => seen.push(['made', child instanceof ChildProcess]));
tracingChannel('child_process.spawn').subscribe({
  start: ({ options }) => seen.push(['start', options.file]),
  end: ({ process: child }) => seen.push(['end', child instanceof ChildProcess]),
  error: ({ error }) => seen.push(['error', error.code]),
});
spawn(process.execPath, ['--version'], { stdio: 'ignore' });
spawn('./no/such/program').on('error', () => {});
assert.deepStrictEqual(seen, [
  ['made', true], ['start', process.execPath], ['end', true],
  ['made', true], ['start', './no/such/program'], ['error', 'ENOENT'],
]);
