// A main module that throws ends the program, whatever it throws and whoever listens to rejections: it is an uncaught exception that came from a promise.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');

const url = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const run = (source) => spawnSync(process.execPath, ['--entry-url', url(source)], { encoding: 'utf8' });

const told = run('process.on("unhandledRejection", () => console.log("rejection")); await 1; throw new Error("main")');
assert.strictEqual(told.status, 1);
assert.strictEqual(told.stdout, '');
assert.match(told.stderr, /^Error: main$/m);

for (const value of ['5', 'undefined', 'null']) {
  const { status, stderr } = run(`throw ${value}`);
  assert.strictEqual(status, 1);
  assert.match(stderr, new RegExp(`^(Uncaught:\n)?${value}$`, 'm'));
}

const heard = run('process.on("uncaughtException", (error, origin) => console.log(error, origin)); throw 5');
assert.strictEqual(heard.stdout, '5 unhandledRejection\n');
assert.strictEqual(heard.status, 0);

let seen;
new Worker(new URL(url('throw 5'))).on('error', (error) => { seen = error; });
process.on('exit', () => assert.strictEqual(seen, 5));
