// Every byte that goes in comes out, in order, whatever the sizes, marks and speeds on the way.
'use strict';
const assert = require('node:assert');
const { Readable, Writable, Transform, pipeline } = require('node:stream');

// A small generator of numbers, so that a failure can be repeated.
let seed = 20260101;
const random = (n) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % n; };
const later = (fn) => { [fn, () => process.nextTick(fn), () => setImmediate(fn), () => queueMicrotask(fn)][random(4)]?.(); };

function round(total, done) {
  let sent = 0;
  let received = 0;
  const push = (stream) => {
    const size = Math.min(1 + random(5000), total - sent);
    if (size === 0) return stream.push(null);
    const chunk = Buffer.alloc(size);
    for (let i = 0; i < size; i++) chunk[i] = (sent + i) & 0xff;
    sent += size;
    return stream.push(chunk);
  };
  const source = new Readable({ highWaterMark: random(9000), read() { later(() => push(this)); } });
  const through = new Transform({
    readableHighWaterMark: random(3000),
    writableHighWaterMark: random(3000),
    transform(chunk, encoding, callback) {
      const cut = random(chunk.length + 1);
      this.push(chunk.subarray(0, cut));
      later(() => callback(null, chunk.subarray(cut)));
    },
  });
  const verify = (chunk) => {
    for (let i = 0; i < chunk.length; i++) assert.strictEqual(chunk[i], (received + i) & 0xff);
    received += chunk.length;
  };
  const sink = new Writable({
    highWaterMark: random(9000),
    write(chunk, encoding, callback) { verify(chunk); later(callback); },
  });
  if (random(2) === 1) {
    sink._writev = function(chunks, callback) {
      for (const { chunk } of chunks) verify(chunk);
      later(callback);
    };
  }
  pipeline(source, through, sink, (error) => {
    assert.ifError(error);
    assert.strictEqual(received, total);
    done();
  });
}

let rounds = 40;
(function next() { if (rounds-- > 0) round(random(200_000), next); })();
process.on('exit', () => { assert.strictEqual(rounds, -1); });
