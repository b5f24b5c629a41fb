// A limit that is no number, NaN among them, is the default.
'use strict';
const assert = require('node:assert');
const { Worker } = require('node:worker_threads');

let ended = 0;
for (const limit of [NaN, 'x', undefined]) {
  const worker = new Worker('', { eval: true, resourceLimits: { stackSizeMb: limit, maxOldGenerationSizeMb: limit } });
  worker.on('exit', (code) => {
    assert.strictEqual(code, 0);
    ended++;
  });
}
process.on('exit', () => assert.strictEqual(ended, 3));
