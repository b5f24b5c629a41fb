// fetch over real sockets: answers, headers, redirects, bodies both ways, keep-alive, cookies, errors with causes.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { plainServer, reply } = require('../../fixtures/plain_server.js');

let server;
const opened = plainServer((request, socket) => {
  const { method, path, headers, body } = request;
  if (path === '/hello') return reply(socket, 200, { 'Content-Type': 'text/plain' }, 'Hello');
  if (path === '/echo') {
    return reply(socket, 201, { 'X-Method': method, 'X-Type': headers['content-type'] ?? 'none', 'X-Length': headers['content-length'] ?? 'none' }, body);
  }
  if (path === '/headers') return reply(socket, 200, {}, JSON.stringify(headers));
  if (path === '/redirect') return reply(socket, 302, { Location: '/hello' });
  if (path === '/seeother') return reply(socket, 303, { Location: '/echo' });
  if (path === '/again') return reply(socket, 307, { Location: '/echo' });
  if (path === '/loop') return reply(socket, 302, { Location: '/loop' });
  if (path === '/cookies') return reply(socket, 200, { 'Set-Cookie': ['a=1', 'b=2; Path=/'] });
  if (path === '/cut') {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
    return undefined;
  }
  if (path === '/garbage') return socket.end('garbage\r\n\r\n');
  if (path === '/empty') return socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  if (path === '/hang') return undefined;
  if (path === '/chunks') {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
    server.next = () => socket.write('6\r\nsecond\r\n0\r\n\r\n');
    return undefined;
  }
  return reply(socket, 404, {}, 'no');
}).then((made) => (server = made));


test('an answer', async () => {
  const { url } = await opened;
  const response = await fetch(`${url}/hello?x#part`.replace('?x', ''));
  assert.ok(response instanceof Response);
  assert.deepStrictEqual([response.status, response.ok, response.type, response.redirected], [200, true, 'basic', false]);
  assert.strictEqual(response.url, `${url}/hello`);
  assert.strictEqual(response.headers.get('content-type'), 'text/plain');
  assert.strictEqual(await response.text(), 'Hello');
  assert.strictEqual(response.bodyUsed, true);
  assert.strictEqual((await fetch(new URL('/nothing', url))).status, 404);
  assert.strictEqual((await fetch(`${url}/empty`)).body, null);
});

test('what is sent by itself', async () => {
  const { url } = await opened;
  const sent = await (await fetch(`${url}/headers`, { headers: { 'X-One': '1' } })).json();
  assert.strictEqual(sent['user-agent'], 'node');
  assert.strictEqual(sent.accept, '*/*');
  assert.strictEqual(sent['sec-fetch-mode'], 'cors');
  assert.match(sent['accept-encoding'], /gzip/);
  assert.strictEqual(sent['x-one'], '1');
});

test('one connection serves requests one after another', async () => {
  const { url } = await opened;
  await (await fetch(`${url}/hello`)).text();
  const before = server.connections;
  for (let i = 0; i < 5; i++) await (await fetch(`${url}/hello`)).text();
  assert.strictEqual(server.connections, before);
});

test('bodies that are sent', async () => {
  const { url } = await opened;
  const post = async (body, init = {}) => {
    const response = await fetch(`${url}/echo`, { method: 'POST', body, ...init });
    return [response.headers.get('x-type'), response.headers.get('x-length'), await response.text()];
  };
  assert.deepStrictEqual(await post('héllo'), ['text/plain;charset=UTF-8', '6', 'héllo']);
  assert.deepStrictEqual(await post(new Uint8Array([65, 66])), ['none', '2', 'AB']);
  assert.deepStrictEqual(await post(new URLSearchParams({ a: '1 2' })), ['application/x-www-form-urlencoded;charset=UTF-8', '5', 'a=1+2']);
  assert.deepStrictEqual(await post(new Blob(['blob'], { type: 'text/x' })), ['text/x', '4', 'blob']);
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('part one, '));
      controller.enqueue(new TextEncoder().encode('part two'));
      controller.close();
    },
  });
  assert.deepStrictEqual(await post(stream, { duplex: 'half' }), ['none', 'none', 'part one, part two']);
  async function* generate() { yield 'gen'; yield 'erated'; }
  assert.deepStrictEqual(await post(generate(), { duplex: 'half' }), ['none', 'none', 'generated']);
  await assert.rejects(post(new ReadableStream({})), /duplex option is required/);
});

test('an upload of a form', async () => {
  const { url } = await opened;
  const form = new FormData();
  form.append('name', 'välue');
  form.append('file', new File(['content'], 'a.txt', { type: 'text/plain' }));
  const request = new Request(`${url}/echo`, { method: 'POST', body: form });
  const type = request.headers.get('content-type');
  assert.match(type, /^multipart\/form-data; boundary=/);
  const response = await fetch(request);
  const back = await new Response(await response.arrayBuffer(), { headers: { 'Content-Type': type } }).formData();
  assert.strictEqual(back.get('name'), 'välue');
  assert.deepStrictEqual([back.get('file').name, back.get('file').type, await back.get('file').text()], ['a.txt', 'text/plain', 'content']);
});

test('redirects', async () => {
  const { url } = await opened;
  const followed = await fetch(`${url}/redirect`);
  assert.deepStrictEqual([followed.redirected, followed.url, await followed.text()], [true, `${url}/hello`, 'Hello']);
  const manual = await fetch(`${url}/redirect`, { redirect: 'manual' });
  assert.deepStrictEqual([manual.status, manual.headers.get('location')], [302, '/hello']);
  await manual.arrayBuffer();
  await assert.rejects(fetch(`${url}/redirect`, { redirect: 'error' }), { name: 'TypeError', message: 'fetch failed' });
  await assert.rejects(fetch(`${url}/loop`), (error) => error.cause.message === 'redirect count exceeded');
  const changed = await fetch(`${url}/seeother`, { method: 'POST', body: 'x' });
  assert.deepStrictEqual([changed.headers.get('x-method'), await changed.text()], ['GET', '']);
  const kept = await fetch(`${url}/again`, { method: 'POST', body: 'x' });
  assert.deepStrictEqual([kept.headers.get('x-method'), await kept.text()], ['POST', 'x']);
});

test('a body that comes in parts is read in parts', async () => {
  const { url } = await opened;
  const response = await fetch(`${url}/chunks`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  assert.deepStrictEqual(await reader.read(), { value: 'first', done: false });
  server.next();
  assert.deepStrictEqual(await reader.read(), { value: 'second', done: false });
  assert.deepStrictEqual(await reader.read(), { value: undefined, done: true });
});

test('cookies', async () => {
  const { url } = await opened;
  const response = await fetch(`${url}/cookies`);
  assert.deepStrictEqual(response.headers.getSetCookie(), ['a=1', 'b=2; Path=/']);
  assert.strictEqual(response.headers.get('set-cookie'), 'a=1, b=2; Path=/');
  const sent = await (await fetch(`${url}/headers`, { headers: { Cookie: 'x=y' } })).json();
  assert.strictEqual(sent.cookie, 'x=y');
});

test('failures carry their cause, and the place of the call', async () => {
  const { url } = await opened;
  const unused = await plainServer(() => {});
  unused.close();
  await assert.rejects(async function callingPlace() { await fetch(unused.url); }, (error) => {
    assert.ok(error instanceof TypeError);
    assert.strictEqual(error.message, 'fetch failed');
    assert.deepStrictEqual([error.cause.code, error.cause.syscall, error.cause.port], ['ECONNREFUSED', 'connect', unused.port]);
    assert.match(error.stack, /^TypeError: fetch failed\n.*callingPlace/);
    return true;
  });
  await assert.rejects(fetch(`${url}/garbage`), (error) => error.cause.name === 'HTTPParserError');
  const cut = await fetch(`${url}/cut`);
  await assert.rejects(cut.text(), (error) => error.message === 'terminated' && error.cause.code === 'UND_ERR_SOCKET');
  await assert.rejects(fetch('http://127.0.0.1:1/'), (error) => error.cause.message === 'bad port');
  await assert.rejects(fetch('nonsense'), { name: 'TypeError', message: /Failed to parse URL/ });
  await assert.rejects(fetch('foo:bar'), (error) => error.cause.message === 'unknown scheme');
});

test('aborted', async () => {
  const { url } = await opened;
  const controller = new AbortController();
  const pending = fetch(`${url}/hang`, { signal: controller.signal });
  controller.abort();
  await assert.rejects(pending, { name: 'AbortError' });
  const reason = new Error('mine');
  await assert.rejects(fetch(`${url}/hang`, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  await assert.rejects(fetch(`${url}/hang`, { signal: AbortSignal.timeout(5) }), { name: 'TimeoutError' });
  const midway = new AbortController();
  const response = await fetch(`${url}/chunks`, { signal: midway.signal });
  const reader = response.body.getReader();
  await reader.read();
  midway.abort();
  await assert.rejects(reader.read(), { name: 'AbortError' });
});

test('the end', () => server.close());
