// toWeb and fromWeb: data, ends, errors and back-pressure cross between Node streams and WHATWG streams.
'use strict';
const assert = require('node:assert');
const { Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline } = require('node:stream');
const { pipeline: pipelinePromise } = require('node:stream/promises');
const { text } = require('node:stream/consumers');

async function run() {
  assert.strictEqual(await text(Readable.toWeb(Readable.from([Buffer.from('ab'), Buffer.from('c')], { objectMode: false }))), 'abc');
  assert.strictEqual(await text(Readable.fromWeb(ReadableStream.from(['x', 'y']))), 'xy');

  const got = [];
  const writable = Writable.fromWeb(new WritableStream({ write(chunk) { got.push(Buffer.from(chunk).toString()); } }));
  writable.write('one');
  await new Promise((resolve) => { writable.end('two', resolve); });
  assert.deepStrictEqual(got, ['one', 'two']);

  const through = new PassThrough();
  const writer = Writable.toWeb(through).getWriter();
  writer.write('to node');
  writer.close();
  assert.strictEqual(await text(through), 'to node');

  const upper = new Transform({ transform(c, e, cb) { cb(null, c.toString().toUpperCase()); } });
  assert.strictEqual(await text(ReadableStream.from(['low']).pipeThrough(Duplex.toWeb(upper))), 'LOW');
  const duplex = Duplex.fromWeb(new TransformStream({ transform(c, ctl) { ctl.enqueue(c); } }), { encoding: 'utf8' });
  duplex.end('round');
  assert.strictEqual(await text(duplex), 'round');

  const list = [];
  await pipelinePromise(ReadableStream.from([1, 2]), new TransformStream(), new WritableStream({ write(x) { list.push(x); } }));
  assert.deepStrictEqual(list, [1, 2]);

  const failing = new Readable({ read() {} });
  const reader = Readable.toWeb(failing).getReader();
  failing.destroy(new Error('node side'));
  await assert.rejects(reader.read(), { message: 'node side' });

  const web = new ReadableStream({ pull(c) { c.error(new Error('web side')); } });
  const readable = Readable.fromWeb(web);
  await assert.rejects(readable.toArray(), { message: 'web side' });

  await new Promise((resolve, reject) => {
    finished(new ReadableStream({ start(c) { c.close(); } }), (error) => (error ? reject(error) : resolve()));
  });
  await new Promise((resolve) => { pipeline(Readable.from(['z']), new WritableStream(), (error) => { assert.ifError(error); resolve(); }); });
  assert.throws(() => Readable.fromWeb({}), { code: 'ERR_INVALID_ARG_TYPE' });
}

let done = false;
run().then(() => { done = true; });
process.on('exit', () => { assert.ok(done); });
