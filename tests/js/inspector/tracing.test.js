// The NodeTracing domain: events between start and stop reach the session; one session at a time, of the main thread.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const { Session } = require('node:inspector');
const { Worker } = require('node:worker_threads');

const session = new Session();
session.connect();
function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => { answer = error ? error.message : result; });
  return answer;
}
const start = (includedCategories) => post('NodeTracing.start', { traceConfig: { includedCategories } });
const data = [];
let completions = 0;
session.on('NodeTracing.dataCollected', ({ params }) => data.push(params.value));
session.on('NodeTracing.tracingComplete', () => completions++);

assert(post('NodeTracing.getCategories').categories.includes('node.fs.sync'));
assert.strictEqual(post('NodeTracing.start', {}), 'Inspector error -32602: Invalid parameters');
assert.strictEqual(start([]), 'Inspector error -32600: At least one category should be enabled');
assert.deepStrictEqual(start(['node.fs.sync']), {});
assert.match(start(['v8']), /Call NodeTracing::end to stop tracing before updating the config/);
fs.statSync('.');
assert.deepStrictEqual(post('NodeTracing.stop'), {});
assert.deepStrictEqual([data.length, completions], [2, 1]);
assert.deepStrictEqual(data[0].map(({ name, ph }) => [name, ph]), [['fs.sync.stat', 'B'], ['fs.sync.stat', 'E']]);
assert(data[1].every(({ cat }) => cat === '__metadata'));
fs.statSync('.');
post('NodeTracing.stop');
assert.deepStrictEqual([data.length, completions], [2, 2]); // nothing was on
assert.strictEqual(require('node:trace_events').getEnabledCategories(), undefined);

// A session that goes leaves nothing on.
start(['node.fs.sync']);
session.disconnect();
session.connect();
assert.deepStrictEqual(start(['node.fs.sync']), {});
session.disconnect();

const code = `const { Session } = require('node:inspector');
const session = new Session();
session.connect();
session.post('NodeTracing.start', { traceConfig: { includedCategories: ['v8'] } }, (error) => require('node:worker_threads').parentPort.postMessage(error.message));`;
new Worker(code, { eval: true }).once('message', (message) => assert.match(message, /only be changed through main thread sessions/));
assert(!fs.existsSync('node_trace.1.log'));
