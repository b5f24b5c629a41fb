// Pages of servers: S27 (a cross-origin frame has a loop of its own and is reached by messages alone; S195), WebSocket, EventSource, CORS, modules and
// synchronous requests over http, storage that is kept.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { serve } from 'rondo:serve';

const pages = new Map();
const events = 'retry: 10000\n\nid: 7\ndata: first\ndata: line\n\nevent: named\ndata: second\n\n';

function makeServer() {
  return serve({
    port: 0, hostname: '127.0.0.1',
    fetch(request, info) {
      const { pathname } = new URL(request.url);
      if (pathname === '/socket') return info.upgrade({});
      if (pathname === '/events') return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
      if (pathname === '/open') return new Response('open to all', { headers: { 'access-control-allow-origin': '*' } });
      if (pathname === '/shut') return new Response('shut');
      const text = pages.get(pathname);
      if (text === undefined) return new Response('nothing', { status: 404 });
      const type = pathname.endsWith('.html') ? 'text/html' : 'text/javascript';
      return new Response(text.replaceAll('OTHER', `http://127.0.0.1:${other.port}`), { headers: { 'content-type': type } });
    },
    websocket: { message: (socket, message) => socket.send(typeof message === 'string' ? `echo ${message}` : message) },
  });
}
const server = makeServer();
const other = makeServer();
server.unref();
other.unref();

function run(page, flags = []) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--loop=html', ...flags, `http://127.0.0.1:${server.port}${page}`]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => { stdout += chunk; });
    child.stderr.on('data', (chunk) => { stderr += chunk; });
    child.on('close', (code) => resolve({ code, stderr, lines: stdout.trimEnd().split('\n') }));
  });
}

test('a frame of another origin', async () => {
  pages.set('/page.html', `<body><script>
    addEventListener('message', ({ data, origin, source }) => {
      console.log('page heard', data.text, data.loop !== rondo.loop.loop, origin === 'OTHER', source === frames[0]);
      if (data.text === 'bye, and back') return end();
      source.postMessage('bye', 'OTHER');
      source.postMessage('never', 'http://example.org');
    });
    let left = 2;  // its last message and its load event come in either order
    const end = () => { if (--left === 0) document.querySelector('iframe').remove(); };
    </script><iframe src="OTHER/frame.html"></iframe><script>
    document.querySelector('iframe').onload = ({ target }) => {
      console.log('loaded', target.contentDocument, target.contentWindow.length);
      try { target.contentWindow.document; } catch (error) { console.log(error.name); }
      end();
    };</script>`);
  pages.set('/frame.html', `<script>
    try { parent.document; } catch (error) { console.log('frame', error.name); }
    parent.postMessage({ text: 'hello', loop: rondo.loop.loop }, '*');
    onmessage = ({ data, source }) => { if (data === 'bye') source.postMessage({ text: 'bye, and back', loop: rondo.loop.loop }, '*'); };
    </script>`);
  const { lines, stderr, code } = await run('/page.html');
  assert.strictEqual(stderr, '');
  assert.deepStrictEqual(lines.toSorted(), [
    'SecurityError', 'frame SecurityError', 'loaded null 0', 'page heard bye, and back true true true', 'page heard hello true true true',
  ]);
  assert.strictEqual(code, 0);
});

test('a frame of another origin that is removed before its load event', async () => {
  // Its message and what it says of its load wait together, since the page is busy until both have come.
  pages.set('/removing.html', `<body><script>
    onmessage = () => {
      document.querySelector('iframe').remove();
      setTimeout(() => console.log('removed'), 100);
    };
    </script><iframe src="OTHER/removed.html" onload="console.log('loaded')"></iframe><script>
    setTimeout(() => { for (const begin = Date.now(); Date.now() - begin < 1500;); }, 0);
    </script>`);
  pages.set('/removed.html', "<script>parent.postMessage('hello', '*')</script>");
  const { lines, stderr } = await run('/removing.html');
  assert.strictEqual(stderr, '');
  assert.deepStrictEqual(lines, ['removed']);
});

test('WebSocket and EventSource', async () => {
  pages.set('/sockets.html', `<script>
    const socket = new WebSocket('/socket');
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => { console.log('open', rondo.task.source, socket.readyState); socket.send('text'); };
    socket.onmessage = ({ data }) => {
      console.log('message', typeof data === 'string' ? data : new Uint8Array(data), rondo.task.source);
      if (typeof data === 'string') socket.send(new Uint8Array([1, 2]));
      else socket.close(1000, 'done');
    };
    socket.onclose = ({ code, wasClean }) => { console.log('close', code, wasClean, rondo.task.source); listen(); };
    const listen = () => {
      const source = new EventSource('/events');
      source.onopen = () => console.log('opened', rondo.task.source);
      source.onmessage = ({ data, lastEventId }) => console.log(JSON.stringify(data), lastEventId);
      source.addEventListener('named', ({ type, data }) => console.log(type, data));
      source.onerror = () => { console.log('error', source.readyState); source.close(); };
    };
    </script>`);
  const { lines, stderr } = await run('/sockets.html');
  assert.strictEqual(stderr, '');
  assert.deepStrictEqual(lines, [
    'open networking 1', 'message echo text networking', 'message Uint8Array(2) [ 1, 2 ] networking', 'close 1000 true networking',
    'opened networking', '"first\\nline" 7', 'named second', 'error 0',
  ]);
});

test('what another origin answers', async () => {
  pages.set('/module.mjs', "export { name } from './inner.mjs'; console.log('module');");
  pages.set('/inner.mjs', "export const name = 'inner';");
  pages.set('/cors.html', `<script type="module">
    import { name } from './module.mjs';
    console.log(name);
    const request = new XMLHttpRequest();
    request.open('GET', '/shut', false);
    request.send();
    console.log('synchronous', request.responseText);
    console.log(await (await fetch('OTHER/open')).text());
    console.log(await fetch('OTHER/shut').catch((error) => error.name));
    console.log(await import('OTHER/foreign.mjs').catch((error) => error.name));
    for (const path of ['open', 'shut']) {
      const foreign = new XMLHttpRequest();
      foreign.open('GET', 'OTHER/' + path);
      foreign.onload = () => console.log(path, foreign.responseText);
      foreign.onerror = () => console.log(path, 'refused');
      foreign.send();
      await new Promise((resolve) => { foreign.onloadend = resolve; });
    }
    </script>`);
  pages.set('/foreign.mjs', 'console.log("never");');
  const { lines } = await run('/cors.html');
  assert.deepStrictEqual(lines, ['module', 'inner', 'synchronous shut', 'open to all', 'TypeError', 'TypeError', 'open open to all', 'shut refused']);
});

test('what is stored stays, whatever ends the process', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'storage-'));
  pages.set('/store.html', `<script>
    const runs = +localStorage.getItem('runs') + 1;
    localStorage.setItem('runs', runs);
    const request = indexedDB.open('db', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('store', { autoIncrement: true }).createIndex('by', 'run');
    request.onsuccess = () => {
      const change = request.result.transaction('store', 'readwrite');
      change.objectStore('store').add({ run: runs, made: new Map([[1, 2]]) });
      if (runs === 3) change.objectStore('store').delete(1);
      change.oncomplete = () => {
        const all = request.result.transaction('store').objectStore('store');
        all.index('by').getAllKeys().onsuccess = ({ target }) => {
          console.log(runs, JSON.stringify(target.result));
          setInterval(() => {}, 1000);
        };
      };
    };
    </script>`);
  const seen = [];
  for (let i = 0; i < 3; i++) {
    const child = spawn(process.execPath, ['--loop=html', `--storage=${folder}`, `http://127.0.0.1:${server.port}/store.html`]);
    child.stderr.pipe(process.stderr);
    seen.push(await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(`${chunk}`.trim()))));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
  }
  rmSync(folder, { recursive: true });
  assert.deepStrictEqual(seen, ['1 [1]', '2 [1,2]', '3 [2,3]']);
});
