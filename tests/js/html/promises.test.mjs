// Sentences of docs/security.md and docs/html.md that no other test is about: cookies of frames in pages of other sites, windows that are apart although of one
// origin, what of the library's realm is shown, and what is said to be absent.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const pages = [new Map(), new Map()];
const headers = new Map();
const asked = [];
const servers = pages.map((own, index) => http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x');
  asked.push({ index, pathname, cookie: request.headers.cookie ?? '' });
  const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
  response.writeHead(own.has(pathname) ? 200 : 404, { 'content-type': type, ...headers.get(pathname) }).end(own.get(pathname));
}));
for (const server of servers) await new Promise((resolve) => { server.listen(0, resolve); });
// Two sites, and two origins of the first.
const [port, otherPort] = servers.map((server) => server.address().port);
const home = `http://127.0.0.1:${port}`, beside = `http://127.0.0.1:${otherPort}`, foreign = `http://localhost:${otherPort}`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-promises-'));
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  fs.rmSync(folder, { recursive: true });
});
const run = (place, options = []) => new Promise((resolve) => {
  const child = spawn(process.execPath, ['--loop=html', ...options, place]);
  let stdout = '';
  child.stdout.on('data', (chunk) => { stdout += chunk; });
  child.on('close', () => resolve(stdout.trimEnd().split('\n')));
});
const helpers = `
  const attempt = (steps) => { try { return String(steps()); } catch (error) { return error.name; } };
  const heard = () => new Promise((resolve) => { addEventListener('message', ({ data }) => resolve(data), { once: true }); });
  const frame = (url, attributes = {}) => { const made = document.createElement('iframe'); for (const name in attributes) made.setAttribute(name, attributes[name]); made.src = url; document.body.append(made); return made; };`;

test('a frame in a page of another site has no cookies but those with SameSite=None', async () => {
  headers.set('/cookies', { 'set-cookie': ['plain=1', 'lax=1; SameSite=Lax', 'all=1; SameSite=None; Secure'] });
  pages[1].set('/cookies', `<script>
    document.cookie = 'set=1';
    document.cookie = 'setall=1; SameSite=None; Secure';
    fetch('/sent').then(() => parent.postMessage(document.cookie, '*'));</script>`);
  for (const origin of [foreign, beside]) {
    pages[0].set('/', `<body><script>${helpers} (async () => { const said = heard(); frame('${origin}/cookies'); console.log(await said); window.close(); })()</script>`);
    asked.length = 0;
    const [line] = await run(`${home}/`);
    const kept = origin === foreign ? 'all=1; setall=1' : 'all=1; lax=1; plain=1; set=1; setall=1';
    const sorted = (text) => text.split('; ').sort().join('; ');
    assert.strictEqual(sorted(line), kept);
    assert.strictEqual(sorted(asked.find(({ pathname }) => pathname === '/sent').cookie), kept);
  }
});

test('windows with another origin between them, or in their past, are apart', async () => {
  pages[0].set('/inner', `<script>${helpers} parent.postMessage(['inner', attempt(() => top.document.title), top === parent, origin].join(), '*');</script>`);
  pages[1].set('/middle', `<body><script>${helpers} onmessage = ({ data }) => parent.postMessage(data, '*'); frame('${home}/inner'); frame('about:blank');</script>`);
  pages[1].set('/went', `<script>location = '${home}/back';</script>`);
  pages[0].set('/back', `<script>${helpers} opener.postMessage(['back', attempt(() => opener.document.title), origin].join(), '*');</script>`);
  pages[0].set('/', `<body><script>${helpers} (async () => {
    let said = heard();
    const middle = frame('${beside}/middle');
    console.log(await said, middle.contentWindow.length, attempt(() => middle.contentWindow[0].postMessage('x')));
    said = heard();
    const opened = open('${beside}/went');
    console.log(await said, attempt(() => opened.document.title));
    window.close();
  })()</script>`);
  assert.deepStrictEqual(await run(`${home}/`), [`inner,SecurityError,true,${home} 0 SecurityError`, `back,SecurityError,${home} SecurityError`]);
});

test('sandboxing: user activation that cannot be allows nothing, other headers and attributes are not there', async () => {
  headers.set('/framed', { 'x-frame-options': 'DENY', 'content-security-policy': "script-src 'none'; frame-ancestors 'none'" });
  pages[1].set('/framed', '<script>parent.postMessage("shown", "*")</script>');
  pages[1].set('/climbs', `<script>try { top.location = '${beside}/left'; } catch (error) { parent.postMessage(error.name, '*'); }</script>`);
  pages[0].set('/x.js', 'console.log("ran")');
  pages[0].set('/', `<body><script src="/x.js" integrity="sha256-AAAA"></script><script>${helpers} (async () => {
    let said = heard();
    frame('${beside}/framed');
    console.log(await said);
    said = heard();
    frame('${beside}/climbs', { sandbox: 'allow-scripts allow-top-navigation-by-user-activation' });
    console.log(await said);
    console.log(['requestPointerLock' in Element.prototype, 'presentation' in navigator, screen.orientation, 'loading' in HTMLImageElement.prototype].join());
    console.log(/jsdom/i.test(navigator.userAgent), originAgentCluster, document.domain);
    window.close();
  })()</script>`);
  asked.length = 0;
  const lines = await run(`${home}/`);
  assert.deepStrictEqual(lines, ['ran', 'shown', 'SecurityError', 'false,false,,false', 'true true 127.0.0.1']);
  assert.ok(!asked.some(({ pathname }) => pathname === '/left'));
});

test('objects of the library\'s realm that a page gets are those that the docs name, and lead to nothing', async () => {
  pages[0].set('/', `<script>(async () => {
    const of = (value) => (value instanceof Object ? 'own' : 'library');
    const rejected = (promise) => promise.then(() => 'done', (error) => error);
    const reader = new ReadableStream({ start(controller) { controller.enqueue(1); } }).getReader();
    const objects = {
      iterator: new Headers({ a: 'b' }).entries(), item: new Headers({ a: 'b' }).entries().next(), entries: performance.getEntries(), read: await reader.read(), matched: new URLPattern('/:a', 'http://x').exec('http://x/b'),
      key: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']), piped: await rejected(new ReadableStream().pipeTo(1)),
    };
    console.log(Object.keys(objects).filter((name) => of(objects[name]) === 'library').join());
    const owned = [await fetch('/'), await (await fetch('/')).arrayBuffer(), structuredClone([1]), await crypto.subtle.digest('SHA-256', new Uint8Array(1)), await rejected(fetch('x:')), await rejected(crypto.subtle.digest('x', new Uint8Array(1))),
      await navigator.permissions.query({ name: 'clipboard-read' }), new DOMParser().parseFromString('<p>', 'text/html'), [...new FormData()], new URLSearchParams('a=b').entries(), Origin.from(location.href), matchMedia('all'), document.body?.getClientRects() ?? []];
    console.log(owned.map(of).join());
    let compiled = 0;
    for (const name in objects) {
      for (let at = objects[name]; at !== null; at = Object.getPrototypeOf(at)) {
        try { at.constructor.constructor('return 1')(); if (!(at.constructor instanceof Function)) compiled++; } catch {}
      }
    }
    console.log(compiled);
    window.close();
  })()</script>`);
  const [library, owned, compiled] = await run(`${home}/`);
  assert.strictEqual(library, 'iterator,item,entries,key');
  assert.strictEqual(owned, Array(13).fill('own').join());
  assert.strictEqual(compiled, '0');
});

test('workers: databases in memory, each its own, no XMLHttpRequest; storage is one run\'s at a time', async () => {
  fs.writeFileSync(path.join(folder, 'worker.js'), `
    const opened = indexedDB.open('x');
    let isNew = false;
    opened.onupgradeneeded = () => { isNew = true; };
    opened.onsuccess = () => { postMessage([isNew, typeof XMLHttpRequest].join()); };`);
  fs.writeFileSync(path.join(folder, 'page.html'), `<script>(async () => {
    const ask = () => new Promise((resolve) => { new Worker('worker.js').onmessage = ({ data }) => resolve(data); });
    console.log(await ask(), await ask());
    window.close();
  })()</script>`);
  const storage = [`--storage=${path.join(folder, 'stored')}`];
  for (const time of [1, 2]) assert.deepStrictEqual(await run(path.join(folder, 'page.html'), storage), ['true,undefined true,undefined'], `run ${time}`);
});
