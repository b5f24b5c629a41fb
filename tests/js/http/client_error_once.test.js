// One error of a connection is one 'clientError', however the connection ends after it and however long the program keeps the socket.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const post = 'POST / HTTP/1.1\r\nHost: a\r\n';
const cases = [
  ['garbage', ['hello\r\n\r\n'], 'HPE_INVALID_METHOD'],
  ['a bad chunk', [`${post}Transfer-Encoding: chunked\r\n\r\nx\r\n`], 'HPE_INVALID_CHUNK_SIZE'],
  ['two lengths', [`${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`], 'HPE_UNEXPECTED_CONTENT_LENGTH'],
  ['the end within a head', ['GET / HTTP/1.1\r\nHo'], 'HPE_INVALID_EOF_STATE'],
];

(async () => {
  const told = [];
  const listen = async (options) => {
    const server = http.createServer(options, (req) => req.on('error', () => {}).resume());
    server.on('clientError', (error) => told.push(error.code));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  };
  const server = await listen({});
  const { port } = server.address();
  for (const [name, pieces, code] of cases) {
    const [[inside], socket] = await Promise.all([once(server, 'connection'), net.connect(port, '127.0.0.1')]);
    for (const piece of pieces) {
      const before = inside.bytesRead;
      socket.write(piece);
      while (inside.bytesRead < before + piece.length) await new Promise(setImmediate);
    }
    const ended = once(inside, 'end');
    socket.end();
    inside.resume();
    await ended;
    await new Promise(setImmediate);
    assert.deepStrictEqual(told.splice(0), [code], name);
    inside.destroy();
  }

  server.close();

  // Too slow: told once, although the server looks again and again; the next request of the connection may be too slow once more.
  const strict = await listen({ connectionsCheckingInterval: 20 });
  const begun = once(strict, 'request');
  const [[inside], socket] = await Promise.all([once(strict, 'connection'), net.connect(strict.address().port, '127.0.0.1')]);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na');
  await begun;
  strict.headersTimeout = strict.requestTimeout = 1;
  while (told.length === 0) await new Promise(setImmediate);
  for (let looks = 0; looks < 4; looks++) await new Promise((resolve) => { setTimeout(resolve, 20); });
  assert.deepStrictEqual(told.splice(0), ['ERR_HTTP_REQUEST_TIMEOUT']);
  socket.write('bGET / HTTP/1.1\r\nHo');
  while (told.length === 0) await new Promise(setImmediate);
  assert.deepStrictEqual(told, ['ERR_HTTP_REQUEST_TIMEOUT']);
  inside.destroy();
  strict.close();
})();
