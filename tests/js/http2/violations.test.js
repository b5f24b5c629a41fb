// A peer that breaks the protocol: the session and its requests fail with ERR_HTTP2_ERROR on either side, as in Node; nobody takes a
// broken answer for an empty one.
'use strict';
const assert = require('node:assert');
const http2 = require('node:http2');
const net = require('node:net');

const kSettings = '000000040000000000';
const broken = {
  'no HTTP/2': Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n').toString('hex'),
  'data before headers': `${kSettings}000004000000000001aabbccdd`,
  'a promise cut short': `${kSettings}000000050004000000010000000000`,
  'fields of no known table': `${kSettings}000001010500000001ff`,
  'settings on a stream': `${kSettings}000000040000000001`,
};
const answers = Object.entries(broken).map(([name, hex]) => [name, Buffer.from(hex, 'hex')]);

function clientOf(name, answer, done) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
    socket.write(answer);
  }).listen(0, '127.0.0.1', () => {
    const seen = [];
    const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
    const request = client.request({ ':path': '/' });
    request.on('error', ({ code }) => seen.push(`request ${code}`)).on('end', () => seen.push('end')).resume();
    client.on('error', ({ code }) => seen.push(`session ${code}`));
    client.on('close', () => {
      assert.deepStrictEqual(seen, ['request ERR_HTTP2_ERROR', 'session ERR_HTTP2_ERROR'], name);
      server.close(done);
    });
  });
}

function serverOf(done) {
  const server = http2.createServer(() => assert.fail('no request'));
  let error;
  server.on('sessionError', (failed) => { error = failed; });
  server.listen(0, '127.0.0.1', () => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => {
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(answers[1][1]);
    });
    socket.on('error', () => {}).resume();
    socket.on('close', () => {
      assert.strictEqual(error?.code, 'ERR_HTTP2_ERROR');
      server.close(done);
    });
  });
}

const next = () => (answers.length > 0 ? clientOf(...answers.pop(), next) : console.log('done'));
serverOf(next);
