// S109: every task is named by the function of the program that ran, and caused by what led to it: modules, handlers of events, requests,
// finally(), events of the process; a cleared timer says so; text that was printed is in its place.
const assert = require('node:assert');
const { records, of, exitCode } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
const queued = of('task.queued');
const named = (pattern) => queued.find((r) => pattern.test(r.name ?? ''));
const task = (pattern) => named(pattern) ?? assert.fail(`no task ${pattern} among\n${queued.map((r) => r.name).join('\n')}`);

assert(task(/^module .*awaiting\.mjs$/));
assert(task(/^module .*awaiting\.mjs, after a top-level await$/));
assert(task(/^fin \(/));

const request = task(/^http request GET \/hello → onRequest \(.*names_and_causes\.js:\d+:\d+\)$/);
const connection = task(/^server connection/);
assert.strictEqual(request.cause, connection.id, 'a request is caused by the connection it came on');

const beforeExit = task(/^beforeExit → onBeforeExit \(/);
assert.strictEqual(beforeExit.what, 'event');
assert.strictEqual(task(/^fromBeforeExit \(/).cause, beforeExit.id);
assert(task(/^exit → onExit \(/));
assert(task(/^unhandledRejection → onUnhandled \(/));

const cancelled = new Set(of('task.cancelled').map((r) => r.id));
for (const name of [/^neverRuns \(/, /^neverEither \(/]) assert(cancelled.has(task(name).id));
const begun = new Set(of('task.begin').map((r) => r.id));
const lost = queued.filter((r) => !begun.has(r.id) && !cancelled.has(r.id));
assert.deepStrictEqual(lost, [], 'a task begins, or something says that it does not');

const printed = of('output');
assert.deepStrictEqual(printed.map((r) => [r.id, r.name]), [[1, 'printed here']]);
const times = records.map((r) => r.time);
assert.deepStrictEqual(times, [...times].sort((a, b) => a - b));
