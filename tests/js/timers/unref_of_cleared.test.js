// ref() of an immediate that was cleared, or that runs, keeps nothing alive: an immediate without reference set last does not run.
'use strict';
const assert = require('assert');

setImmediate(() => {
  const running = setImmediate(() => {
    clearImmediate(running);
    clearImmediate(cleared);
    running.ref();
    cleared.ref();
  }).unref();
  const cleared = setImmediate(() => assert.fail('it was cleared')).unref();
  setImmediate(() => setImmediate(() => assert.fail('nothing keeps the loop alive')).unref());
});
