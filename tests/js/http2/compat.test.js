// node:http2 with the request and response of node:http, over TLS, beside HTTP/1.1 on the same port; files, pushes, and backpressure.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const http2 = require('node:http2');
const https = require('node:https');
const net = require('node:net');
const { once } = require('node:events');
const { ca, pair } = require('../../fixtures/tls.js');

async function text(stream) {
  let out = '';
  for await (const part of stream.setEncoding('utf8')) out += part;
  return out;
}

async function secure() {
  const server = http2.createSecureServer({ ...pair('server'), allowHTTP1: true }, async (request, response) => {
    const body = await text(request);
    response.setHeader('X-Version', request.httpVersion);
    response.writeHead(201, { 'Content-Type': 'text/plain' });
    response.write(`${request.method} ${request.url} ${request.headers['x-given']} `);
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const session = http2.connect(`https://localhost:${port}`, { ca, lookup: (host, options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) });
  const stream = session.request({ ':method': 'PUT', ':path': '/p', 'X-Given': 'g' });
  stream.end('body');
  const [headers] = await once(stream, 'response');
  assert.deepStrictEqual([headers[':status'], headers['x-version'], await text(stream)], [201, '2.0', 'PUT /p g body']);
  assert.deepStrictEqual([session.alpnProtocol, session.encrypted], ['h2', true]);
  session.close();

  const request = https.request({ port, host: '127.0.0.1', servername: 'localhost', ca, method: 'POST', path: '/q', headers: { 'X-Given': 'h' }, agent: false });
  request.end('one');
  const [response] = await once(request, 'response');
  assert.deepStrictEqual([response.statusCode, response.headers['x-version'], await text(response)], [201, '1.1', 'POST /q h one']);
  server.close();
  await once(server, 'close');
}

async function filesAndPushes() {
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    if (headers[':path'] === '/file') return stream.respondWithFile(__filename, { 'content-type': 'text/javascript' }, { offset: 3, length: 10 });
    if (headers[':path'] === '/folder') return stream.respondWithFile(__dirname, {}, { onError: () => { stream.respond({ ':status': 404 }); stream.end(); } });
    stream.pushStream({ ':path': '/pushed' }, (error, pushed) => {
      assert.ifError(error);
      pushed.respond({ 'x-kind': 'pushed' });
      pushed.end('pushed');
      stream.respond();
      stream.end('asked');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  assert.strictEqual(await text(session.request({ ':path': '/file' })), fs.readFileSync(__filename, 'utf8').slice(3, 13));
  const [missing] = await once(session.request({ ':path': '/folder' }).resume(), 'response');
  assert.strictEqual(missing[':status'], 404);
  const promised = once(session, 'stream');
  const asked = session.request({ ':path': '/' });
  const [pushed, requestHeaders] = await promised;
  const [[answer], ...texts] = await Promise.all([once(pushed, 'push'), text(pushed), text(asked)]);
  assert.deepStrictEqual([requestHeaders[':path'], answer['x-kind'], ...texts], ['/pushed', 'pushed', 'pushed', 'asked']);
  session.close();
  server.close();
  await once(server, 'close');
}

// A reader that reads nothing stops the writer at the window, and goes on when it reads.
async function backpressure() {
  const server = http2.createServer();
  let written = 0;
  server.on('stream', (stream) => {
    stream.respond();
    const more = () => {
      while (written < 2_000_000) {
        written += 10_000;
        if (!stream.write(Buffer.alloc(10_000))) return stream.once('drain', more);
      }
      return stream.end();
    };
    more();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const stream = session.request({});
  await once(stream, 'response');
  await new Promise((resolve, reject) => session.ping((error) => (error ? reject(error) : resolve())));
  assert.ok(written < 400_000, `${written} bytes were taken from a writer whose reader reads nothing`);
  let got = 0;
  for await (const part of stream) got += part.length;
  assert.strictEqual(got, 2_000_000);
  session.close();
  server.close();
  await once(server, 'close');
}

// What is no HTTP/2 ends its own connection, and no other.
async function garbage() {
  const server = http2.createServer((request, response) => response.end('fine'));
  server.on('sessionError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\x00\x00\x00\x00\x00\x00']) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    socket.write(Buffer.from(bytes, 'latin1'));
    await once(socket, 'close');
  }
  const session = http2.connect(`http://127.0.0.1:${port}`);
  assert.strictEqual(await text(session.request({})), 'fine');
  session.close();
  server.close();
  await once(server, 'close');
}

(async () => {
  for (const part of [secure, filesAndPushes, backpressure, garbage]) {
    await part();
    console.log(part.name);
  }
})();
