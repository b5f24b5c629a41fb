// A server under bad clients (bounded, on loopback): slow ones, those that go away in every state, floods of pipelined requests,
// readers that do not read, garbage, and an end while requests are in flight. Nothing is lost, doubled or left over.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const listen = async (server) => { await once(server.listen(0, '127.0.0.1'), 'listening'); return server.address().port; };
const connect = (port) => net.connect(port, '127.0.0.1');
const gather = (socket) => new Promise((resolve) => {
  let got = '';
  socket.on('data', (part) => { got += part; }).on('error', () => {}).on('close', () => resolve(got));
});
const end = async (server) => { server.close(); server.closeAllConnections(); await once(server, 'close'); };
const closed = (server) => new Promise((resolve) => {
  const look = () => server.getConnections((error, count) => (count === 0 ? resolve() : setImmediate(look)));
  look();
});

// Slow heads and slow bodies are ended by the server's limits.
async function slowClients() {
  const server = http.createServer({ headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 }, (req, res) => {
    req.resume().on('error', () => {}).on('end', () => res.end('whole'));
  });
  const port = await listen(server);
  const slowHead = connect(port);
  const slowBody = connect(port);
  const answers = [gather(slowHead), gather(slowBody)];
  slowHead.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
  slowBody.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx');
  const drips = setInterval(() => { for (const socket of [slowHead, slowBody]) if (!socket.destroyed) socket.write('y'); }, 20);
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 408 /);
  clearInterval(drips);
  await closed(server);
  await end(server);
}

// One byte at a time, within the limits.
async function steadyClient() {
  const server = http.createServer({ headersTimeout: 60_000, requestTimeout: 60_000, connectionsCheckingInterval: 50 }, (req, res) => {
    req.resume().on('end', () => res.end('whole'));
  });
  const bytewise = connect(await listen(server));
  const whole = gather(bytewise);
  const text = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok';
  for (const byte of text) await new Promise((resolve) => { bytewise.write(byte, () => setImmediate(resolve)); });
  assert.match(await whole, /^HTTP\/1\.1 200 [\s\S]*whole$/);
  await closed(server);
  await end(server);
}

// Answers of pipelined requests come in order, whatever order they are made in.
async function pipelining() {
  const waiting = [];
  const server = http.createServer((req, res) => {
    const answer = () => res.end(`${req.url};`);
    if (req.url.endsWith('7')) waiting.push(answer);
    else answer();
    if (req.url === '/499') for (const late of waiting.reverse()) setImmediate(late);
  });
  const port = await listen(server);
  const socket = connect(port);
  let got = '';
  socket.on('data', (part) => { got += part; if (got.includes('/499;')) socket.end(); });
  socket.write(Array.from({ length: 500 }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await once(socket, 'close');
  assert.deepStrictEqual(got.match(/\/\d+;/g), Array.from({ length: 500 }, (_, i) => `/${i};`));
  await end(server);
}

// A client that asks on and on and never reads: the server stops reading it, and its memory stays bounded.
async function noReader() {
  let served = 0;
  const server = http.createServer((req, res) => { served++; res.end('z'.repeat(10_000)); });
  const port = await listen(server);
  const socket = connect(port);
  socket.pause();
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000);
  let sent = 0;
  const until = new Promise((resolve) => {
    const more = () => {
      if (sent++ === 50) resolve();
      else if (socket.write(request)) setImmediate(more);
      else resolve(socket.once('drain', more));
    };
    more();
  });
  await until;
  let before;
  do {
    before = served;
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
  } while (served !== before);
  assert(served < 20_000, `${served} were served to nobody`);
  socket.destroy();
  await closed(server);
  await end(server);
}

// An answer larger than the kernel takes: 'drain' comes, and all of it arrives.
async function slowReader() {
  let writes = 0;
  const server = http.createServer(async (req, res) => {
    for (let i = 0; i < 200; i++) {
      writes++;
      if (!res.write(Buffer.alloc(32_768, i))) await once(res, 'drain');
      assert(res.writableLength < 1_000_000);
    }
    res.end();
  });
  const port = await listen(server);
  const [response] = await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response');
  let size = 0;
  for await (const part of response) {
    for (const byte of [part[0], part[part.length - 1]]) assert(byte < 200);
    size += part.length;
    if (size % 5 === 0) await new Promise(setImmediate);
  }
  assert.deepStrictEqual([size, writes], [200 * 32_768, 200]);
  await end(server);
}

// Clients that go away in every state: the message is told of it once, and the connection is forgotten.
async function resets() {
  const states = {
    nothing: '', 'within the head': 'GET / HTTP/1.1\r\nHo', 'before the body': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
    'within the body': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', 'within a chunk': 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    'before the answer': 'GET /wait HTTP/1.1\r\nHost: a\r\n\r\n', 'within the answer': 'GET /half HTTP/1.1\r\nHost: a\r\n\r\n',
    'with more to come': 'GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET /wait HTTP/1.1\r\nHost: a\r\n\r\n',
  };
  let open = 0;
  const server = http.createServer((req, res) => {
    open++;
    let closes = 0;
    res.on('close', () => { closes++; open--; assert.strictEqual(closes, 1); });
    req.on('error', (error) => assert.strictEqual(error.code, 'ECONNRESET'));
    if (req.url === '/half') res.write('half');
    else if (req.url !== '/wait') req.resume().on('end', () => res.end());
  });
  server.on('clientError', (error, socket) => socket.destroy());
  const port = await listen(server);
  for (const text of Object.values(states)) {
    for (const how of ['destroy', 'resetAndDestroy']) {
      const socket = connect(port);
      socket.on('error', () => {});
      await once(socket, 'connect');
      const seen = text.includes('\r\n\r\n') ? once(server, 'request') : undefined;
      if (text !== '') await new Promise((resolve) => { socket.write(text, resolve); });
      await seen;
      socket[how]();
      await closed(server);
      while (open > 0) await new Promise(setImmediate);
    }
  }
  await end(server);
}

// close() lets what is in flight end, ends what is idle, and takes nothing new.
async function closeInFlight() {
  const held = [];
  const server = http.createServer((req, res) => (req.url === '/hold' ? held.push(res) : res.end('quick')));
  const port = await listen(server);
  const agent = new http.Agent({ keepAlive: true });
  const ask = (path) => new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path, agent }, (res) => { let text = ''; res.on('data', (part) => { text += part; }).on('end', () => resolve(text)); }).on('error', reject);
  });
  assert.strictEqual(await ask('/'), 'quick');  // leaves an idle connection
  const slow = [ask('/hold'), ask('/hold')];
  while (held.length < 2) await new Promise(setImmediate);
  let isClosed = false;
  server.close(() => { isClosed = true; });
  await assert.rejects(new Promise((resolve, reject) => { connect(port).on('connect', resolve).on('error', reject); }), { code: 'ECONNREFUSED' });
  assert.strictEqual(isClosed, false);
  for (const res of held) res.end('slow');
  assert.deepStrictEqual(await Promise.all(slow), ['slow', 'slow']);
  agent.destroy();
  while (!isClosed) await new Promise(setImmediate);
}

// Noise of every kind: answered or dropped, and the next client is served.
async function garbage() {
  const server = http.createServer((req, res) => req.on('error', () => {}).resume().on('end', () => res.end('fine')));
  const port = await listen(server);
  let seed = 7;
  const random = (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed % n; };
  for (let i = 0; i < 60; i++) {
    const socket = connect(port);
    const answer = gather(socket);
    const bytes = Buffer.from(Array.from({ length: 1 + random(300) }, () => random(256)));
    socket.end(i % 3 === 0 ? Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n'), bytes]) : bytes);
    assert(!(await answer).includes('fine'));
  }
  const [response] = await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response');
  assert.strictEqual(response.resume().statusCode, 200);
  await end(server);
}

(async () => { for (const part of [slowClients, steadyClient, pipelining, noReader, slowReader, resets, closeInFlight, garbage]) await part(); })();
