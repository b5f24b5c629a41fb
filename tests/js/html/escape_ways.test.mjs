// Ways out that need no other realm: files outside of a page's folder, members of a window of another origin, and classes of the page's that the library might
// use. Each row is refused.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-ways-'));
const folder = path.join(root, 'page');
fs.mkdirSync(path.join(folder, 'sub'), { recursive: true });
fs.mkdirSync(path.join(root, 'page-beside'));
for (const name of ['outside.txt', 'page-beside/outside.txt']) fs.writeFileSync(path.join(root, name), 'SECRET');
fs.symlinkSync(path.join(root, 'outside.txt'), path.join(folder, 'link.txt'));
fs.symlinkSync(root, path.join(folder, 'up'));
fs.writeFileSync(path.join(folder, 'inside.txt'), 'INSIDE');

const servers = [0, 1].map((number) => http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  if (pathname === '/redirect') return response.writeHead(302, { location: searchParams.get('to') }).end();
  const text = pages.get(pathname) ?? (number === 1 ? 'SECRET' : 'own');
  return response.writeHead(200, { 'content-type': pathname.endsWith('.js') ? 'text/javascript' : pathname === '/secret' ? 'text/plain' : 'text/html' }).end(text);
}));
const pages = new Map();
for (const server of servers) await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const [home, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  fs.rmSync(root, { recursive: true });
});

function run(place) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--loop=html', place]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => { stdout += chunk; });
    child.stderr.on('data', (chunk) => { stderr += chunk; });
    child.on('close', () => resolve({ stdout, stderr }));
  });
}

const outside = `file://${root}/outside.txt`;
const addresses = [
  outside, '../outside.txt', './../outside.txt', 'sub/../../outside.txt', '..%2foutside.txt', '%2e%2e/outside.txt', '%2e%2e%2foutside.txt', '.%2e/outside.txt', '..\\outside.txt',
  'link.txt', 'up/outside.txt', 'up/page-beside/outside.txt', `file://localhost${root}/outside.txt`, `file:${root}/outside.txt`, `file:////${root}/outside.txt`, `FILE://${root}/outside.txt`,
  '../page-beside/outside.txt', `file://${root}/page/../outside.txt`, `file://${root}/page/%2e%2e/outside.txt`, `file:///proc/self/root${root}/outside.txt`, `file:///proc/self/cwd/../outside.txt`,
  `file:///dev/fd/../../${root}/outside.txt`, `${outside}?query`, `${outside}#fragment`, `blob:null/${outside}`, `view-source:${outside}`, `jar:${outside}!/`, `filesystem:${outside}`,
  `${home}/redirect?to=${encodeURIComponent(outside)}`, `${outside}%00.html`, '//../outside.txt', `file://${root}//outside.txt`,
];

test('no file outside of the folder, in no spelling', async () => {
  fs.writeFileSync(path.join(folder, 'worker.js'), "onmessage = ({ data }) => fetch(data).then((r) => r.text()).then(postMessage, () => postMessage('refused'));");
  fs.writeFileSync(path.join(folder, 'files.html'), `<body><script>
    const addresses = ${JSON.stringify(addresses)};
    const ways = {
      fetch: async (url) => (await fetch(url)).text(),
      XMLHttpRequest: (url) => new Promise((resolve) => { const r = new XMLHttpRequest(); r.open('GET', url); r.onload = () => resolve(r.responseText); r.onerror = () => resolve(''); r.send(); }),
      synchronous: (url) => { const r = new XMLHttpRequest(); r.open('GET', url, false); r.send(); return r.responseText; },
      import: async (url) => JSON.stringify(await import(url)),
      frame: (url) => new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => { let text = ''; try { text = frame.contentDocument?.documentElement?.textContent ?? ''; } catch {} frame.remove(); resolve(text); };
        frame.src = url;
        document.body.append(frame);
      }),
    };
    (async () => {
      let tried = 0;
      for (const url of addresses) {
        for (const name of Object.keys(ways)) {
          tried++;
          try {
            const text = await Promise.race([ways[name](url), new Promise((resolve) => { setTimeout(resolve, 5000, 'silent'); })]);
            if (String(text).includes('SECRET')) console.log('GOT', name, url);
          } catch {}
        }
      }
      console.log('inside', await ways.fetch('inside.txt'), tried);
      window.close();
    })();
  </script>`);
  const { stdout } = await run(path.join(folder, 'files.html'));
  assert.strictEqual(stdout, `inside INSIDE ${addresses.length * 5}\n`);
});

// Of the window of another origin in `w`. Its few functions are made for who asks, in the realm of who asks.
const members = `
w.document | w.document.body | w.eval('1') | w.Function('return 1')() | w.constructor.constructor('return 1')() | w.fetch | w.localStorage | w.location.href | w.location.toString()
w.location.origin | w.location.assign | w.name | w.history | w.navigator | w.XMLHttpRequest | w.secret | w['secret'] | Object.getOwnPropertyDescriptor(w, 'secret').value
Object.getOwnPropertyDescriptor(w, 'document').value | Reflect.get(w, 'document') | w.__proto__.constructor | foreign(w.postMessage.constructor('return document')(), document) | foreign(w.postMessage.__proto__, Function.prototype)
foreign(w.close.constructor('return this')(), globalThis) | w.frames[0].document | w.self.document | w.window.secret | w.top.secret.x | w.parent.secret.x | w.secret = 1 | Object.defineProperty(w, 'x', { value: 1 })
Object.setPrototypeOf(w, {}).x.y | delete w.postMessage.x && w.secret | w.setTimeout('1') | w.alert | w.open | w.opener.secret.x | new w.Image() | w.crypto | w.indexedDB | w.onmessage = () => {}
with_(w) | JSON.stringify(w.document) | structuredClone(w) | w.postMessage(w, '*') | Object.keys(w).secret.x | w.addEventListener('message', () => {}) | w.dispatchEvent(new Event('x')) | w.customElements
`.split(/[|\n]/).map((text) => text.trim()).filter((text) => text !== '');

test('a window of another origin shows nothing', async () => {
  pages.set('/framed', '<script>globalThis.secret = 42;</script>SECRET');
  pages.set('/members.html', `<body><script>
    const members = ${JSON.stringify(members)};
    const with_ = new Function('w', 'with (w) { return secret; }');
    globalThis.foreign = (value, own) => (value === own ? undefined : value);
    const frame = document.createElement('iframe');
    frame.onload = () => {
      const w = frame.contentWindow;
      for (const text of members) {
        try {
          const value = new Function('w', 'with_', '"use strict"; return (' + text + ')')(w, with_);
          if (value !== undefined && value !== null) console.log('GOT', text, String(value).slice(0, 60));
        } catch (error) {
          if (!(error instanceof Error) && error.name !== 'EvalError') console.log('a foreign error', text, error.name);
        }
      }
      console.log('done', members.length, frame.contentDocument);
      window.close();
    };
    frame.src = '${other}/framed';
    document.body.append(frame);
  </script>`);
  const { stdout } = await run(`${home}/members.html`);
  assert.strictEqual(stdout, `done ${members.length} null\n`);
});

// Functions that a page replaces before it asks another origin: the library must not use them.
const replaced = `
Object.defineProperty(URL.prototype, 'origin', { get: () => home }) | Object.defineProperty(URL.prototype, 'href', { get: () => home }) | Object.defineProperty(URL.prototype, 'protocol', { get: () => 'data:' })
URL.prototype.toString = () => home | URL.canParse = () => true | globalThis.URL = class { origin = home; href = home; protocol = 'blob:' } | Response.prototype.arrayBuffer = function() { got(this); }
Response.prototype.text = function() { got(this); } | Object.defineProperty(Response.prototype, 'body', { get() { got(this); } }) | Object.defineProperty(Response.prototype, 'type', { get: () => 'basic' })
Headers.prototype.get = () => '*' | Headers.prototype[Symbol.iterator] = function* () { yield ['access-control-allow-origin', '*']; } | Headers.prototype.has = () => true
Object.defineProperty(Request.prototype, 'mode', { get: () => 'navigate' }) | Object.defineProperty(Request.prototype, 'mode', { get: () => 'no-cors' }) | Object.defineProperty(Request.prototype, 'url', { get: () => other + '/secret' })
String.prototype.startsWith = () => true | RegExp.prototype.test = () => true | RegExp.prototype.exec = () => [] | Array.prototype.includes = () => true | Array.prototype.find = () => ['access-control-allow-origin', '*']
Array.prototype.filter = function() { got(this); return this; } | Array.prototype[Symbol.iterator] = function* () { got(this); } | Object.prototype.origin = home | Object.prototype.mode = 'navigate' | Object.prototype.isTainted = false
Map.prototype.get = () => home | Promise.prototype.then = function() { got(this); } | globalThis.origin = other | Object.prototype.get = function() { got(this); } | Function.prototype.call = function() { got(this); }
`.split(/[|\n]/).map((text) => text.trim()).filter((text) => text !== '');

test('classes that a page has replaced take part in no request of the library', { timeout: 120_000 }, async () => {
  const program = (index) => `
    const home = ${JSON.stringify(home)}, other = ${JSON.stringify(other)};
    const say = console.log.bind(console);
    let wasGiven = false;
    const { Response: Kind } = globalThis;
    const got = (value) => { if (value instanceof Kind && value.url !== '' && !value.url.includes(home)) wasGiven = true; };
    const ask = fetch;
    const read = Kind.prototype.text;
    const { apply } = Reflect;
    try { ${replaced[index]}; } catch {}
    (async () => {
      let text = 'refused';
      try { const answer = await ask(other + '/secret'); text = await apply(read, answer, []); } catch {}
      say(${index}, text === 'SECRET' ? 'GOT' : 'refused', wasGiven);
    })();`;
  for (let index = 0; index < replaced.length; index++) pages.set(`/poison${index}.js`, program(index));
  // Four at a time: an agent each. What breaks the page's own promises says nothing.
  const results = [];
  for (let first = 0; first < replaced.length; first += 4) {
    const numbers = replaced.slice(first, first + 4).map((text, i) => first + i);
    pages.set('/poison.html', numbers.map((index) => `<script>new Worker('/poison${index}.js')</script>`).join(''));
    results.push(...(await run(`${home}/poison.html`)).stdout.trim().split('\n').filter((line) => line !== ''));
  }
  for (const line of results) assert.match(line, /^\d+ refused false$/, replaced[parseInt(line)]);
  assert.ok(results.length > replaced.length * 0.8, `${results.length} answers`);
});
