// S85, S64: stream events and callbacks come on ticks, never within the call that causes them, and in Node's order.
'use strict';
const assert = require('node:assert');
const { Readable, Writable, Duplex, Transform } = require('node:stream');

let pending = 0;
function check(name, expected, run) {
  pending++;
  const seen = [];
  run((entry) => { seen.push(entry); }, () => {
    pending--;
    assert.deepStrictEqual(seen, expected, name);
  });
}
process.on('exit', () => { assert.strictEqual(pending, 0); });

check('a flowing readable', ['sync', 'tick', 'data a', 'data b', 'end', 'close'], (log, done) => {
  const chunks = ['a', 'b'];
  const readable = new Readable({ encoding: 'utf8', read() { this.push(chunks.shift() ?? null); } });
  process.nextTick(log, 'tick');
  readable.on('data', (chunk) => log(`data ${chunk}`)).on('end', () => log('end'));
  readable.on('close', () => { log('close'); done(); });
  log('sync');
});

check('a readable that is listened to', ['pushed', 'readable', 'read 1', 'ended', 'readable', 'end'], (log, done) => {
  const readable = new Readable({ read() {} });
  readable.on('readable', () => {
    log('readable');
    for (let chunk; (chunk = readable.read()) !== null;) log(`read ${chunk}`);
  });
  readable.on('end', () => { log('end'); done(); });
  setImmediate(() => {
    readable.push('1');
    log('pushed');
    readable.push(null);
    log('ended');
  });
});

check('synchronous writes', ['write x', false, 'sync', 'drain', 'written', 'after end', 'ended', 'finish', 'close'], (log, done) => {
  const writable = new Writable({
    highWaterMark: 0,
    write(chunk, encoding, callback) {
      log(`write ${chunk}`);
      callback();
    },
  });
  writable.on('drain', () => log('drain')).on('finish', () => log('finish'));
  writable.on('close', () => { log('close'); done(); });
  writable.cork();
  const roomy = writable.write('x', () => log('written'));
  writable.uncork();
  log(roomy);
  log('sync');
  setImmediate(() => {
    writable.end(() => log('ended'));
    log('after end');
  });
});

check('asynchronous writes', [true, false, 'write a', 'write b', 'drain'], (log, done) => {
  const writable = new Writable({
    highWaterMark: 2,
    write(chunk, encoding, callback) {
      setImmediate(() => {
        log(`write ${chunk}`);
        callback();
      });
    },
  });
  writable.on('drain', () => { log('drain'); done(); });
  log(writable.write('a'));
  log(writable.write('b'));
});

check('destroy with an error', ['sync', 'tick', 'broken', 'close'], (log, done) => {
  const duplex = new Duplex({ read() {}, write() {} });
  duplex.on('error', (error) => log(error.message)).on('close', () => { log('close'); done(); });
  process.nextTick(log, 'tick');
  duplex.destroy(new Error('broken'));
  log('sync');
});

check('a transform', ['flush', 'data AB', 'prefinish', 'end', 'finish', 'close'], (log, done) => {
  let text = '';
  const transform = new Transform({
    encoding: 'utf8',
    transform(chunk, encoding, callback) {
      text += chunk.toString().toUpperCase();
      callback();
    },
    flush(callback) {
      log('flush');
      callback(null, text);
    },
  });
  for (const event of ['prefinish', 'finish', 'end']) transform.on(event, () => log(event));
  transform.on('data', (chunk) => log(`data ${chunk}`)).on('close', () => { log('close'); done(); });
  transform.write('a');
  transform.end('b');
});
