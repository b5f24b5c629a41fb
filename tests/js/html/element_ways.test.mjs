// Elements that name an address or hold code, of HTML, SVG and MathML, and what else makes documents: a page of a file gets nothing of a file outside of its folder by
// them and runs nothing of it; by an address of another origin nothing runs in the page and nothing is told of it.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-elements-'));
const folder = path.join(root, 'page');
fs.mkdirSync(folder);
const kText = 'globalThis.gotten = "SECRET"; console.log("RAN"); //';
const kData = '{ "SECRET": "console.log(1)" } }{';  // of the server: a script of another origin would run, as everywhere
for (const name of ['outside.js', 'outside.svg', 'outside.css', 'outside.html', 'outside.xsl', 'outside.vtt']) fs.writeFileSync(path.join(root, name), kText);
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x');
  const type = { js: 'text/plain', svg: 'image/svg+xml', css: 'text/plain', html: 'text/plain' }[pathname.split('.')[1]] ?? 'text/html';
  response.writeHead(200, { 'content-type': type, 'server-timing': 'SECRET;dur=42' }).end(pathname === '/' ? pages : kData);
});
let pages = '';
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const port = server.address().port;
after(() => {
  server.closeAllConnections();
  server.close();
  fs.rmSync(root, { recursive: true });
});
const run = (place) => new Promise((resolve) => {
  const child = spawn(process.execPath, ['--loop=html', place]);
  let text = '';
  child.stdout.on('data', (chunk) => { text += chunk; });
  child.on('close', () => resolve(text.trimEnd().split('\n')));
});

// X is the address without the end of its name.
const elements = `
<svg><script href="X.js"></script></svg> | <svg><script xlink:href="X.js"></script></svg> | <svg><use href="X.svg#a"/></svg> | <svg><image href="X.svg"/></svg> | <svg><feImage href="X.svg"/></svg>
<svg><foreignObject><iframe src="X.html"></iframe></foreignObject></svg> | <svg><style>@import url("X.css");</style></svg> | <svg><a href="X.html"><text>x</text></a></svg> | <svg><animate href="X.svg#a"/></svg>
<svg><textPath href="X.svg#a"/></svg> | <svg><filter href="X.svg#a"/></svg> | <math href="X.html"><mi>x</mi></math> | <math><annotation-xml encoding="text/html"><script src="X.js"></script></annotation-xml></math>
<math><mtext><img src="X.svg"></mtext></math> | <math><maction actiontype="statusline" xlink:href="X.html">x</maction></math> | <object data="X.html"></object> | <object data="X.svg" type="image/svg+xml"></object>
<embed src="X.html"> | <embed src="X.svg" type="image/svg+xml"> | <applet code="X.js"></applet> | <link rel="import" href="X.html"> | <link rel="preload" as="script" href="X.js"> | <link rel="prefetch" href="X.js">
<link rel="modulepreload" href="X.js"> | <link rel="manifest" href="X.js"> | <link rel="icon" href="X.svg"> | <link rel="stylesheet" href="X.css"> | <link rel="alternate stylesheet" title="x" href="X.css">
<style>@import url("X.css"); @font-face { font-family: f; src: url("X.js") } i { background: url("X.svg") }</style> | <i style="background: url('X.svg')">x</i> | <body background="X.svg"> | <video poster="X.svg" src="X.js"></video>
<audio src="X.js"></audio> | <video><source src="X.js"><track default src="X.vtt"></video> | <picture><source srcset="X.svg"><img src="X.svg"></picture> | <input type="image" src="X.svg"> | <frameset><frame src="X.html"></frameset>
<portal src="X.html"></portal> | <fencedframe config src="X.html"></fencedframe> | <iframe srcdoc='<script src="X.js"></script>' sandbox="allow-scripts"></iframe> | <iframe src="X.html"></iframe>
<script type="importmap">{ "imports": { "x": "X.js" } }</script><script type="module">import "x"</script> | <script type="speculationrules">{ "prerender": [{ "urls": ["X.html"] }] }</script> | <script type="module" src="X.js"></script>
<script type="webbundle">{ "source": "X.js" }</script> | <table background="X.svg"><tr><td background="X.svg"></table> | <xml src="X.js"></xml> | <bgsound src="X.js"> | <isindex action="X.html"> | <menuitem icon="X.svg">
`.split(/ \| |\n/).map((text) => text.trim()).filter((text) => text !== '');

// Steps that make documents or ask for them. `X` as above.
const steps = `
new DOMParser().parseFromString('<?xml-stylesheet type="text/xsl" href="X.xsl"?><a/>', 'text/xml') | new DOMParser().parseFromString('<!DOCTYPE a [<!ENTITY e SYSTEM "X.js">]><a>&e;</a>', 'text/xml').documentElement.textContent
new DOMParser().parseFromString('<!DOCTYPE a SYSTEM "X.js"><a/>', 'text/xml') | new DOMParser().parseFromString('<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="X.js" parse="text"/>', 'text/xml').documentElement.textContent
new DOMParser().parseFromString('<script src="X.js"></' + 'script>', 'text/html') | new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg"><script href="X.js"/></svg>', 'image/svg+xml')
document.implementation.createHTMLDocument().body.innerHTML = '<img src="X.svg"><script src="X.js"></' + 'script>' | document.createElement('div').innerHTML = '<script src="X.js"></' + 'script>'
document.createRange().createContextualFragment('<script src="X.js"></' + 'script>') | document.createElement('template').innerHTML = '<script src="X.js"></' + 'script>' | new XSLTProcessor() | document.load('X.js')
document.importNode(new DOMParser().parseFromString('<script src="X.js"></' + 'script>', 'text/html').head, true) | new Image().src = 'X.svg' | new Audio('X.js') | new FontFace('x', 'url("X.js")').load() | CSS.paintWorklet.addModule('X.js')
new CSSStyleSheet().replace('@import url("X.css")') | new CSSStyleSheet().replaceSync('@import url("X.css")') | document.createElementNS('http://www.w3.org/2000/svg', 'script').setAttribute('href', 'X.js')
performance.getEntries().map((entry) => entry.toJSON()) | performance.getEntriesByType('resource') | performance.getEntriesByName('X.js') | new PerformanceObserver(() => {}).observe({ type: 'resource', buffered: true })
document.head.append(Object.assign(document.createElement('script'), { src: 'X.js' })) | document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: 'X.js' }))
navigator.serviceWorker.register('X.js') | new Worker('X.js') | new SharedWorker('X.js') | import('X.js') | importScripts('X.js') | document.createEvent('x').load('X.js')
`.split(/ \| |\n/).map((text) => text.trim()).filter((text) => text !== '');

function page(address, isOwn = false) {
  return `<body><script>
    onerror = () => true;
    onunhandledrejection = (event) => event.preventDefault();
    const show = (value) => { try { return JSON.stringify(value) ?? ''; } catch { return ''; } };
    const texts = (node) => { try { return node.documentElement?.outerHTML ?? node.outerHTML ?? String(node); } catch { return ''; } };
    (async () => {
      const ways = ${JSON.stringify([...elements.map((text) => ['element', text]), ...steps.map((text) => ['step', text])]).replaceAll('</', '<\\/')};
      const told = [];
      const added = [];
      for (const [kind, way] of ways) {
        const text = way.replaceAll('X.', '${address}.');
        try {
          if (kind === 'step') {
            const got = new Function('return ' + text)();
            told.push(got);
            got?.then?.((value) => told.push(value), (error) => told.push(error));
          } else {
            const part = document.createRange().createContextualFragment(text);
            const made = [...part.querySelectorAll('*')];
            document.body.append(part);
            added.push(...made);
          }
        } catch {}
      }
      do await new Promise((resolve) => { setTimeout(resolve, 1000); });
      while (${isOwn} && globalThis.gotten === undefined);
      for (const one of added) {
        for (const read of [() => one.contentDocument, () => one.contentWindow.gotten, () => one.sheet.cssRules, () => one.track.cues, () => one.getSVGDocument(), () => one.content]) {
          try { told.push(read()); } catch {}
        }
      }
      for (const value of [...told, ...performance.getEntries()]) if ((show(value) + texts(value)).includes('SEC' + 'RET')) console.log('GOT', show(value).slice(0, 200));
      console.log('done', ways.length, globalThis.gotten, document.documentElement.outerHTML.includes('SEC' + 'RET'));
      window.close();
    })();
  </script></body>`;
}
const expected = [`done ${elements.length + steps.length} undefined false`];

test('nothing of a file outside of the folder', async () => {
  fs.writeFileSync(path.join(folder, 'page.html'), page(`file://${root}/outside`));
  assert.deepStrictEqual(await run(path.join(folder, 'page.html')), expected);
  fs.writeFileSync(path.join(folder, 'near.html'), page('../outside'));
  assert.deepStrictEqual(await run(path.join(folder, 'near.html')), expected);
});

test('nothing of what another origin serves', async () => {
  pages = page(`http://localhost:${port}/outside`);
  assert.deepStrictEqual(await run(`http://127.0.0.1:${port}/`), expected);
});

test('no file for a page of a server', async () => {
  pages = page(`file://${root}/outside`);
  assert.deepStrictEqual(await run(`http://127.0.0.1:${port}/`), expected);
});

test('the ways are some: a file of the folder is run and shown by them', async () => {
  for (const name of fs.readdirSync(root)) if (name.startsWith('outside')) fs.copyFileSync(path.join(root, name), path.join(folder, name.replace('outside', 'inside')));
  fs.writeFileSync(path.join(folder, 'own.html'), page('inside', true));
  const lines = await run(path.join(folder, 'own.html'));
  assert.ok(lines.includes('RAN') && lines.some((line) => line.startsWith('GOT')), lines.join('\n'));
});
