// _construct holds everything back; halves of a Duplex live apart; pairs, Duplex.from and old streams.
'use strict';
const assert = require('node:assert');
const { Readable, Writable, Duplex, duplexPair, Stream } = require('node:stream');
const { text } = require('node:stream/consumers');

const log = [];
const slow = new Writable({
  construct(callback) { log.push('construct'); setImmediate(() => { log.push('constructed'); callback(); }); },
  write(chunk, encoding, callback) { log.push(`write ${chunk}`); callback(); },
  final(callback) { log.push('final'); callback(); },
});
slow.end('x');
log.push('sync');

const halfOff = new Duplex({ readable: false, write(chunk, encoding, callback) { callback(); } });
assert.strictEqual(halfOff.readable, false);
assert.strictEqual(halfOff.writable, true);
assert.ok(halfOff instanceof Writable);
assert.ok(halfOff instanceof Readable);

async function run() {
  const [a, b] = duplexPair({ encoding: 'utf8' });
  a.end('over the fence');
  assert.strictEqual(await text(b), 'over the fence');

  const shout = Duplex.from(async function* (source) {
    for await (const chunk of source) yield String(chunk).toUpperCase();
  });
  shout.end('quiet');
  assert.deepStrictEqual(await shout.toArray(), ['QUIET']);

  assert.deepStrictEqual(await Duplex.from(Promise.resolve('soon')).toArray(), ['soon']);

  const old = new Stream();
  old.pause = old.resume = () => {};
  const wrapped = new Readable({ objectMode: true }).wrap(old);
  process.nextTick(() => { old.emit('data', 1); old.emit('data', 2); old.emit('end'); });
  assert.deepStrictEqual(await wrapped.toArray(), [1, 2]);

  const seen = [];
  const endless = new Readable({ objectMode: true, read() { this.push(1); } });
  for await (const x of endless) if (seen.push(x) === 3) break;
  assert.ok(endless.destroyed);

  const disposed = new Readable({ read() {} });
  await disposed[Symbol.asyncDispose]();
  assert.ok(disposed.destroyed);
}

let done = false;
run().then(() => { done = true; });
process.on('exit', () => {
  assert.ok(done);
  assert.deepStrictEqual(log, ['sync', 'construct', 'constructed', 'write x', 'final']);
});
