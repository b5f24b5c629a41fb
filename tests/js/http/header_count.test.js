'use strict';
// maxHeadersCount: a request with more fields (usually 1000) is refused as one that is too large, a response loses those beyond; 0 is
// no limit.
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const { test } = require('node:test');

async function listening(t, server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return server.address().port;
}

async function answerTo(port, fields) {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(fields - 2)}Connection: close\r\n\r\n`);
  let text = '';
  for await (const piece of socket) text += piece;
  return `${text.slice(9, 12)} ${text.split('\r\n\r\n')[1]}`;
}

for (const [count, most] of [
  [null, 1000],
  [50, 50],
  [1500, 1500],
]) {
  test(`a server with maxHeadersCount ${count}`, async (t) => {
    const server = http.createServer((request, response) => response.end(`${request.rawHeaders.length}`));
    server.maxHeadersCount = count;
    const port = await listening(t, server);
    assert.strictEqual(await answerTo(port, most), `200 ${most * 2}`);
    assert.strictEqual(await answerTo(port, most + 1), '431 ');
    server.once('clientError', (error, socket) => {
      assert.strictEqual(error.code, 'HPE_HEADER_OVERFLOW');
      socket.end('HTTP/1.1 499 told\r\n\r\n');
    });
    assert.strictEqual(await answerTo(port, most + 1), '499 ');
  });
}

test('a server with maxHeadersCount 0', async (t) => {
  const server = http.createServer((request, response) => response.end(`${request.rawHeaders.length}`));
  server.maxHeadersCount = 0;
  const port = await listening(t, server);
  assert.strictEqual(await answerTo(port, 3000), '200 6000');
});

test('a client', async (t) => {
  const port = await listening(
    t,
    net.createServer((socket) => socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(1200)}z:1\r\n\r\n`))),
  );
  const [response] = await once(http.get({ port, host: '127.0.0.1' }), 'response');
  assert.strictEqual(response.rawHeaders.length, 2000);
  assert.strictEqual(response.headers.z, undefined);
  response.resume();
});
