// What pages of servers ask for: scripts that hold the parser while other tasks run, and questions to other origins before requests that are not simple.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { serve } from 'rondo:serve';

const pages = new Map();
const held = Promise.withResolvers();
const asked = [];

// What the other origin allows, by path.
const allowed = {
  '/all': { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'X-Own, content-type', 'access-control-max-age': '0' },
  '/for-long': { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT, DELETE', 'access-control-allow-headers': 'X-Own, content-type', 'access-control-max-age': '600' },
  '/no-method': { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PATCH', 'access-control-allow-headers': '*' },
  '/no-header': { 'access-control-allow-origin': '*', 'access-control-allow-methods': '*' },
  '/no-origin': { 'access-control-allow-methods': '*', 'access-control-allow-headers': '*' },
};

const server = serve({
  port: 0, hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/release') held.resolve();
    if (pathname === '/held.js') await held.promise;
    if (pathname === '/type') return new Response(`${request.headers.get('content-type')} ${await request.text()}`);
    const text = pages.get(pathname);
    if (text === undefined) return new Response('nothing', { status: 404 });
    const type = pathname.endsWith('.txt') ? 'text/plain' : pathname.endsWith('.html') ? 'text/html' : 'text/javascript';
    return new Response(text.replaceAll('OTHER', `http://127.0.0.1:${other.port}`), { headers: { 'content-type': type } });
  },
});
const other = serve({
  port: 0, hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url);
    asked.push([request.method, pathname, request.headers.get('access-control-request-method'), request.headers.get('access-control-request-headers'), request.headers.get('x-own')]);
    assert.strictEqual(request.headers.get('origin'), `http://127.0.0.1:${server.port}`);
    return new Response(request.method === 'OPTIONS' ? null : 'answer', { status: request.method === 'OPTIONS' ? 204 : 200, headers: allowed[pathname] });
  },
});
server.unref();
other.unref();

function run(page) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--loop=html', `http://127.0.0.1:${server.port}${page}`]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => { stdout += chunk; });
    child.stderr.on('data', (chunk) => { stderr += chunk; });
    child.on('close', (code) => resolve({ code, stderr, lines: stdout.trimEnd().split('\n') }));
  });
}

test('a script over http holds the parser, and nothing else', async () => {
  pages.set('/held.js', "console.log('held script', document.getElementById('after')); Promise.resolve().then(() => console.log('its microtask'));");
  pages.set('/release', '');
  pages.set('/blocking.html', `<script>
    setTimeout(() => { console.log('a task meanwhile', document.getElementById('after'), document.readyState); fetch('/release'); });
    </script><script src=/held.js onload="console.log('load', document.getElementById('after'))"></script><p id=after></p>
    <script>console.log('then', document.getElementById('after').localName);</script>
    <script src=/absent.js onerror="console.log('error')"></script>`);
  const { lines, stderr, code } = await run('/blocking.html');
  assert.deepStrictEqual(lines, ['a task meanwhile null loading', 'held script null', 'its microtask', 'load null', 'then p', 'error']);
  assert.match(stderr, /cannot load .*absent\.js: status 404/);
  assert.strictEqual(code, 1);
});

test('another origin is asked before a request that is not simple', async () => {
  pages.set('/preflight.html', `<script type="module">
    const put = (path) => fetch('OTHER' + path, { method: 'PUT', headers: { 'X-Own': '1' }, body: 'x' }).then((answer) => answer.text(), (error) => error.name);
    for (const path of ['/all', '/no-method', '/no-header', '/no-origin']) console.log(path, await put(path));
    console.log('simple', await (await fetch('OTHER/all')).text());
    const request = new XMLHttpRequest();
    request.open('PUT', 'OTHER/all');
    request.setRequestHeader('x-own', '2');
    request.onload = () => console.log('XMLHttpRequest', request.responseText);
    request.onerror = () => console.log('XMLHttpRequest refused');
    request.send('x');
    </script>`);
  const { lines, stderr } = await run('/preflight.html');
  assert.strictEqual(stderr, '');
  assert.deepStrictEqual(lines, ['/all answer', '/no-method TypeError', '/no-header TypeError', '/no-origin TypeError', 'simple answer', 'XMLHttpRequest answer']);
  const preflight = (path) => ['OPTIONS', path, 'PUT', 'x-own', null];
  assert.deepStrictEqual(asked.map((row) => [row[0], row[1], row[2], row[3]?.split(',').filter((name) => name !== 'content-type').join() ?? null, row[4]]), [
    preflight('/all'), ['PUT', '/all', null, null, '1'], preflight('/no-method'), preflight('/no-header'), preflight('/no-origin'),
    ['GET', '/all', null, null, null], preflight('/all'), ['PUT', '/all', null, null, '2'],
  ]);
});

test('another origin that has allowed something for some time is not asked again for that', async () => {
  asked.length = 0;
  pages.set('/cached.html', `<script type="module">
    const send = (method, headers = {}) => fetch('OTHER/for-long', { method, headers }).then((answer) => answer.text(), (error) => error.name);
    console.log(await send('PUT', { 'X-Own': '1' }), await send('PUT', { 'X-Own': '2' }), await send('DELETE'), await send('PUT', { 'X-Other': '1' }), await send('PATCH'));
    </script>`);
  const { lines } = await run('/cached.html');
  assert.deepStrictEqual(lines, ['answer answer answer TypeError TypeError']);
  assert.deepStrictEqual(asked.map((row) => row[0]), ['OPTIONS', 'PUT', 'PUT', 'DELETE', 'OPTIONS', 'OPTIONS']);
});

test('importScripts takes scripts only, and the worker that asked goes on', async () => {
  pages.set('/script.js', "self.imported = 'imported';");
  pages.set('/script.txt', "self.imported = 'never';");
  pages.set('/worker.js', `onmessage = ({ data }) => {
    importScripts('script.js');
    try { importScripts('script.txt'); } catch (error) { postMessage([data, imported, error.name, error instanceof DOMException]); }
    close();
  };`);
  pages.set('/worker.html', `<script>
    const worker = new Worker('worker.js');
    worker.onmessage = ({ data }) => console.log(data.join());
    worker.postMessage('sent before the script was there');
    </script>`);
  const { lines, stderr, code } = await run('/worker.html');
  assert.strictEqual(stderr, '');
  assert.deepStrictEqual(lines, ['sent before the script was there,imported,NetworkError,true']);
  assert.strictEqual(code, 0);
});

test('a body of parameters that XMLHttpRequest sends has its type', async () => {
  pages.set('/parameters.html', `<script>
    const send = (type) => {
      const request = new XMLHttpRequest();
      request.open('POST', '/type', false);
      if (type !== undefined) request.setRequestHeader('Content-Type', type);
      request.send(new URLSearchParams({ a: 1 }));
      console.log(request.responseText);
    };
    send();
    send('text/x-own');
    </script>`);
  const { lines } = await run('/parameters.html');
  assert.deepStrictEqual(lines, ['application/x-www-form-urlencoded;charset=UTF-8 a=1', 'text/x-own a=1']);
});

test('a rejection in an about:blank frame of a page over http is told to the frame', async () => {
  pages.set('/rejection.html', `<body><script>
    const inner = document.body.appendChild(document.createElement('iframe')).contentWindow;
    inner.addEventListener('unhandledrejection', (event) => { event.preventDefault(); console.log('frame told', event.reason.message); });
    inner.Promise.reject(new Error('x'));
    </script>`);
  const { lines, code } = await run('/rejection.html');
  assert.deepStrictEqual(lines, ['frame told x']);
  assert.strictEqual(code, 0);
});
