// rondo:serve: requests and answers, as fetch and as bare bytes over a socket.
import assert from 'node:assert';
import net from 'node:net';
import { test } from 'node:test';
import { serve } from 'rondo:serve';

const encoder = new TextEncoder();
const errors = [];
let release;
let aborted;
const reused = new Response('again');

async function answer(request, info) {
  const { pathname } = new URL(request.url);
  switch (pathname) {
    case '/hello': return new Response('Hello', { headers: { 'Content-Type': 'text/plain' } });
    case '/bytes': return new Response(new Uint8Array([104, 105]));
    case '/unicode': return new Response('héllo €');
    case '/json': return Response.json({ a: 1 });
    case '/none': return new Response(null, { status: 204 });
    case '/reused': return reused;
    case '/cookies': {
      const headers = new Headers();
      headers.append('Set-Cookie', 'a=1');
      headers.append('Set-Cookie', 'b=2');
      return new Response('c', { headers, status: 201, statusText: 'Made' });
    }
    case '/about': {
      return Response.json({ url: request.url, method: request.method, x: request.headers.get('X-One'), from: info.remoteAddress, body: request.body });
    }
    case '/echo': return new Response(await request.text(), { headers: { 'X-Method': request.method } });
    case '/through': return new Response(request.body);
    case '/clone': {
      const copy = request.clone();
      return new Response(`${await request.text()}+${await copy.text()}`);
    }
    case '/stream': return new Response(new ReadableStream({
      start(controller) {
        controller.enqueue(encoder.encode('one '));
        release = () => { controller.enqueue(encoder.encode('two')); controller.close(); };
      },
    }));
    case '/broken': return new Response(new ReadableStream({ pull(controller) { controller.error(new Error('broke')); } }));
    case '/throw': throw new Error('thrown');
    case '/nothing': return undefined;
    case '/unread': return new Response('unread');
    case '/wait': return new Promise((resolve) => {
      aborted = new Promise((seen) => request.signal.addEventListener('abort', () => { seen(request.signal.reason.name); resolve(new Response('late')); }));
    });
    case '/large': return new Response('x'.repeat(5_000_000));
    case '/close': return new Response('last', { headers: { Connection: 'close' } });
    case '/forward': return fetch(new URL('/hello', request.url));
    case '/blob': return new Response(new Blob(['blob']));
    default: return new Response('no', { status: 404 });
  }
}

const server = serve({
  port: 0, hostname: '127.0.0.1', maxRequestBodySize: 1_000_000, fetch: answer,
  error(error) {
    errors.push(error.message);
    return new Response(`failed: ${error.message}`, { status: 500 });
  },
});
const at = (path) => new URL(path, server.url);

// Sends bytes, resolves with what has come when the server closes or `until` is there.
function raw(bytes, until) {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      got += chunk;
      if (until !== undefined && got.includes(until)) socket.destroy();
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

test('the server says where it is', () => {
  assert.ok(server.port > 0);
  assert.deepStrictEqual([server.hostname, server.url.href], ['127.0.0.1', `http://127.0.0.1:${server.port}/`]);
});

test('answers', async () => {
  const hello = await fetch(at('/hello'));
  assert.deepStrictEqual([hello.status, hello.statusText, hello.headers.get('content-type'), hello.headers.get('content-length'), await hello.text()],
    [200, 'OK', 'text/plain', '5', 'Hello']);
  assert.match(hello.headers.get('date'), /GMT$/);
  assert.strictEqual(await (await fetch(at('/bytes'))).text(), 'hi');
  const unicode = await fetch(at('/unicode'));
  assert.deepStrictEqual([unicode.headers.get('content-type'), await unicode.text()], ['text/plain;charset=UTF-8', 'héllo €']);
  assert.deepStrictEqual(await (await fetch(at('/json'))).json(), { a: 1 });
  assert.strictEqual((await fetch(at('/none'))).status, 204);
  for (let i = 0; i < 2; i++) assert.strictEqual(await (await fetch(at('/reused'))).text(), 'again');
  const cookies = await fetch(at('/cookies'));
  assert.deepStrictEqual([cookies.status, cookies.statusText, cookies.headers.getSetCookie()], [201, 'Made', ['a=1', 'b=2']]);
  assert.strictEqual((await fetch(at('/else'))).status, 404);
  assert.strictEqual((await (await fetch(at('/large'))).text()).length, 5_000_000);
  assert.strictEqual(await (await fetch(at('/forward'))).text(), 'Hello');
  assert.strictEqual(await (await fetch(at('/blob'))).text(), 'blob');
});

test('what a request knows', async () => {
  const about = await (await fetch(at('/about?q=1'), { headers: { 'X-One': '1' } })).json();
  assert.deepStrictEqual(about, { url: at('/about?q=1').href, method: 'GET', x: '1', from: '127.0.0.1', body: null });
  assert.match(await raw('GET /a/../about HTTP/1.1\r\nHost: EXAMPLE.com:80\r\n\r\n', '}'), /"url":"http:\/\/example.com\/about"/);
  assert.match(await raw('GET /about HTTP/1.1\r\nHost: b\u00e4d host\r\n\r\n', '}'), /"url":"http:\/\/127.0.0.1:\d+\/about"/);
});

test('bodies of requests', async () => {
  const post = async (path, body, init) => (await fetch(at(path), { method: 'POST', body, ...init })).text();
  assert.strictEqual(await post('/echo', 'body'), 'body');
  const long = 'y'.repeat(700_000);
  assert.strictEqual(await post('/echo', long), long);
  assert.strictEqual(await post('/through', long), long);
  assert.strictEqual(await post('/clone', 'z'), 'z+z');
  assert.strictEqual(await post('/unread', long), 'unread');
  const parts = new ReadableStream({ start(controller) { controller.enqueue(encoder.encode('a')); controller.enqueue(encoder.encode('b')); controller.close(); } });
  assert.strictEqual(await post('/echo', parts, { duplex: 'half' }), 'ab');
  assert.match(await raw(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(1_500_000)}`), /^HTTP\/1.1 413 /);
  assert.match(await raw('POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n', '100 Continue\r\n\r\n'), /^HTTP\/1.1 100 Continue/);
});

test('streams go out as they come', async () => {
  const response = await fetch(at('/stream'));
  const reader = response.body.getReader();
  assert.strictEqual(new TextDecoder().decode((await reader.read()).value), 'one ');
  release();
  assert.strictEqual(new TextDecoder().decode((await reader.read()).value), 'two');
  assert.strictEqual((await reader.read()).done, true);
  const old = raw('GET /stream HTTP/1.0\r\n\r\n');
  while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
  const before = release;
  while (release === before) await new Promise((resolve) => setImmediate(resolve));
  release();
  assert.match(await old, /Connection: close\r\n\r\none two$/);
});

test('failures', async () => {
  errors.length = 0;
  const thrown = await fetch(at('/throw'));
  assert.deepStrictEqual([thrown.status, await thrown.text()], [500, 'failed: thrown']);
  assert.strictEqual((await fetch(at('/nothing'))).status, 500);
  assert.deepStrictEqual(errors, ['thrown', 'serve: fetch must return a Response or a promise of one']);
  await assert.rejects(async () => (await fetch(at('/broken'))).text(), TypeError);
});

test('a client that goes away aborts the request', async () => {
  const controller = new AbortController();
  const pending = fetch(at('/wait'), { signal: controller.signal });
  while (aborted === undefined) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await assert.rejects(pending, { name: 'AbortError' });
  assert.strictEqual(await aborted, 'AbortError');
});

test('bytes on the wire', async () => {
  assert.match(await raw('HEAD /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), /Content-Length: 5\r\n\r\n$/);
  assert.match(await raw('GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 204 No Content\r\n(?!.*Content-Length)/s);
  assert.match(await raw('GET /close HTTP/1.1\r\nHost: x\r\n\r\n'), /Connection: close\r\n.*last$/s);
  assert.match(await raw('CONNECT /hello HTTP/1.1\r\nHost: x\r\n\r\nmore'), /^HTTP\/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n$/);
  assert.match(await raw('CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n'), /^HTTP\/1.1 501 /);
  assert.match(await raw('GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 'Hello'), /Connection: keep-alive/);
  assert.match(await raw('GET /hello HTTP/1.1\r\n\r\n'), /^HTTP\/1.1 400 /);
  assert.match(await raw('NONSENSE\r\n\r\n'), /^HTTP\/1.1 400 /);
  assert.match(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1.1 431 /);
  assert.match(await raw('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), /^HTTP\/1.1 400 /);
  const many = await raw('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3) + 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc' +
    'GET /close HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.deepStrictEqual(many.match(/Hello|abc|last/g), ['Hello', 'Hello', 'Hello', 'abc', 'last']);
});

test('it stops when the last answer is out', async () => {
  const pending = fetch(at('/stream'));
  const response = await pending;
  const stopped = server.stop();
  release();
  assert.strictEqual(await response.text(), 'one two');
  await stopped;
  await assert.rejects(fetch(at('/hello')), (error) => error.cause.code === 'ECONNREFUSED');
  assert.strictEqual(server.pendingRequests, 0);
});

test('what an option cannot be is refused', async () => {
  assert.throws(() => serve(), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => serve({}), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => serve({ port: 70_000, fetch: answer }), { code: 'ERR_SOCKET_BAD_PORT' });
  assert.throws(() => serve({ port: 0, hostname: 'example.com', fetch: answer }), { code: 'ERR_INVALID_ARG_VALUE' });
  const first = serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  assert.throws(() => serve({ port: first.port, hostname: '127.0.0.1', fetch: answer }), { code: 'EADDRINUSE', syscall: 'listen' });
  first.unref().ref();
  await first[Symbol.asyncDispose]();
});
