// rondo:serve under bad clients (bounded, on loopback): slow ones in every part, those that go away in every state, floods of pipelined
// requests, readers that do not read, handlers that do not. Nothing is lost, doubled, left over or unbounded.
import assert from 'node:assert';
import net from 'node:net';
import { test } from 'node:test';
import { serve } from 'rondo:serve';

const turns = async (count) => { for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve)); };
const start = (options) => serve({ port: 0, hostname: '127.0.0.1', ...options });
const connect = (server) => net.connect(server.port, '127.0.0.1').on('error', () => {});
const gather = (socket) => new Promise((resolve) => {
  let got = '';
  socket.on('data', (piece) => { got += piece; }).on('close', () => resolve(got));
});
const atRest = async (server) => { while (server.connections > 0 || server.pendingRequests > 0) await turns(1); };
async function settled(value) {
  for (let before; before !== value();) {
    before = value();
    await turns(50);
  }
}

test('slow clients end by the limits: head, body, answer', async () => {
  const server = start({ requestTimeout: 1, idleTimeout: 1, async fetch(request) {
    if (request.method === 'POST') await request.text();
    return new Response('x'.repeat(20_000_000));
  } });
  const head = connect(server);
  const body = connect(server);
  const answer = connect(server);
  const answers = [gather(head), gather(body)];
  head.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
  body.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx');
  answer.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const drips = setInterval(() => { for (const socket of [head, body]) if (!socket.destroyed) socket.write('y'); }, 100);
  for (const got of await Promise.all(answers)) assert.match(got, /^HTTP\/1\.1 408 /);
  clearInterval(drips);
  await atRest(server);
  answer.destroy();
  await server.stop(true);
});

test('pipelined requests are answered in order, one at a time', async () => {
  let running = 0;
  const server = start({ async fetch(request) {
    assert.strictEqual(++running, 1);
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('7')) await turns(2);
    running--;
    return new Response(`${pathname};`);
  } });
  const socket = connect(server);
  let got = '';
  socket.on('data', (piece) => { got += piece; if (got.includes('/499;')) socket.end(); });
  socket.write(Array.from({ length: 500 }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await new Promise((resolve) => socket.on('close', resolve));
  assert.deepStrictEqual(got.match(/\/\d+;/g), Array.from({ length: 500 }, (_, i) => `/${i};`));
  await server.stop(true);
});

test('who does not read is not written to without end', async () => {
  let pulled = 0;
  let served = 0;
  let cancelled = 0;
  const server = start({ fetch(request) {
    served++;
    if (!request.url.endsWith('/stream')) return new Response('z'.repeat(10_000));
    return new Response(new ReadableStream({
      pull(controller) { pulled++; controller.enqueue(new Uint8Array(65_536)); },
      cancel() { cancelled++; },
    }));
  } });
  const stream = connect(server).pause();
  stream.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
  const many = connect(server).pause();
  for (let i = 0; i < 20; i++) many.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000));
  while (pulled === 0 || served < 2) await turns(1);
  await settled(() => pulled + served);
  assert(pulled < 500 && served < 5000, `${pulled} pieces, ${served} answers`);
  stream.destroy();
  many.destroy();
  await atRest(server);
  assert.strictEqual(cancelled, 1);
  await server.stop(true);
});

test('a handler that does not read holds the client back', async () => {
  let go;
  let seen;
  const server = start({ maxRequestBodySize: 1 << 30, async fetch(request) {
    seen = request;
    await new Promise((resolve) => { go = resolve; });
    let size = 0;
    for await (const piece of request.body) size += piece.length;
    return new Response(String(size));
  } });
  const socket = connect(server);
  const answer = gather(socket);
  const size = 100_000_000;
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
  const before = process.memoryUsage().rss;
  let sent = 0;
  const more = () => {
    while (sent < size) {
      const piece = Buffer.alloc(Math.min(100_000, size - sent));
      sent += piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', more);
  more();
  while (seen === undefined) await turns(1);
  await settled(() => sent);
  assert(sent < size / 2, `${sent} bytes went to a handler that reads none`);
  assert(process.memoryUsage().rss - before < 80_000_000);
  go();
  assert.match(await answer, new RegExp(`\\r\\n\\r\\n${size}$`));
  await server.stop(true);
});

test('clients that go away in every state leave nothing', async () => {
  const states = ['', 'GET / HTTP/1.1\r\nHo', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
                  'POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', 'POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
                  'GET /wait HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /half HTTP/1.1\r\nHost: a\r\n\r\n'];
  let begun = 0;
  let aborts = 0;
  let reads = 0;
  const server = start({ error() { return new Response('failed', { status: 500 }); }, fetch(request) {
    begun++;
    request.signal.addEventListener('abort', () => { aborts++; });
    const { pathname } = new URL(request.url);
    if (pathname === '/read') return request.text().then(() => new Response('read'), () => { reads++; return new Response('not read'); });
    if (pathname === '/half') return new Response(new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array(5)); } }));
    return new Promise(() => {});
  } });
  for (const text of states) {
    for (const how of ['destroy', 'resetAndDestroy']) {
      const before = begun;
      aborts = reads = 0;
      const socket = connect(server);
      await new Promise((resolve) => { socket.on('connect', resolve); });
      if (text !== '') await new Promise((resolve) => { socket.write(text, resolve); });
      const isRequest = text.includes('\r\n\r\n');
      while (isRequest && begun === before) await turns(1);
      socket[how]();
      await atRest(server);
      while (isRequest && aborts === 0) await turns(1);
      await turns(3);
      assert.strictEqual(aborts, isRequest ? 1 : 0, text);
      assert.strictEqual(reads, text.startsWith('POST /read') ? 1 : 0, text);
    }
  }
  await server.stop(true);
});
