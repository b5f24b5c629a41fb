// A stack taken in an init hook reaches the function that made the resource within the usual ten frames, as why-is-node-running needs.
'use strict';
const assert = require('node:assert');
const { createHook } = require('node:async_hooks');
const fs = require('node:fs');

const seen = new Map();
const hook = createHook({ init: (id, type) => seen.set(type, seen.get(type) ?? new Error('made').stack) }).enable();
function make() {
  clearTimeout(setTimeout(() => {}, 1000));
  clearImmediate(setImmediate(() => {}));
  process.nextTick(() => {});
  fs.stat(__filename, () => {});
}
make();
hook.disable();
for (const type of ['Timeout', 'Immediate', 'TickObject', 'FSREQCALLBACK']) assert.match(seen.get(type), /at make \(/, type);
