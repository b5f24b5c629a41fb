// Stores and libraries with threads of their own: lmdb, level, snappy, @parcel/watcher, koffi (libuv's poll), zeromq (libuv's poll and timers).
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import watcher from '@parcel/watcher';
import koffi from 'koffi';
import { Level } from 'level';
import { open } from 'lmdb';
import snappy from 'snappy';
import * as zmq from 'zeromq';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stores-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const store = open({ path: path.join(folder, 'lmdb') });
await store.put('key', { a: [1, 2] });
assert.deepStrictEqual(store.get('key'), { a: [1, 2] });
await store.transaction(() => store.put('other', 3));
assert.deepStrictEqual([...store.getKeys()], ['key', 'other']);
await store.close();

const level = new Level(path.join(folder, 'level'), { valueEncoding: 'json' });
await level.batch([{ type: 'put', key: 'a', value: { n: 1 } }, { type: 'put', key: 'b', value: 2 }]);
assert.deepStrictEqual(await level.iterator().all(), [['a', { n: 1 }], ['b', 2]]);
await level.close();

const text = 'hello '.repeat(100);
const packed = await snappy.compress(text);
assert.ok(packed.length < 60);
assert.strictEqual((await snappy.uncompress(packed, { asBuffer: false })), text);

const watched = path.join(folder, 'watched');
fs.mkdirSync(watched);
const seen = Promise.withResolvers();
const subscription = await watcher.subscribe(watched, (error, events) => (error ? seen.reject(error) : seen.resolve(events)));
fs.writeFileSync(path.join(watched, 'new.txt'), 'text');
assert.deepStrictEqual((await seen.promise).map(({ type, path: file }) => [type, path.basename(file)])[0], ['create', 'new.txt']);
await subscription.unsubscribe();

const abs = koffi.load('libc.so.6').func('int abs(int)');
assert.strictEqual(abs(-4), 4);
assert.strictEqual(await new Promise((resolve, reject) => abs.async(-9, (error, value) => (error ? reject(error) : resolve(value)))), 9);

const reply = new zmq.Reply(), request = new zmq.Request();
await reply.bind('tcp://127.0.0.1:0');
request.connect(reply.lastEndpoint);
await request.send('question');
assert.strictEqual(String((await reply.receive())[0]), 'question');
await reply.send('answer');
assert.strictEqual(String((await request.receive())[0]), 'answer');
reply.close();
request.close();
