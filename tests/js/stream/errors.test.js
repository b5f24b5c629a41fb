// Bad use of streams: Node's codes and messages, and what still happens after.
'use strict';
const assert = require('node:assert');
const { Readable, Writable, Duplex, Transform, addAbortSignal, setDefaultHighWaterMark, getDefaultHighWaterMark } = require('node:stream');

const expected = [];
function expectError(stream, code, message) {
  const entry = { code, seen: false };
  expected.push(entry);
  stream.on('error', (error) => {
    assert.strictEqual(error.code, code);
    if (message) assert.strictEqual(error.message, message);
    entry.seen = true;
  });
  return stream;
}

const ended = expectError(new Writable({ write(c, e, cb) { cb(); } }), 'ERR_STREAM_WRITE_AFTER_END', 'write after end');
ended.end();
ended.write('late');

const pushed = expectError(new Readable({ read() {} }), 'ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF');
pushed.push(null);
pushed.push('late');

expectError(new Writable({ write(c, e, cb) { cb(); cb(); } }), 'ERR_MULTIPLE_CALLBACK', 'Callback called multiple times').write('x');
expectError(new Writable({ write() {} }), 'ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable').pipe(process.stdout);
expectError(new Readable(), 'ERR_METHOD_NOT_IMPLEMENTED', 'The _read() method is not implemented').read();
expectError(new Readable({ read() {} }), 'ERR_INVALID_ARG_TYPE').push(7);

const writable = new Writable({ write(c, e, cb) { cb(); } });
assert.throws(() => writable.write(null), { code: 'ERR_STREAM_NULL_VALUES', message: 'May not write null values to stream' });
assert.throws(() => writable.write({}), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => writable.write('x', 'klingon'), { code: 'ERR_UNKNOWN_ENCODING', message: 'Unknown encoding: klingon' });
assert.throws(() => new Readable({ highWaterMark: -1 }), {
  code: 'ERR_INVALID_ARG_VALUE', message: "The property 'options.highWaterMark' is invalid. Received -1",
});
assert.throws(() => new Duplex({ readableHighWaterMark: 'x' }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => new Transform().write('x'), { code: 'ERR_METHOD_NOT_IMPLEMENTED' });
assert.throws(() => addAbortSignal({}, new Readable()), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => addAbortSignal(new AbortController().signal, {}), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => setDefaultHighWaterMark(false, -1), { code: 'ERR_OUT_OF_RANGE' });
assert.strictEqual(getDefaultHighWaterMark(false), 65536);
assert.strictEqual(getDefaultHighWaterMark(true), 16);

// Queued writes hear of the destruction before 'close'.
const order = [];
const doomed = new Writable({ write() {} });
doomed.on('error', () => order.push('error')).on('close', () => order.push('close'));
doomed.cork();
doomed.write('first', () => order.push('first'));
doomed.write('second', (error) => order.push(error.message));
doomed.destroy(new Error('gone'));

// A write made by _writev itself is not lost.
const batches = [];
const reentrant = new Writable({
  writev(chunks, callback) {
    batches.push(chunks.map(({ chunk }) => chunk.toString()));
    if (batches.length === 1) reentrant.write('inner');
    setImmediate(callback);
  },
});
reentrant.cork();
reentrant.write('a');
reentrant.write('b');
reentrant.uncork();
reentrant.end();

process.on('exit', () => {
  for (const { code, seen } of expected) assert.ok(seen, code);
  assert.deepStrictEqual(order, ['first', 'gone', 'error', 'close']);
  assert.deepStrictEqual(batches, [['a', 'b'], ['inner']]);
});
