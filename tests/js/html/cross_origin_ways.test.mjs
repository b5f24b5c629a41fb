// Ways around the same-origin policy that begin at small print: `javascript:` addresses for windows of another origin by every element that can navigate, headers
// that are safe with CORS only, names of cookies that promise something, redirects that change methods and carry names.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import http from 'node:http';
import { after, test } from 'node:test';

const pages = [new Map(), new Map()];
const asked = [];
const servers = pages.map((own, index) => http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  asked.push({ index, pathname, searchParams, method: request.method, headers: request.headers });
  response.setHeader('cache-control', 'no-store');
  for (const name of ['access-control-allow-origin', 'access-control-allow-headers', 'access-control-allow-credentials', 'access-control-max-age', 'set-cookie'])
    if (searchParams.has(name)) response.setHeader(name, searchParams.getAll(name));
  if (searchParams.has('to')) return response.writeHead(+(searchParams.get('status') ?? 302), { location: searchParams.get('to') }).end();
  const type = pathname.endsWith('.js') ? 'text/javascript' : pathname.endsWith('.stream') ? 'text/event-stream' : 'text/html';
  return response.writeHead(own.has(pathname) ? 200 : 404, { 'content-type': type }).end(own.get(pathname));
}));
for (const server of servers) await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const [home, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
const run = (place, options = []) => new Promise((resolve) => {
  const child = spawn(process.execPath, ['--loop=html', ...options, place]);
  let stdout = '';
  child.stdout.on('data', (chunk) => { stdout += chunk; });
  child.on('close', () => resolve(stdout.trimEnd().split('\n')));
});

// What a page tries on a window `name`, or on its parent or opener: `code` tells the server of the home origin whose realm it ran in.
const code = (way) => `javascript:void fetch('${home}/ran?access-control-allow-origin=*&way=${encodeURIComponent(way)}&origin='+origin)`;
const ways = {
  'location =': (window) => `${window}.location = JS`,
  'location.href =': (window) => `${window}.location.href = JS`,
  'location.replace': (window) => `${window}.location.replace(JS)`,
  open: (window, name) => `open(JS, '${name}')`,
  link: (window, name) => `make('a', { href: JS, target: '${name}' }).click()`,
  area: (window, name) => `make('area', { href: JS, target: '${name}' }).click()`,
  'link by base': (window, name) => `make('base', { target: '${name}' }); make('a', { href: JS }).click(); document.querySelector('base').remove()`,
  form: (window, name) => `make('form', { action: JS, target: '${name}' }).submit()`,
  'form posts': (window, name) => `make('form', { action: JS, method: 'post', target: '${name}' }).submit()`,
  formaction: (window, name) => `{ const form = make('form', { target: '${name}' }); const button = document.createElement('button'); button.setAttribute('formaction', JS); form.append(button); button.click(); }`,
  formtarget: (window, name) => `{ const form = make('form', { action: JS }); const button = document.createElement('button'); button.setAttribute('formtarget', '${name}'); form.append(button); form.requestSubmit(button); }`,
  'with blanks': (window) => `${window}.location = ' \\t' + JS.replace('javascript', 'java\\nscript')`,
  'by another case': (window) => `${window}.location = JS.replace('javascript', 'JaVaScRiPt')`,
  'by a method of its own': (window) => `Object.getOwnPropertyDescriptor(location, 'href').set.call(${window}.location, JS)`,
};
const tries = (window, name, from) => `{
  const make = (tag, attributes) => { const made = document.createElement(tag); for (const name in attributes) made.setAttribute(name, attributes[name]); document.body.append(made); return made; };
  ${Object.keys(ways).map((way) => `try { const JS = ${JSON.stringify(code(`${from} ${way}`))}; ${ways[way](window, name)}; } catch {}`).join('\n')}
}`;

test('no window of another origin takes a javascript: address: downwards, upwards and from an opened window', async () => {
  pages[1].set('/framed', '<body>framed');
  pages[1].set('/climbs', `<body><script>${tries('parent', '_parent', 'parent')} ${tries('top', '_top', 'top')} parent.postMessage('over', '*');</script>`);
  pages[1].set('/opened', `<body><script>${tries('opener', 'openername', 'opener')} opener.postMessage('over', '*');</script>`);
  pages[0].set('/', `<body><script>
    window.name = 'openername';
    const over = () => new Promise((resolve) => { addEventListener('message', resolve, { once: true }); });
    const frame = (url) => new Promise((resolve) => { const made = document.createElement('iframe'); made.name = 'down'; made.onload = () => resolve(made); made.src = url; document.body.append(made); });
    (async () => {
      const inner = (await frame('${other}/framed')).contentWindow;
      ${tries('inner', 'down', 'down')}
      inner.close?.();
      let heard = over();
      frame('${other}/climbs');
      await heard;
      heard = over();
      open('${other}/opened');
      await heard;
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      console.log('whole');
      ${tries('window', '_self', 'self').replaceAll('window.location', 'location')}
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      window.close();
    })();
  </script>`);
  asked.length = 0;
  assert.deepStrictEqual(await run(`${home}/`), ['whole']);
  const ran = asked.filter(({ pathname }) => pathname === '/ran').map(({ searchParams }) => searchParams.get('way').split(' ')[0]);
  assert.ok(ran.length > 0 && ran.every((way) => way === 'self'), `${ran}`);
});

test('headers that need CORS are in no request without it, and many of them need a preflight', async () => {
  pages[0].set('/', `<script>(async () => {
    const target = '${other}/target?access-control-allow-origin=*';
    const ask = (way, headers, mode, method = 'GET') => fetch(target + '&way=' + way, { mode, method, headers }).then(() => way, () => way + ' refused').then((text) => console.log(text));
    await ask('range', { Range: 'bytes=0-1', Accept: 'text/x' }, 'no-cors');
    await ask('unsafe', { 'X-Own': 1, Authorization: 'x', 'Content-Type': 'application/json', 'Accept-Language': 'a"b' }, 'no-cors', 'POST');
    await ask('long', { Accept: 'a'.repeat(129) }, 'no-cors');
    await ask('type', { 'Content-Type': 'text/plain; x="y"' }, 'cors', 'POST');
    await ask('parsed', { 'Content-Type': 'text/plain, application/json' }, 'cors', 'POST');
    await ask('whole', { Accept: 'a'.repeat(128) }, 'cors');
    await ask('many', [...Array(9)].map(() => ['Accept', 'a'.repeat(120)]), 'cors');
    await ask('ranged', { Range: 'bytes=5-2' }, 'cors');
    await ask('ranges', { Range: 'bytes=0-1,3-4' }, 'cors');
    await ask('method', {}, 'no-cors', 'PUT');
    for (const name of ['Cookie', 'Host', 'Origin', 'Referer', 'Sec-X', 'Proxy-X', 'Set-Cookie', 'Connection', 'X-HTTP-Method-Override'])
      await ask('forbidden', { [name]: 'trace' }, 'cors');
    window.close();
  })()</script>`);
  asked.length = 0;
  const lines = await run(`${home}/`);
  const at = (way, method) => asked.filter(({ searchParams, method: own }) => searchParams.get('way') === way && (method === undefined || own === method));
  assert.deepStrictEqual(lines, ['range', 'unsafe', 'long', 'type refused', 'parsed refused', 'whole', 'many refused', 'ranged refused', 'ranges refused', 'method refused', ...Array(9).fill('forbidden')]);
  assert.strictEqual(at('range')[0].headers.range, undefined);
  assert.strictEqual(at('range')[0].headers.accept, 'text/x');
  const { headers } = at('unsafe')[0];
  assert.deepStrictEqual([headers['x-own'], headers.authorization, headers['content-type'], headers['accept-language']], [undefined, undefined, undefined, '*']);
  assert.strictEqual(at('long')[0].headers.accept, '*/*');
  for (const way of ['type', 'parsed', 'many', 'ranged', 'ranges']) assert.deepStrictEqual(at(way).map(({ method }) => method), ['OPTIONS'], way);
  assert.ok(at('forbidden').every(({ method, headers: sent }) => method === 'GET' && !Object.values(sent).includes('trace')));
});

test('cookies whose names promise something are held to it, whoever sets them', async () => {
  const served = ['__Host-a=1', '__Secure-b=1', '__HOST-c=1', '__secure-d=1', '=__Host-e=1', '=__Secure-f=1', '__Host-g=1; Secure; Path=/; Domain=127.0.0.1', '__Host-h=1; Secure; Path=/x', '__Host-j', '__HOST-k=1; secure ; path = /', '__Secure-i=1; Secure; Path=/', 'plain=1'];
  pages[0].set('/', `<script>(async () => {
    await fetch('/?' + ${JSON.stringify(new URLSearchParams(served.map((text) => ['set-cookie', text])).toString())});
    for (const text of ${JSON.stringify(served)}) document.cookie = text.replace(/[a-z](?==1)/, (letter) => letter + letter);
    document.cookie = 'hidden=1; HttpOnly';
    document.cookie = 'foreign=1; Domain=example.com';
    document.cookie = 'wide=1; Domain=com';
    console.log(document.cookie.split('; ').sort().join());
    await fetch('/sent');
    window.close();
  })()</script>`);
  asked.length = 0;
  const lines = await run(`${home}/`);
  const kept = ['__HOST-k', '__HOST-kk', '__Secure-i', '__Secure-ii', 'plain', 'plainn'].map((name) => `${name}=1`);
  assert.deepStrictEqual(lines, [kept.join()]);
  assert.deepStrictEqual(asked.find(({ pathname }) => pathname === '/sent').headers.cookie.split('; ').sort(), kept);
});

test('a redirect carries no name and no body where it may not', async () => {
  const to = (index, place, more = '') => encodeURIComponent(`${[home, other][index]}${place}${more}`);
  pages[1].set('/to', '');
  pages[0].set('/', `<script>(async () => {
    const ask = (way, url, init) => fetch(url, init).then(async (answer) => way + ' ' + answer.type + ' ' + answer.url.length, () => way + ' refused').then((text) => console.log(text.split(' ').slice(0, 2).join(' ')));
    const allowing = encodeURIComponent('?access-control-allow-origin=*&access-control-allow-headers=authorization,x-own');
    await ask('authorization', '/hop?to=${to(1, '/name')}' + allowing, { headers: { authorization: 'secret' } });
    await ask('credentials', '/hop?to=' + encodeURIComponent('${other.replace('//', '//user:pass@')}/named'));
    for (const status of [301, 302, 303, 307, 308]) await ask(status, '/hop?status=' + status + '&to=${to(1, '/body')}' + allowing + '%26status=' + status, { method: 'POST', body: 'secret', headers: { 'content-type': 'text/plain' } });
    await ask('back', '${other}/hop?access-control-allow-origin=*&to=${to(0, '/back')}');
    await ask('data', '/hop?to=data:text/plain,x');
    await ask('blob', '/hop?to=' + encodeURIComponent(URL.createObjectURL(new Blob(['x']))));
    await ask('file', '/hop?to=file:///etc/passwd');
    await ask('script', '/hop?to=javascript:1');
    await new Promise((resolve) => { const source = new EventSource('/hop?to=${to(1, '/x.stream')}'); source.onerror = () => { console.log('EventSource', source.readyState); source.close(); resolve(); }; source.onopen = () => { console.log('OPEN'); resolve(); }; });
    await new Promise((resolve) => { const socket = new WebSocket('${home.replace('http', 'ws')}/hop?to=${to(1, '/socket')}'); socket.onerror = () => { console.log('WebSocket refused'); resolve(); }; });
    try { new Request('/', { mode: 'navigate' }); console.log('NAVIGATE'); } catch (error) { console.log(error.name); }
    await fetch('${other.replace('//', '//user:pass@')}/').catch((error) => console.log(error.name));
    window.close();
  })()</script>`);
  asked.length = 0;
  const lines = await run(`${home}/`);
  assert.deepStrictEqual(lines, [
    'authorization cors', 'credentials refused', '301 cors', '302 cors', '303 cors', '307 cors', '308 cors', 'back refused', 'data refused', 'blob refused', 'file refused', 'script refused',
    'EventSource 2', 'WebSocket refused', 'TypeError', 'TypeError',
  ]);
  const only = (place) => asked.filter(({ pathname }) => pathname === place);
  assert.deepStrictEqual(only('/name').map(({ headers }) => headers.authorization), [undefined]);
  assert.deepStrictEqual([only('/named'), only('/socket')], [[], []]);
  assert.deepStrictEqual(only('/body').map(({ method, headers }) => `${method} ${headers['content-length']} ${headers['content-type']}`), [
    ...Array(3).fill('GET undefined undefined'), ...Array(2).fill('POST 6 text/plain'),
  ]);
  assert.deepStrictEqual(only('/back').map(({ headers }) => [headers.origin, headers.referer]), [['null', `${home}/`]]);
});
