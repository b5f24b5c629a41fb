// Requests of a page are what its Request was made of, whatever accessors the page puts in the place of Request's; iterators show nothing inner.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import http from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';

const kPage = (other) => `<body><script>
const replace = (name, value) => {
  const before = Object.getOwnPropertyDescriptor(Request.prototype, name);
  Object.defineProperty(Request.prototype, name, { ...before, get: () => value() });
  return () => Object.defineProperty(Request.prototype, name, before);
};
const changing = (...texts) => ({ toString: () => (texts.length > 1 ? texts.shift() : texts[0]) });
const send = async (name, value, address, init) => {
  const restore = replace(name, value);
  try { await fetch(address, init); } catch {}
  restore();
};
(async () => {
  const opaque = { mode: 'no-cors', referrerPolicy: 'unsafe-url' };
  for (const method of ['DELETE', 'TRACE', 'PUT']) await send('method', () => method, '${other}/' + method, opaque);
  for (const method of ['TRACE', 'CONNECT']) await send('method', () => method, '/own-' + method);
  await send('referrer', () => changing(location.href, 'http://victim.example/x'), '${other}/referrer', opaque);
  await send('headers', () => [['cookie', 'a=b'], ['origin', 'http://victim.example']], '${other}/headers', opaque);
  await send('mode', () => 'navigate', '${other}/mode');
  await send('url', () => 'file:///etc/passwd', '/own-url');
  const form = new FormData();
  form.append('a', 'b');
  const shown = [new URLSearchParams('a=b').keys(), new URLSearchParams('a=b').entries(), form.keys(), new Headers([['a', 'b']]).keys(),
    new ReadableStream()[Symbol.asyncIterator]()].map((iterator) => Object.getOwnPropertySymbols(iterator).length);
  await fetch('/shown?' + shown);
  window.close();
})();
</script>`;

async function listen(handler) {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

test('accessors of Request that a page has replaced change nothing of what is sent', async () => {
  const seen = [];
  const note = (request) => seen.push({ method: request.method, url: request.url, headers: request.headers });
  const other = await listen((request, response) => {
    note(request);
    response.end('text');
  });
  const own = await listen((request, response) => {
    note(request);
    if (request.url !== '/') return response.end();
    return response.setHeader('content-type', 'text/html').end(kPage(other.address));
  });
  const page = spawn(process.execPath, ['--loop=html', `${own.address}/`], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(page, 'exit');
  for (const { server } of [own, other]) server.close();
  for (const { server } of [own, other]) server.closeAllConnections();
  assert.strictEqual(code, 0);
  const sent = (url) => seen.filter((request) => request.url === url);
  for (const url of ['/DELETE', '/TRACE', '/PUT', '/own-TRACE', '/own-CONNECT', '/own-url']) {
    assert.deepStrictEqual(sent(url).map(({ method }) => method), ['GET'], url);
  }
  assert.strictEqual(sent('/referrer')[0].headers.referer, `${own.address}/`);
  assert.strictEqual(sent('/headers')[0].headers.cookie, undefined);
  assert.strictEqual(sent('/headers')[0].headers.origin, undefined);
  assert.strictEqual(sent('/mode')[0].headers.origin, own.address);
  assert.deepStrictEqual(sent('/shown?0,0,0,0,0').length, 1, seen.map(({ url }) => url).join(' '));
});
