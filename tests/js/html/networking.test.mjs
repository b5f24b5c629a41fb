// Requests of pages: what an answer says of itself, bodies of the document's kinds, cookies, modules of JSON, requests that are given up, scripted answers, and
// a page of a file that goes on to a server.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const pages = new Map();
const beacons = [];
const handlers = {
  '/redirect': (request, response, query) => response.writeHead(302, { location: query.get('to') }).end(),
  '/echo': (request, response, query, body) => {
    const headers = { 'content-type': 'application/json', 'x-hidden': '1', 'x-shown': '2', 'access-control-expose-headers': 'x-shown' };
    if (query.has('cors')) headers['access-control-allow-origin'] = '*';
    response.writeHead(200, headers).end(JSON.stringify({ method: request.method, headers: request.headers, body }));
  },
  '/cookie': (request, response) => response.writeHead(200, { 'set-cookie': ['seen=1', 'hidden=2; HttpOnly', 'strict=3; SameSite=Strict'] }).end('set'),
  '/asked': (request, response, query) => {
    const headers = { 'access-control-allow-origin': '*' };
    if (query.has('methods')) headers['access-control-allow-methods'] = query.get('methods');
    if (query.has('headers')) headers['access-control-allow-headers'] = query.get('headers');
    response.writeHead(200, headers).end('answer');
  },
  '/never': () => {},
  '/beacon': (request, response, query, body) => {
    beacons.push([request.method, request.headers['content-type'], body]);
    response.end();
  },
};
const serve = () => http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => { body += chunk; }).on('end', () => {
    if (handlers[pathname] !== undefined) return handlers[pathname](request, response, searchParams, body);
    const text = pages.get(pathname);
    const type = pathname.endsWith('.html') ? 'text/html' : pathname.endsWith('.json') ? 'application/json' : 'text/javascript';
    return response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  });
});
const servers = [serve(), serve()];
for (const server of servers) await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const [home, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-networking-'));
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  fs.rmSync(folder, { recursive: true });
});

function run(...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--loop=html', ...args]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => { stdout += chunk; });
    child.stderr.on('data', (chunk) => { stderr += chunk; });
    child.on('close', (code) => resolve({ code, stderr, lines: stdout.trimEnd().split('\n') }));
  });
}
// Runs a module script in a page of the server.
function inPage(script) {
  pages.set('/page.html', `<body><script type="module">const other = ${JSON.stringify(other)};${script}</script>`);
  return run(`${home}/page.html`);
}

test('an answer knows its address, its kind and whether it was redirected', async () => {
  const { lines } = await inPage(`
    const show = (r) => console.log(r.url.replace(location.origin, '').replace(other, 'other'), r.type, r.redirected, r.status, r.ok);
    show(await fetch('/echo#part'));
    show(await fetch('/redirect?to=/echo'));
    show(await fetch(other + '/echo?cors'));
    show(await fetch(other + '/echo', { mode: 'no-cors' }));
    show(await fetch('/redirect?to=/echo', { redirect: 'manual' }));
    show(new Response('x'));
    const made = new Request('echo?x=1', { method: 'POST', body: 'text' });
    console.log(made.url === location.origin + '/echo?x=1', (await (await fetch(made)).json()).body, made.bodyUsed);
    console.log([...(await fetch(other + '/echo?cors')).headers.keys()].join(), (await fetch('/echo')).headers.get('x-hidden'));
    const answer = await fetch('/echo');
    console.log(answer instanceof Response, answer.clone() instanceof Response, answer.clone().url === answer.url, await answer.json() instanceof Object);
    console.log(await (await fetch('/echo')).arrayBuffer() instanceof ArrayBuffer, await (await fetch('/echo')).blob() instanceof Blob);
    try { (await fetch('/echo')).headers.append('a', 'b'); } catch (error) { console.log(error.name); }
  `);
  assert.deepStrictEqual(lines, [
    '/echo basic false 200 true', '/echo basic true 200 true', 'other/echo?cors cors false 200 true', ' opaque false 0 false', '/redirect?to=/echo opaqueredirect false 0 false',
    ' default false 200 true', 'true text true', 'content-type,x-shown 1', 'true true true true', 'true true', 'TypeError',
  ]);
});

test('bodies may be what the document makes', async () => {
  const { lines } = await inPage(`
    const post = async (body) => (await fetch('/echo', { method: 'POST', body })).json();
    const form = new FormData();
    form.append('a', 'ä');
    form.append('f', new File(['hello'], 'x.txt', { type: 'text/plain' }));
    const { headers, body } = await post(form);
    console.log(/^multipart\\/form-data; boundary=/.test(headers['content-type']), body.includes('name="f"; filename="x.txt"'), body.includes('hello'), body.includes('ä'));
    for (const made of [new Blob(['blob'], { type: 'text/css' }), new URLSearchParams('a=1'), 'text', new Uint8Array([65])]) {
      const answer = await post(made);
      console.log(answer.headers['content-type'], answer.body);
    }
    console.log(/^--/.test(await new Response(form).text()), (await (await new Response(form).formData()).get('f').text()));
  `);
  assert.deepStrictEqual(lines, ['true true true true', 'text/css blob', 'application/x-www-form-urlencoded;charset=UTF-8 a=1', 'text/plain;charset=UTF-8 text', 'undefined A', 'true hello']);
});

test('cookies are sent, kept and hidden as they say', async () => {
  const { lines } = await inPage(`
    const sent = async (url, init) => (await (await fetch(url, init)).json()).headers.cookie;
    document.cookie = 'own=0';
    await fetch('/cookie');
    console.log(document.cookie);
    console.log(await sent('/echo'), await sent('/echo', { credentials: 'omit' }), await sent(other + '/echo?cors'));
    const request = new XMLHttpRequest();
    request.open('GET', '/echo', false);
    request.send();
    console.log(JSON.parse(request.responseText).headers.cookie);
  `);
  assert.deepStrictEqual(lines, ['own=0; seen=1; strict=3', 'own=0; seen=1; hidden=2; strict=3 undefined undefined', 'own=0; seen=1; hidden=2; strict=3']);
});

test('modules of JSON', async () => {
  pages.set('/data.json', '{ "list": [1, 2] }');
  pages.set('/text.js', '1');
  pages.set('/broken.json', '{');
  pages.set('/uses.js', "export { default as data } from './data.json' with { type: 'json' };");
  const { lines } = await inPage(`
    import data from './data.json' with { type: 'json' };
    import * as all from './uses.js';
    console.log(data.list.length, data instanceof Object, all.data === data);
    console.log((await import('./data.json', { with: { type: 'json' } })).default === data);
    const failed = (promise) => promise.then(() => console.log('loaded'), (error) => console.log(error.name, error.message.replaceAll(location.origin, '')));
    await failed(import('./data.json'));
    await failed(import('./text.js', { with: { type: 'json' } }));
    await failed(import('./data.json', { with: { type: 'css' } }));
    await failed(import('./absent.js'));
    const classic = document.createElement('script');
    classic.textContent = "import('./data.json', { with: { type: 'json' } }).then((made) => console.log(made.default.list[1]))";
    document.body.append(classic);
  `);
  assert.match(lines[2], /^SyntaxError /);
  assert.deepStrictEqual(lines.toSpliced(2, 1), [
    '2 true true', 'true', 'TypeError Failed to load module /text.js, imported by /page.html: its type is not that of JSON', "TypeError 'css' is not a type of modules",
    'TypeError Failed to load module /absent.js, imported by /page.html: status 404', '2',
  ]);
});

test('what another origin allows is read by the letter', async () => {
  const { lines } = await inPage(`
    const ask = (query, init) => fetch(other + '/asked?' + query, init).then((answer) => answer.text(), () => 'refused').then((text) => console.log(query, text));
    await ask('methods=PATCH', { method: 'PATCH' });
    await ask('methods=patch', { method: 'PATCH' });
    await ask('methods=*', { method: 'PATCH' });
    await ask('methods=PATCH, a b', { method: 'PATCH' });
    await ask('headers=X-Own', { headers: { 'x-own': '1' } });
    await ask('headers=x-own, bad value', { headers: { 'x-own': '1' } });
    await ask('headers=*', { headers: { authorization: '1' } });
  `);
  assert.deepStrictEqual(lines, [
    'methods=PATCH answer', 'methods=patch refused', 'methods=* answer', 'methods=PATCH, a b refused', 'headers=X-Own answer', 'headers=x-own, bad value refused', 'headers=* refused',
  ]);
});

test('the referrer is as the policy says', async () => {
  const { lines } = await inPage(`
    const sent = async (url, init) => console.log((await (await fetch(url, init)).json()).headers.referer?.replace(location.origin, '') ?? 'none');
    for (const referrerPolicy of ['', 'no-referrer', 'origin', 'same-origin', 'unsafe-url']) {
      await sent('/echo', { referrerPolicy });
      await sent(other + '/echo?cors', { referrerPolicy });
    }
    await sent('/echo', { referrer: '' });
    const request = new XMLHttpRequest();
    request.open('GET', location.origin.replace('127.0.0.1', 'name.localhost') + '/echo?cors', false);
    request.send();
    console.log(JSON.parse(request.responseText).headers.referer === location.origin + '/');
  `);
  assert.deepStrictEqual(lines, ['/page.html', '/', 'none', 'none', '/', '/', '/page.html', 'none', '/page.html', '/page.html', 'none', 'true']);
});

test('a request that is given up keeps nobody waiting', { timeout: 60_000 }, async () => {
  const { lines, code } = await inPage(`
    const controller = new AbortController();
    fetch('/never', { signal: controller.signal }).catch((error) => console.log('fetch', error.name));
    const request = new XMLHttpRequest();
    request.open('GET', '/never');
    request.onabort = () => console.log('XMLHttpRequest');
    request.send();
    setTimeout(() => { controller.abort(); request.abort(); }, 20);
  `);
  assert.deepStrictEqual([lines.toSorted(), code], [['XMLHttpRequest', 'fetch AbortError'], 0]);
});

test('scripted answers are the same for fetch and XMLHttpRequest, and need no permission', async () => {
  fs.writeFileSync(path.join(folder, 'route.html'), `<script type="module">
    rondo.route('http://api.test/y', { body: 'scripted', headers: { 'x-own': '1' } });
    const answer = await fetch('http://api.test/y');
    console.log(await answer.text(), answer.headers.get('x-own'));
    const request = new XMLHttpRequest();
    request.open('GET', 'http://api.test/y');
    request.onload = () => console.log(request.responseText, request.getResponseHeader('x-own'));
    request.send();
  </script>`);
  const { lines } = await run(path.join(folder, 'route.html'));
  assert.deepStrictEqual(lines, ['scripted 1', 'scripted 1']);
});

test('navigator.sendBeacon posts what it is given', async () => {
  const { lines } = await inPage(`
    console.log(navigator.sendBeacon('/beacon', 'text'), navigator.sendBeacon('/beacon', new Blob(['{}'], { type: 'text/plain' })), navigator.sendBeacon('/beacon', 'x'.repeat(70000)));
    try { navigator.sendBeacon('data:,'); } catch (error) { console.log(error.name); }
  `);
  assert.deepStrictEqual(lines, ['true true false', 'TypeError']);
  assert.deepStrictEqual(beacons.toSorted(), [['POST', 'text/plain', '{}'], ['POST', 'text/plain;charset=UTF-8', 'text']]);
});

test('a page of a file that goes on to a server leaves its folder behind', async () => {
  fs.writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  const secret = new URL(`file://${folder}/secret.txt`).href;
  pages.set('/thief.html', `<body><script>
    const tried = [];
    const show = () => { if (tried.length === 5) { console.log(tried.toSorted().join()); window.close(); } };
    const add = (text) => { tried.push(text); show(); };
    fetch('${secret}').then((r) => r.text()).then((text) => add('fetch ' + text), () => add('fetch refused'));
    import('${secret}').then(() => add('import'), () => add('import refused'));
    const sync = new XMLHttpRequest();
    try { sync.open('GET', '${secret}', false); sync.send(); add('sync ' + sync.responseText); } catch { add('sync refused'); }
    const frame = document.createElement('iframe');
    frame.onload = () => add('frame ' + frame.contentDocument.body.textContent.trim());
    frame.src = '${secret}';
    document.body.append(frame);
    const blank = document.createElement('iframe');
    document.body.append(blank);
    blank.contentWindow.fetch('${secret}').then(() => add('blank'), () => add('blank refused'));
  </script>`);
  fs.writeFileSync(path.join(folder, 'first.html'), `<script>fetch('secret.txt').then((r) => r.text()).then((text) => { console.log(text); location = '${home}/thief.html'; });</script>`);
  const { lines } = await run(path.join(folder, 'first.html'));
  assert.deepStrictEqual(lines, ['secret', 'blank refused,fetch refused,frame ,import refused,sync refused']);
});
