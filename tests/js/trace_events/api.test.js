// node:trace_events: sets of categories, their union, and what is refused. The process's file is written beside the test's other files.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const util = require('node:util');
const { Worker } = require('node:worker_threads');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trace-'));
process.chdir(folder);
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const { createTracing, getEnabledCategories } = require('node:trace_events');
assert.deepStrictEqual(Object.keys(require('trace_events')), ['createTracing', 'getEnabledCategories']);
assert.strictEqual(getEnabledCategories(), undefined);
for (const options of [undefined, null, 1, 'x', {}, { categories: 'x' }, { categories: [1] }]) {
  assert.throws(() => createTracing(options), { code: 'ERR_INVALID_ARG_TYPE' });
}
assert.throws(() => createTracing({ categories: [] }), { code: 'ERR_TRACE_EVENTS_CATEGORY_REQUIRED', name: 'TypeError' });

const first = createTracing({ categories: ['node', 'v8'] });
const second = createTracing({ categories: ['node.perf', 'node'] });
assert.deepStrictEqual([first.enabled, first.categories], [false, 'node,v8']);
assert.strictEqual(util.inspect(first), "Tracing { enabled: false, categories: 'node,v8' }");
first.enable();
first.enable();
second.enable();
assert.strictEqual(first.enabled, true);
assert.strictEqual(getEnabledCategories(), 'node,node.perf,v8');
second.disable();
assert.strictEqual(getEnabledCategories(), 'node,v8');
first.disable();
first.disable();
assert.strictEqual(getEnabledCategories(), undefined);

const many = Array.from({ length: 11 }, () => createTracing({ categories: ['own'] }));
process.once('warning', (warning) => assert.match(warning.message, /^Possible trace_events memory leak detected/));
for (const one of many) one.enable();
for (const one of many) one.disable();

new Worker('require("node:trace_events")', { eval: true }).on('error', (error) => assert.strictEqual(error.code, 'ERR_TRACE_EVENTS_UNAVAILABLE'));
