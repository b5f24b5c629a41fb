// node:stream/iter and node:zlib/iter: sources, transforms, writers with a budget, several readers, classic streams. Only by option.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

if (!process.execArgv.includes('--experimental-stream-iter')) {
  for (const name of ['node:stream/iter', 'stream/iter', 'node:zlib/iter']) assert.throws(() => require(name));
  const stream = new (require('stream').Readable)({ read() {} });
  assert.throws(() => stream[Symbol.for('Stream.toAsyncStreamable')](), { name: 'TypeError', code: 'ERR_STREAM_ITER_MISSING_FLAG' });
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', '--experimental-stream-iter', __filename], { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
  return;
}

const { Readable, Writable } = require('stream');
const iter = require('node:stream/iter');
const zlib = require('node:zlib/iter');
const { from, fromSync, pull, pullSync, push, text, textSync } = iter;

const upper = (chunks) => (chunks === null ? null : chunks.map((chunk) => Buffer.from(Buffer.from(chunk).toString().toUpperCase())));
const suffix = { async *transform(source) { for await (const chunks of source) yield chunks === null ? '!' : chunks; } };

async function pipelines() {
  assert.strictEqual(await text(from(['a', [new Uint8Array([98]), Promise.resolve('c')]])), 'abc');
  assert.strictEqual(textSync(fromSync(['x', new Set(['y', 'z'])])), 'xyz');
  assert.throws(() => from(null), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.strictEqual(await text(pull('abc', upper, suffix)), 'ABC!');
  assert.strictEqual(textSync(pullSync('abc', upper)), 'ABC');
  assert.throws(() => pull('a', 5), { code: 'ERR_INVALID_ARG_TYPE' });
  await assert.rejects(text('abcd', { limit: 3 }), { code: 'ERR_OUT_OF_RANGE' });
  // A source that never answers is left when the signal says so.
  const controller = new AbortController();
  const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
  const reading = text(pull(never, { signal: controller.signal }));
  controller.abort(new Error('enough'));
  await assert.rejects(reading, /enough/);
  // Everything in the order in which it comes.
  assert.strictEqual((await text(iter.merge(from('a'), from('b')))).length, 2);
  const written = [];
  assert.strictEqual(await iter.pipeTo('abc', upper, { write(chunk) { written.push(`${Buffer.from(chunk)}`); } }), 3);
  assert.deepStrictEqual(written, ['ABC']);
  await assert.rejects(iter.pipeTo('a', () => { throw new Error('no'); }, { write() {}, fail(error) { written.push(error.message); } }), /no/);
  assert.deepStrictEqual(written, ['ABC', 'no']);
}

async function writers() {
  const { writer, readable } = push();
  assert.strictEqual(writer.canWrite, true);
  assert.strictEqual(writer.writeSync(new Uint8Array(16384)), true);
  assert.strictEqual(writer.writeSync('x'), false);
  assert.strictEqual(writer.canWrite, false);
  const waiting = writer.write('y');
  await assert.rejects(writer.write('z'), { name: 'RangeError', message: /Backpressure violation/ });
  const drained = iter.ondrain(writer);
  const iterator = readable[Symbol.asyncIterator]();
  assert.strictEqual((await iterator.next()).value[0].length, 16384);
  await waiting;
  assert.strictEqual(await drained, true);
  const end = writer.end();
  assert.strictEqual(Buffer.concat((await iterator.next()).value).toString(), 'y');
  assert.strictEqual(await end, 16385);
  assert.strictEqual((await iterator.next()).done, true);
  const [a, b] = iter.duplex();
  a.writer.writeSync('there');
  a.writer.endSync();
  assert.strictEqual(await text(b.readable), 'there');
  const failing = push();
  failing.writer.fail(new Error('broken'));
  await assert.rejects(text(failing.readable), /broken/);
  for (const [policy, expected] of [['drop-oldest', 'b'], ['drop-newest', 'a']]) {
    const dropping = push({ backpressure: policy });
    for (const letter of ['a', 'b']) assert.strictEqual(dropping.writer.writeSync(letter.repeat(16384)), true);
    dropping.writer.endSync();
    assert.strictEqual((await text(dropping.readable))[0], expected, policy);
  }
}

async function readers() {
  const { writer, broadcast } = iter.broadcast();
  const [first, second] = [broadcast.push(), broadcast.push(upper)];
  writer.writeSync('news');
  writer.endSync();
  assert.deepStrictEqual(await Promise.all([text(first), text(second)]), ['news', 'NEWS']);
  let reads = 0;
  const shared = iter.share((async function*() { reads++; yield 'once'; })());
  assert.deepStrictEqual(await Promise.all([text(shared.pull()), text(shared.pull())]), ['once', 'once']);
  assert.strictEqual(reads, 1);
  const sync = iter.shareSync(['s']);
  const [left, right] = [sync.pull(), sync.pull()];
  assert.deepStrictEqual([textSync(left), textSync(right)], ['s', 's']);
}

async function compressed() {
  for (const name of ['Gzip', 'Deflate', 'Brotli', 'Zstd']) {
    const data = 'some text '.repeat(5000);
    assert.strictEqual(await text(pull(data, zlib[`compress${name}`](), zlib[`decompress${name}`]())), data);
    assert.strictEqual(textSync(pullSync(data, zlib[`compress${name}Sync`](), zlib[`decompress${name}Sync`]())), data);
  }
  await assert.rejects(text(pull(new Uint8Array([31, 139, 255, 255, 255]), zlib.decompressGzip())), { code: 'Z_DATA_ERROR' });
}

async function classic() {
  assert.strictEqual(await text(Readable.from(['a', 'b'])), 'ab');
  const chunks = [];
  const writable = new Writable({ write(chunk, encoding, callback) { chunks.push(`${chunk}`); callback(); } });
  await iter.pipeTo(from('abc'), iter.fromWritable(writable, { backpressure: 'unbounded' }));
  assert.deepStrictEqual(chunks, ['abc']);
  assert.strictEqual((await iter.toReadable(from('r')).toArray()).join(), 'r');
  assert.strictEqual(iter.toReadableSync(fromSync('s')).read().toString(), 's');
  const { writer, readable } = push();
  iter.toWritable(writer).end('w');
  assert.strictEqual(await text(readable), 'w');
}

let done = 0;
process.on('exit', () => assert.strictEqual(done, 5));
for (const test of [pipelines, writers, readers, compressed, classic]) test().then(() => { done++; });
