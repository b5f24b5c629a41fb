// Pages of an agent are of one origin: a window that goes on to another origin runs in another agent, so that nothing of the first page's is on its way. And the
// WindowProxy that others hold shows what a window of another origin shows.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const pages = [new Map(), new Map()];
const servers = pages.map((own) => http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  if (pathname === '/to') return response.writeHead(302, { location: searchParams.get('url') }).end();
  return response.writeHead(own.has(pathname) ? 200 : 404, { 'content-type': 'text/html' }).end(own.get(pathname));
}));
for (const server of servers) await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const [home, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-agents-'));
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  fs.rmSync(folder, { recursive: true });
});
const run = (place) => new Promise((resolve) => {
  const child = spawn(process.execPath, ['--loop=html', place]);
  let stdout = '';
  child.stdout.on('data', (chunk) => { stdout += chunk; });
  child.on('close', () => resolve(stdout.trimEnd().split('\n')));
});

// Replaces, for good, every member of classes that windows of an agent could share.
const poison = `
  globalThis.mark = 'of the first page';
  for (const name of Object.getOwnPropertyNames(window)) {
    if (!/Stream|Strategy|URLPattern|Headers|Response|Request|Performance|Image|Canvas|Worker|Message|Broadcast|Abort|Idle|Task|Scheduler|Crypto|Text|IDB|Origin/.test(name)) continue;
    const { prototype } = window[name];
    if (prototype === undefined) continue;
    for (const key of Reflect.ownKeys(prototype)) {
      if (key === 'constructor') continue;
      try { Object.defineProperty(prototype, key, { value() { return mark; }, configurable: false, writable: false }); } catch {}
    }
    try { Object.defineProperty(window[name], 'mark', { value: mark, configurable: false }); } catch {}
  }`;
const look = `
  const seen = [];
  for (const name of Object.getOwnPropertyNames(window)) {
    const made = window[name];
    if (typeof made !== 'function' || !made.prototype) continue;
    if (made.mark !== undefined) seen.push(name);
    for (const key of Reflect.ownKeys(made.prototype)) {
      const { value, get } = Object.getOwnPropertyDescriptor(made.prototype, key);
      for (const found of [value, get]) if (typeof found === 'function' && Function.prototype.toString.call(found).includes('return mark')) seen.push(name + '.' + String(key));
    }
  }
  console.log('seen', seen.length, typeof mark, new ReadableStream().getReader().constructor.name);`;

test('a page that goes on to another origin leaves nothing behind', async () => {
  pages[1].set('/end', `<script>${look} window.close();</script>`);
  pages[1].set('/back', `<script>${poison} location = '${home}/last';</script>`);
  pages[0].set('/last', `<script>${look} window.close();</script>`);
  pages[0].set('/next', `<script>${poison} location = '${other}/end';</script>`);
  pages[0].set('/redirected', `<script>${poison} location = '/to?url=${other}/end';</script>`);
  pages[0].set('/twice', `<script>${poison} location = '${other}/back';</script>`);
  pages[0].set('/form', `<form action="${other}/end" method=post></form><script>${poison} document.forms[0].submit();</script>`);
  pages[0].set('/opens', `<script>${poison} const made = open('/inner'); made.onload = () => { made.location = '${other}/end'; };</script>`);
  pages[0].set('/inner', 'inner');
  fs.writeFileSync(path.join(folder, 'page.html'), `<script>${poison} location = '${other}/end';</script>`);
  const places = [...['/next', '/redirected', '/twice', '/form', '/opens'].map((name) => home + name), path.join(folder, 'page.html')];
  const results = await Promise.all(places.map(run));
  for (const [index, lines] of results.entries()) assert.deepStrictEqual(lines, ['seen 0 undefined ReadableStreamDefaultReader'], places[index]);
});

test('the window that others hold becomes one of another origin, with nothing of its own', async () => {
  pages[1].set('/opened', `<script>globalThis.secret = 42; opener.postMessage('there', '*'); onmessage = ({ source }) => source.postMessage('heard', '*');</script>`);
  pages[0].set('/', `<script>
    const made = open('${other}/opened');
    const before = [typeof made.document, made.window === made];
    const tries = {
      document: () => made.document, global: () => made.secret, language: () => made.Array, eval: () => made.eval('1'), href: () => made.location.href, set: () => { made.x = 1; }, define: () => Object.defineProperty(made, 'x', { value: 1 }),
      delete: () => delete made.postMessage, prototype: () => Object.setPrototypeOf(made, {}), extend: () => Object.preventExtensions(made), code: () => { made.location = 'javascript:1'; }, in: () => 'document' in made,
      descriptor: () => Object.getOwnPropertyDescriptor(made, 'document'), listen: () => made.addEventListener('x', () => {}), index: () => made[0].document, clone: () => structuredClone(made), strict: () => { 'use strict'; made.document = 1; },
    };
    onmessage = ({ data, source }) => {
      if (data === 'heard') { console.log('heard', source === made); made.close(); console.log('closed', made.closed); return window.close(); }
      console.log(...before, made.window === made, made.self === made, source === made, made.closed, made.opener === window, Object.getPrototypeOf(made), String(made.then));
      console.log(Object.keys(made).length, Reflect.ownKeys(made).filter((key) => typeof key === 'string').toSorted().join());
      for (const name of Object.keys(tries)) {
        let result;
        try { result = 'GOT ' + String(tries[name]()); } catch (error) { result = error.name; }
        console.log(name, result);
      }
      made.postMessage('x', '*');
    };
  </script>`);
  const lines = await run(`${home}/`);
  assert.strictEqual(lines[0], 'object true true true true false true null undefined');
  assert.strictEqual(lines[1], '0 blur,close,closed,focus,frames,length,location,opener,parent,postMessage,self,then,top,window');
  const results = Object.fromEntries(lines.slice(2, -2).map((line) => line.split(' ')));
  for (const name of Object.keys(results)) assert.match(results[name], /^(SecurityError|TypeError|DataCloneError)$/, name);
  assert.strictEqual(Object.keys(results).length, 17);
  assert.deepStrictEqual(lines.slice(-2), ['heard true', 'closed true']);
});

test('the page around and the opener, from another origin', async () => {
  const words = `const around = parent === window ? opener : parent;
    const attempt = (steps) => { try { return String(steps()); } catch (error) { return error.name; } };
    around.postMessage([() => around.window === around, () => around.self === around, () => around.frames === around, () => around.top === around, () => around.length, () => around.frames[0], () => around.document, () => around.closed].map(attempt).join(), '*');`;
  pages[1].set('/around', `<script>${words}</script>`);
  pages[0].set('/', `<body><script>
    let count = 0;
    onmessage = ({ data }) => { console.log(data); if (++count === 1) open('${other}/around'); else window.close(); };
    const frame = document.createElement('iframe');
    frame.src = '${other}/around';
    document.body.append(frame);
  </script>`);
  const lines = await run(`${home}/`);
  assert.deepStrictEqual(lines, Array(2).fill('true,true,true,true,0,SecurityError,SecurityError,false'));
});

test('a frame that goes on to the origin of the page around it is reached, and away again is not', async () => {
  pages[1].set('/framed', `<script>onmessage = () => { location = '${home}/own'; };</script>`);
  pages[0].set('/own', '<script>globalThis.own = 1;</script>');
  pages[0].set('/', `<body><script>
    const frame = document.createElement('iframe');
    let count = 0;
    frame.onload = () => {
      count++;
      console.log(count, frame.contentDocument === null, count === 2 ? frame.contentWindow.own : '');
      if (count === 1) frame.contentWindow.postMessage('go', '*');
      else if (count === 2) frame.contentWindow.location = '${other}/framed';
      else window.close();
    };
    frame.src = '${other}/framed';
    document.body.append(frame);
  </script>`);
  assert.deepStrictEqual(await run(`${home}/`), ['1 true ', '2 false 1', '3 true']);
});
