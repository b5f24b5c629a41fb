// comlink: an object of another thread as if it were here, with callbacks, classes, transfers and errors through ports.
import assert from 'node:assert';
import { Worker } from 'node:worker_threads';
import * as Comlink from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';

const worker = new Worker(new URL('fixtures/comlink_worker.mjs', import.meta.url));
const remote = Comlink.wrap(nodeEndpoint(worker));
assert.strictEqual(await remote.count, 0);
await remote.add(40);
await remote.add(2);
assert.strictEqual(await remote.count, 42);
const told = [];
await remote.repeat(3, Comlink.proxy((i) => { told.push(i); }));
assert.deepStrictEqual(told, [0, 1, 2]);
const counter = await new remote.Counter(5);
assert.strictEqual(await counter.next(), 6);
await assert.rejects(remote.fail(), { name: 'RangeError', message: 'too far' });
const bytes = new Uint8Array(16).fill(1);
assert.strictEqual(await remote.sum(Comlink.transfer(bytes, [bytes.buffer])), 16);
assert.strictEqual(bytes.length, 0);
counter[Comlink.releaseProxy]();
remote[Comlink.releaseProxy]();
await worker.terminate();
