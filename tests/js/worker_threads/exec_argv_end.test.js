'use strict';
// `--` in a worker's execArgv ends its options and is none of them.
const assert = require('node:assert');
const { Worker } = require('node:worker_threads');

const worker = new Worker("require('node:worker_threads').parentPort.postMessage(process.execArgv)", {
  eval: true, execArgv: ['--pending-deprecation', '--'],
});
let given;
worker.on('message', (value) => { given = value; });
worker.on('exit', () => assert.deepStrictEqual(given, ['--pending-deprecation']));
