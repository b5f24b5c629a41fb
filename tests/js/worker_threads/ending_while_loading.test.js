// A worker that is terminated at any moment of loading its ES modules ends, and with it nothing else.
'use strict';
const assert = require('assert');
const { once } = require('events');
const { Worker } = require('worker_threads');

const modules = Array.from({ length: 12 }, (_, i) => `import "data:text/javascript,export const a = ${i}; import 'node:${['fs', 'net', 'http', 'zlib'][i % 4]}'";`);
const main = new URL(`data:text/javascript,${encodeURIComponent(modules.join('\n'))}`);

(async () => {
  for (let i = 0; i < 60; i++) {
    const worker = new Worker(main);
    const ended = once(worker, 'exit');
    await once(worker, 'online');
    const until = process.hrtime.bigint() + BigInt(i * 60_000);
    while (process.hrtime.bigint() < until);
    worker.terminate();
    const [code] = await ended;
    assert.ok(code === 0 || code === 1, `${code}`);
  }
  console.log('ended');
})();
