// process.env is shown like the plain object it is in Node, in the main thread and in workers.
'use strict';
const assert = require('node:assert');
const util = require('node:util');
const { Worker, isMainThread, SHARE_ENV } = require('node:worker_threads');

for (const name of Object.keys(process.env)) delete process.env[name];
process.env.A = 'b';
assert.strictEqual(util.inspect(process.env), "{ A: 'b' }");
assert.strictEqual(util.inspect(process.env, { showProxy: true }), "{ A: 'b' }");
assert.strictEqual(util.types.isProxy(process.env), false);
assert.strictEqual(util.inspect(new Proxy({ a: 1 }, {}), { showProxy: true }), 'Proxy [ { a: 1 }, {} ]');
let ended = 0;
if (isMainThread) {
  for (const env of [undefined, SHARE_ENV]) new Worker(__filename, { env }).on('exit', (code) => { ended += code === 0; });
  process.on('exit', () => assert.strictEqual(ended, 2));
}
