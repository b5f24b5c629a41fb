// pipeline() and finished(): data, errors, early ends and aborts, with streams, iterables and functions.
'use strict';
const assert = require('node:assert');
const { Readable, Writable, Transform, PassThrough, pipeline, finished, compose } = require('node:stream');
const promises = require('node:stream/promises');

function collector(list) {
  return new Writable({ objectMode: true, write(chunk, encoding, callback) { list.push(chunk); callback(); } });
}
const doubled = () => new Transform({ objectMode: true, transform(x, encoding, callback) { callback(null, x * 2); } });

async function run() {
  const list = [];
  let returned = false;
  await new Promise((resolve, reject) => {
    pipeline(Readable.from([1, 2, 3]), doubled(), collector(list), (error) => {
      assert.ok(returned);
      if (error) reject(error);
      else resolve();
    });
    returned = true;
  });
  assert.deepStrictEqual(list, [2, 4, 6]);

  const value = await promises.pipeline([1, 2, 3], async function* (source) {
    for await (const x of source) yield x + 1;
  }, async (source) => {
    let sum = 0;
    for await (const x of source) sum += x;
    return sum;
  });
  assert.strictEqual(value, 9);

  // One fails: all are destroyed, the error is reported once.
  const source = new Readable({ read() {} });
  const broken = new PassThrough();
  const end = new PassThrough();
  const failed = promises.pipeline(source, broken, end);
  broken.destroy(new Error('in the middle'));
  await assert.rejects(failed, { message: 'in the middle' });
  assert.ok(source.destroyed && broken.destroyed && end.destroyed);

  // Closing before the end is an error.
  const cut = new PassThrough();
  const watched = promises.finished(cut);
  cut.destroy();
  await assert.rejects(watched, { code: 'ERR_STREAM_PREMATURE_CLOSE' });

  const controller = new AbortController();
  const aborted = promises.pipeline(new Readable({ read() {} }), new PassThrough(), { signal: controller.signal });
  controller.abort(new Error('enough'));
  await assert.rejects(aborted, (error) => error.name === 'AbortError' && error.code === 'ABORT_ERR' && error.cause.message === 'enough');

  const stop = finished(new PassThrough(), () => assert.fail('was stopped'));
  stop();

  const composed = compose(doubled(), doubled());
  composed.end(5);
  assert.deepStrictEqual(await composed.toArray(), [20]);

  assert.throws(() => pipeline(new PassThrough(), () => {}), { code: 'ERR_MISSING_ARGS' });
  assert.throws(() => pipeline(new PassThrough(), new PassThrough()), { code: 'ERR_INVALID_ARG_TYPE' });
}

let finishedAll = false;
run().then(() => { finishedAll = true; });
process.on('exit', () => { assert.ok(finishedAll); });
