// A window whose frame was removed or has navigated, that was closed, or that was reloaded is collected, whatever it had begun: timers, observers,
// channels, workers, databases.
import assert from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const kTimes = 20;
// A kind that leaks keeps all of its windows. The engine takes whatever lies on its stack for references, and caches name the last window that they
// were used for, so that a few may stay.
const kMayStay = kTimes / 2;

const kBusyScript = `
  setInterval(() => {}, 10);
  requestAnimationFrame(function again() { requestAnimationFrame(again); });
  requestIdleCallback(() => {});
  addEventListener('click', () => {});
  new MutationObserver(() => {}).observe(document, { childList: true, subtree: true });
  new ResizeObserver(() => {}).observe(document.body);
  new PerformanceObserver(() => {}).observe({ entryTypes: ['mark'] });
  performance.mark('a');
  new BroadcastChannel('b').onmessage = () => {};
  new MessageChannel().port1.onmessage = () => {};
  matchMedia('(min-width: 1px)').onchange = () => {};
  getComputedStyle(document.body).color;
  URL.createObjectURL(new Blob(['x']));
  document.body.append('x');`;

const kPage = `<body><script>
const refs = {};
const note = (kind, window) => { (refs[kind] ??= []).push(new WeakRef(window)); };
const task = () => new Promise((resolve) => { setTimeout(resolve, 0); });
const loaded = (frame) => new Promise((resolve) => { frame.onload = resolve; });
function frame(attributes) {
  const made = Object.assign(document.createElement('iframe'), attributes);
  document.body.append(made);
  return made;
}
const kinds = {
  async blank() {
    const made = frame({});
    note('blank', made.contentWindow);
    await task();
    made.remove();
  },
  async busy() {
    const made = frame({ srcdoc: ${JSON.stringify(`<p>hi<script>${kBusyScript}<\/script>`).replaceAll('</', '<\\/')} });
    await loaded(made);
    note('busy', made.contentWindow);
    made.remove();
  },
  async reloaded() {
    const made = frame({ src: 'small.html' });
    await loaded(made);
    note('reloaded', made.contentWindow);
    made.contentWindow.location.reload();
    await loaded(made);
    note('reloaded', made.contentWindow);
    made.remove();
  },
  async opened() {
    const made = open('small.html');
    await new Promise((resolve) => { made.addEventListener('load', resolve); });
    note('opened', made);
    made.close();
  },
  async worker() {
    const made = frame({});
    note('worker', made.contentWindow);
    const worker = new made.contentWindow.Worker('data:,onmessage = (event) => postMessage(event.data)');
    await new Promise((resolve) => { worker.onmessage = resolve; worker.postMessage(1); });
    made.remove();
  },
  async database() {
    const made = frame({ srcdoc: '<p>' });
    await loaded(made);
    note('database', made.contentWindow);
    const opening = made.contentWindow.indexedDB.open('a', 1);
    opening.onupgradeneeded = () => { opening.result.createObjectStore('s'); };
    await new Promise((resolve) => { opening.onsuccess = resolve; });
    const transaction = opening.result.transaction('s', 'readwrite');
    transaction.objectStore('s').put(1, 1);
    await new Promise((resolve) => { transaction.oncomplete = resolve; });
    opening.result.close();
    made.remove();
  },
};
(async () => {
  for (let i = 0; i < ${kTimes}; i++) for (const kind of Object.keys(kinds)) await kinds[kind]();
  // A look keeps what it finds until its task is over, and the collector takes what lies on the stack for references: it may need several goes.
  const alive = () => Object.fromEntries(Object.keys(refs).map((kind) => [kind, refs[kind].filter((ref) => ref.deref()).length]));
  let counts = alive();
  for (let i = 0; i < 40 && Object.values(counts).some((count) => count > ${kMayStay}); i++) {
    await task();
    gc();
    await task();
    counts = alive();
  }
  console.log(JSON.stringify(counts));
})();
</script>`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-windows-'));
try {
  const page = path.join(folder, 'page.html');
  fs.writeFileSync(page, kPage);
  fs.writeFileSync(path.join(folder, 'small.html'), '<p>small<script>window.x = 1</script>');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--expose-gc', '--loop=html', page]);
  assert.strictEqual(stderr, '');
  const alive = JSON.parse(stdout);
  assert.deepStrictEqual(Object.keys(alive), ['blank', 'busy', 'reloaded', 'opened', 'worker', 'database']);
  for (const kind of Object.keys(alive)) assert.ok(alive[kind] <= kMayStay, `${kind}: ${alive[kind]} windows are alive`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

// The page's own window: each reload asks for the page again, and the second hundred takes no more memory than the first did. A window that stays is
// almost two megabytes.
const kReloads = 200;
const kMayGrow = 60;  // megabytes
const sizes = [];
let child;
const server = http.createServer((request, response) => {
  if (request.url !== '/') return response.writeHead(404).end();
  sizes.push(Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024);
  response.setHeader('content-type', 'text/html');
  return response.end(`<p>page<script>addEventListener('click', () => {}); gc(); ${sizes.length < kReloads ? 'location.reload()' : ''}</script>`);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
child = spawn(process.execPath, ['--expose-gc', '--loop=html', `http://127.0.0.1:${server.address().port}/`], { stdio: 'inherit' });
const [code] = await once(child, 'exit');
server.close();
assert.strictEqual(code, 0);
assert.strictEqual(sizes.length, kReloads);
const [half, whole] = [sizes[kReloads / 2], sizes[kReloads - 1]];
assert.ok(whole - half < kMayGrow, `${Math.round(half)} MB after half of the reloads, ${Math.round(whole)} at the end`);
