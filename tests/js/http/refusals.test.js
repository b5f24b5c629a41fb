// What a server answers to what is no HTTP, or too much of it; clientError; and that nothing a refused connection sends is served.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');

const post = 'POST / HTTP/1.1\r\nHost: a\r\n';
const cases = [
  ['garbage', 'hello\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
  ['length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['chunks not last', `${post}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`, 400],
  ['a blank before the colon', `${post}Content-Length : 1\r\n\r\na`, 400],
  ['a folded line', `${post}A: b\r\n c\r\n\r\n`, 400],
  ['a bare LF', `${post}A: b\nC: d\r\n\r\n`, 400],
  ['a bare CR', `${post}A: b\rC: d\r\n\r\n`, 400],
  ['an odd chunk size', `${post}Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n`, 400],
  ['a head without end', `${post}A: ${'x'.repeat(20000)}`, 431],
  ['a target without end', `GET /${'x'.repeat(20000)}`, 431],
  ['many fields', `${post}${'a: b\r\n'.repeat(9000)}\r\n`, 431],
  ['endless extensions', `${post}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20000)}`, 413],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
];

let served = 0;
const server = http.createServer((req, res) => {
  // A body may fail after its head was fine.
  req.on('error', () => {}).resume().on('end', () => { served++; res.end(); });
});
server.listen(0, '127.0.0.1', async () => {
  for (const [name, text, status] of cases) {
    const answer = await new Promise((resolve) => {
      let got = '';
      const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(text, 'latin1'));
      socket.on('data', (part) => { got += part; }).on('error', () => {}).on('close', () => resolve(got));
    });
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\n`), name);
    assert.match(answer, /\r\nconnection: close\r\n/i, name);
  }
  assert.strictEqual(served, 0);

  // With a listener the answer is the program's.
  server.once('clientError', (error, socket) => {
    assert.strictEqual(error.code, 'HPE_INVALID_METHOD');
    assert.strictEqual(error.message, 'Parse Error: Invalid method encountered');
    assert.strictEqual(error.rawPacket.toString(), 'hello\r\n\r\n');
    socket.end('HTTP/1.1 418 Teapot\r\n\r\n');
  });
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('hello\r\n\r\n'));
  socket.on('data', (part) => assert.match(`${part}`, /^HTTP\/1\.1 418/)).on('close', () => server.close());
});
