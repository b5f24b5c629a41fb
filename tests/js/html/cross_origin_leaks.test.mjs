// Ways by which bytes of another origin could be told beside the table of the same-origin policy (same_origin_*.test.mjs): errors of scripts, style sheets that are none
// or have left their document, scripted answers, storage of documents without an origin; and what says of which origin something is.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const pages = [new Map(), new Map()];
const asked = [];
const kTypes = { js: 'text/javascript', css: 'text/css', txt: 'text/plain' };
const servers = pages.map((own, index) => http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  asked.push(`${index} ${pathname}`);
  if (pathname === '/to') return response.writeHead(302, { location: searchParams.get('url') }).end();
  const type = kTypes[pathname.split('.')[1]] ?? 'text/html';
  return response.writeHead(own.has(pathname) ? 200 : 404, { 'content-type': type }).end(own.get(pathname));
}));
for (const server of servers) await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const [home, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-leaks-'));
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  fs.rmSync(folder, { recursive: true });
});
const run = (place, { options = [], env = {} } = {}) => new Promise((resolve) => {
  const child = spawn(process.execPath, ['--loop=html', ...options, place], { env: { ...process.env, ...env } });
  let stdout = '';
  child.stdout.on('data', (chunk) => { stdout += chunk; });
  child.on('close', () => resolve(stdout.trimEnd().split('\n')));
});

test('errors of scripts of another origin tell nothing', async () => {
  const scripts = { 'name.js': 'SECRETWORD', 'text.js': 'SECRET{x: WORD HERE', 'thrown.js': 'throw new Error("SECRET")', 'rejected.js': 'Promise.reject(new Error("SECRET"))', 'object.js': 'throw { SECRET: 1 }' };
  for (const name of Object.keys(scripts)) pages[1].set(`/${name}`, scripts[name]);
  const names = Object.keys(scripts);
  pages[0].set('/worker.js', `
    addEventListener('unhandledrejection', (event) => { event.preventDefault(); });
    for (const name of ${JSON.stringify(names)}) {
      for (const address of ['${other}/' + name, '/to?url=${other}/' + name]) {
        try { importScripts(address); console.log('ran'); } catch (error) { console.log(error.name, Object.keys(error).length, String(error.stack + error.message).includes('SECRET')); }
      }
    }
    close();`);
  pages[0].set('/', `<script>
    onerror = (...all) => { console.log('error', JSON.stringify(all)); return true; };
    addEventListener('unhandledrejection', (event) => { console.log('rejection', String(event.reason)); event.preventDefault(); });
    </script>${names.map((name) => `<script src="${other}/${name}"></script><script src="/to?url=${other}/${name}"></script>`).join('')}<script>new Worker('/worker.js')</script>`);
  const lines = await run(`${home}/`);
  assert.strictEqual(lines.filter((line) => line === 'error ["Script error.","",0,0,null]').length, 8);
  assert.strictEqual(lines.filter((line) => line === 'NetworkError 0 false').length, 8);
  assert.ok(!lines.some((line) => /SECRET|rejection/.test(line)), lines.join('\n'));
});

test('style sheets of another origin: none of another type, and no rules, also away from the document', async () => {
  pages[1].set('/data.txt', '{}\np { color: rgb(9, 9, 9); font-family: "SECRET" }');
  pages[1].set('/sheet.css', 'p { background-color: rgb(1, 2, 3) }');
  pages[0].set('/imports.css', `@import url("${other}/sheet.css"); p { margin: 0 }`);
  pages[0].set('/own.txt', 'p { border-color: rgb(4, 5, 6) }');
  pages[0].set('/', `<body><p id=p>x</p><link rel=stylesheet href="${other}/data.txt"><link rel=stylesheet href="/to?url=${other}/data.txt"><style>@import url("${other}/data.txt");</style>
    <link rel=stylesheet href="/own.txt"><link id=l rel=stylesheet href="${other}/sheet.css"><link id=i rel=stylesheet href="/imports.css"><script>
    addEventListener('load', () => {
      const { color, fontFamily, backgroundColor } = getComputedStyle(p);
      console.log(color, fontFamily.includes('SECRET'), backgroundColor);
      const attempt = (steps) => { try { return String(steps()); } catch (error) { return error.name; } };
      const { sheet } = l;
      console.log(attempt(() => sheet.cssRules.length), attempt(() => sheet.insertRule('a {}')));
      l.remove();
      console.log(attempt(() => sheet.cssRules.length), attempt(() => sheet.rules.length), attempt(() => sheet.deleteRule(0)));
      console.log(i.sheet.cssRules.length, attempt(() => i.sheet.cssRules[0].styleSheet?.cssRules.length ?? 'SecurityError'));
      window.close();
    });
    </script>`);
  assert.deepStrictEqual(await run(`${home}/`), ['rgb(0, 0, 0) false rgb(1, 2, 3)', 'SecurityError SecurityError', 'SecurityError SecurityError SecurityError', '2 SecurityError']);
});

test('scripted answers are for the requests of the page that scripts them, never for a page of another origin', async () => {
  pages[1].set('/account', `<script>console.log('the real page', origin)</script>`);
  pages[1].set('/data.txt', 'real');
  pages[0].set('/', `<script>
    rondo.route('${other}/account', '<script>console.log("FORGED", origin)</' + 'script>');
    rondo.route('${other}/data.txt', 'scripted');
    rondo.route('/own', '<script>console.log("scripted page", origin)</' + 'script>');
    (async () => {
      console.log(await (await fetch('${other}/data.txt')).text());
      const show = (url) => new Promise((resolve) => { const frame = document.createElement('iframe'); frame.onload = resolve; frame.src = url; document.body.append(frame); });
      await show('/own');
      await show('${other}/account');
      await new Promise((resolve) => { const made = open('${other}/account'); setTimeout(resolve, 500); });
      location = '${other}/account';
    })();
  </script><body>`);
  const lines = (await run(`${home}/`)).map((line) => line.replace(home, 'home').replace(other, 'other'));
  assert.deepStrictEqual(lines, ['scripted', 'scripted page home', ...Array(3).fill('the real page other')]);
});

test('node:test is for pages of files', async () => {
  pages[0].set('/', '<script>console.log(typeof test, typeof assert, typeof mock)</script>');
  assert.deepStrictEqual(await run(`${home}/`, { env: { NODE_TEST_CONTEXT: 'child' } }), ['undefined undefined undefined']);
});

test('a document without an origin has no storage, and keeps none', async () => {
  const storage = path.join(folder, 'storage');
  const words = `<script>
    const attempt = (steps) => { try { steps(); return 'done'; } catch (error) { return error.name; } };
    parent.postMessage([attempt(() => localStorage), attempt(() => indexedDB.open('x')), attempt(() => indexedDB.deleteDatabase('x')), attempt(() => document.cookie = 'a=b')].join(), '*');</script>`;
  pages[0].set('/boxed', words);
  pages[0].set('/', `<body><script>
    const heard = [];
    onmessage = ({ data }) => { if (heard.push(data) === 2) { console.log(heard.join(' ')); localStorage.setItem('own', 1); window.close(); } };
    for (const make of [(frame) => { frame.src = 'data:text/html,' + encodeURIComponent(${JSON.stringify(words).replaceAll('</script', '<\\/script')}); }, (frame) => { frame.sandbox = 'allow-scripts'; frame.src = '/boxed'; }]) {
      const frame = document.createElement('iframe');
      make(frame);
      document.body.append(frame);
    }
  </script>`);
  const refused = Array(4).fill('SecurityError').join();
  assert.deepStrictEqual(await run(`${home}/`, { options: [`--storage=${storage}`] }), [`${refused} ${refused}`]);
  assert.deepStrictEqual(fs.readdirSync(storage), [encodeURIComponent(home)]);
});

test('Origin, originAgentCluster and document.domain', async () => {
  pages[1].set('/framed', "<script>parent.postMessage('x', '*')</script>");
  pages[0].set('/', `<body><a id=link href="https://x.a.example/p"></a><script>
    const attempt = (steps) => { try { return String(steps()); } catch (error) { return error.name; } };
    const { from } = Origin;
    console.log([() => from(window).opaque, () => from('https://a.example').isSameSite(from(link)), () => from('https://a.example').isSameOrigin(from(link)), () => from(new URL('http://a.example')).isSameSite(from('https://a.example')),
      () => from('data:,').opaque, () => from('data:,').isSameOrigin(from('data:,')), () => new Origin().opaque, () => from(from(window)).isSameOrigin(from(location.href))].map(attempt).join());
    console.log([() => from(1), () => from({}), () => from('x'), () => from(location), () => from(new MessageEvent('x', { origin })), () => Origin.prototype.opaque, () => new Origin().isSameOrigin({})].map(attempt).join());
    console.log(originAgentCluster, document.domain, Object.prototype.toString.call(new Origin()), Origin instanceof Function, attempt(() => { document.domain = '127.0.0.1'; return document.domain; }),
      ['0.0.1', '', 'com', 'example.com'].map((text) => attempt(() => { document.domain = text; })).join());
    const frame = document.createElement('iframe');
    onmessage = (event) => { console.log(attempt(() => from(event).isSameOrigin(from('${other}'))), attempt(() => from(frame.contentWindow)), attempt(() => new Document().domain = 'x')); window.close(); };
    frame.src = '${other}/framed';
    document.body.append(frame);
  </script>`);
  assert.deepStrictEqual(await run(`${home}/`), [
    'false,true,false,false,true,false,true,true', Array(7).fill('TypeError').join(), `true 127.0.0.1 [object Origin] true 127.0.0.1 ${Array(4).fill('SecurityError').join()}`, 'true TypeError SecurityError',
  ]);
});

test('a page reaches no debugger: not of its own process, not of another', async () => {
  const debugged = spawn(process.execPath, ['--inspect=127.0.0.1:0', '-e', 'setInterval(() => {}, 1e9)'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve) => {
    let text = '';
    debugged.stderr.on('data', (chunk) => {
      text += chunk;
      const found = /ws:\/\/([\d.]+:\d+)\/[\w-]+/.exec(text);
      if (found !== null) resolve(found[1]);
    });
  });
  pages[0].set('/', `<script>
    const ways = [
      async () => (await fetch('http://${address}/json/list')).text(), async () => (await fetch('http://${address}/json/list', { mode: 'no-cors' })).text(), async () => (await fetch('http://${address}/json/version', { method: 'PUT' })).text(),
      () => new Promise((resolve) => { const r = new XMLHttpRequest(); r.open('GET', 'http://${address}/json', false); r.send(); resolve(r.responseText); }),
      () => new Promise((resolve) => { const frame = document.createElement('iframe'); frame.onload = () => resolve(frame.contentDocument?.body.textContent ?? ''); frame.src = 'http://${address}/json/list'; document.documentElement.append(frame); }),
      () => new Promise((resolve) => { const script = document.createElement('script'); script.onerror = script.onload = () => resolve(''); onerror = (text) => { resolve(text === 'Script error.' ? '' : text); return true; }; script.src = 'http://${address}/json/list'; document.documentElement.append(script); }),
      ...['/', '/x', '/00000000-0000-4000-8000-000000000000', '/json/list'].map((place) => () => new Promise((resolve) => { const socket = new WebSocket('ws://${address}' + place); socket.onopen = () => resolve('OPEN'); socket.onerror = () => resolve(''); })),
      async () => [typeof inspector, typeof Debugger, typeof process].filter((word) => word !== 'undefined').join(),
    ];
    (async () => {
      for (const [index, way] of ways.entries()) {
        const text = await way().catch(() => '');
        if (text !== '') console.log('GOT', index, text.slice(0, 60));
      }
      console.log('done', ways.length);
      window.close();
    })();
  </script>`);
  const lines = await run(`${home}/`, { options: ['--inspect=127.0.0.1:0'] });
  debugged.kill();
  assert.deepStrictEqual(lines, ['done 11']);
});
