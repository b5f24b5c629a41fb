// The kinds of thing that tests/leaks/run repeats: each prepares itself once and returns a function that does the thing one time and
// resolves when it is over. `count`: how often in a run, so that a few seconds pass; `bound`: kilobytes that the second half of the run may
// add to the process, where the usual bound (run.js) does not do, with the reason.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { once } = require('events');
const { Worker, MessageChannel, BroadcastChannel, receiveMessageOnPort } = require('worker_threads');

const tls = require('../fixtures/tls.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-leaks-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'file.txt');
fs.writeFileSync(file, 'text '.repeat(2000));

const tick = () => new Promise((resolve) => setImmediate(resolve));
const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0,
                             10, 6, 1, 4, 0, 65, 7, 11]);

// Servers end with the process.
async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return server.address().port;
}

function get(module, options) {
  return new Promise((resolve, reject) => {
    module.get(options, (answer) => answer.resume().on('end', resolve)).on('error', reject);
  });
}

async function httpKind(keepAlive) {
  const http = require('http');
  const port = await listening(http.createServer((request, answer) => answer.end('answer')));
  const agent = new http.Agent({ keepAlive });
  return () => get(http, { port, agent });
}

async function httpsKind() {
  const https = require('https');
  const port = await listening(https.createServer(tls.pair('server'), (request, answer) => answer.end('answer')));
  return () => get(https, { port, ca: tls.ca, servername: 'localhost', rejectUnauthorized: false, agent: false });
}

async function http2Kind() {
  const http2 = require('http2');
  const port = await listening(http2.createServer((request, answer) => answer.end('answer')));
  return async () => {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request();
    stream.resume();
    await once(stream, 'end');
    session.close();
    await once(session, 'close');
  };
}

async function fetchKind(isAborted) {
  const http = require('http');
  const port = await listening(http.createServer((request, answer) => {
    answer.write('first');
    if (!isAborted) answer.end('answer');
  }));
  return async () => {
    const controller = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    if (!isAborted) return answer.text();
    const text = answer.text();
    controller.abort();
    return text.catch(() => {});
  };
}

async function webSocketKind() {
  const { serve } = await import('rondo:serve');
  const server = await serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, info) => info.upgrade(),
    websocket: { message(socket, text) { socket.send(text); } },
  });
  return () => new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`);
    socket.onopen = () => socket.send('text');
    socket.onmessage = () => socket.close();
    socket.onclose = resolve;
    socket.onerror = reject;
  });
}

async function netKind() {
  const net = require('net');
  const port = await listening(net.createServer((socket) => socket.pipe(socket)));
  return async () => {
    const socket = net.connect(port, '127.0.0.1');
    socket.end('text');
    socket.resume();
    await once(socket, 'close');
  };
}

async function datagramKind() {
  const dgram = require('dgram');
  return async () => {
    const socket = dgram.createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.send('text', socket.address().port, '127.0.0.1');
    await once(socket, 'message');
    socket.close();
    await once(socket, 'close');
  };
}

async function workerKind(code, end) {
  return async () => {
    const worker = new Worker(code, { eval: true });
    const exit = once(worker, 'exit');
    if (end) await end(worker);
    await exit;
  };
}

function broadcastKind() {
  let name = 0;
  return async () => {
    const one = new BroadcastChannel(`leaks-${name % 10}`);
    const other = new BroadcastChannel(`leaks-${name++ % 10}`);
    const heard = new Promise((resolve) => { other.onmessage = resolve; });
    one.postMessage({ a: [1, 2, 3] });
    await heard;
    one.close();
    other.close();
  };
}

function requireKind() {
  const name = path.join(folder, 'module.js');
  fs.writeFileSync(name, `module.exports = { list: [1, 2, 3], f() { return ${'1 + '.repeat(500)} 1; } };`);
  return async () => {
    require(name).f();
    delete require.cache[name];
    const children = module.children;
    children.splice(children.findIndex((child) => child.filename === name), 1);
  };
}

function uncaughtKind() {
  let heard;
  process.on('uncaughtException', () => heard());
  return () => new Promise((resolve) => {
    heard = resolve;
    setImmediate(() => { throw new Error('uncaught'); });
  });
}

function rejectionKind() {
  let heard;
  process.on('unhandledRejection', () => heard());
  return () => new Promise((resolve) => {
    heard = resolve;
    Promise.reject(new Error('rejected'));
  });
}

function watchKind() {
  const other = path.join(folder, 'watched.txt');
  return async () => {
    fs.writeFileSync(other, '1');
    const watcher = fs.watch(other);
    const change = once(watcher, 'change');
    fs.writeFileSync(other, '2');
    await change;
    watcher.close();
  };
}

const kKinds = {
  'worker': { count: 1200, make: () => workerKind('') },
  'worker, message': { count: 1000, make: () => workerKind('require("worker_threads").parentPort.once("message", (m) => m)', (worker) => worker.postMessage({ a: 1 })) },
  'worker, terminated': { count: 1000, make: () => workerKind('require("worker_threads").parentPort.postMessage(1); for (;;);', async (worker) => {
    await once(worker, 'message');
    await worker.terminate();
  }) },
  'MessageChannel': { count: 40000, make: () => async () => {
    const { port1, port2 } = new MessageChannel();
    port1.postMessage({ a: [1, 2, 3] });
    receiveMessageOnPort(port2);
    port1.close();
    await tick();
  } },
  'BroadcastChannel': { count: 20000, make: broadcastKind },
  'structuredClone': { count: 60000, make: () => async () => structuredClone({ map: new Map([[1, { a: 'b' }]]), bytes: new Uint8Array(64) }) },
  'http, kept alive': { count: 10000, make: () => httpKind(true) },
  'http': { count: 8000, make: () => httpKind(false) },
  'https': { count: 1500, make: httpsKind },
  'http2': { count: 4000, make: http2Kind },
  'fetch': { count: 8000, make: () => fetchKind(false) },
  'fetch, aborted': { count: 4000, make: () => fetchKind(true) },
  'WebSocket': { count: 4000, make: webSocketKind },
  'net': { count: 8000, make: netKind },
  'dgram': { count: 10000, make: datagramKind },
  'vm contexts': { count: 600, bound: 24000, make: () => async () => require('vm').runInNewContext('globalThis.x = [1, 2, 3]', {}) },
  'vm scripts': { count: 60000, make: () => async () => new (require('vm').Script)(`${Math.random()}; (() => 1)()`).runInThisContext() },
  'vm timeouts': { count: 1500, make: () => async () => {
    try { require('vm').runInThisContext('for (;;);', { timeout: 1 }); } catch { /* the time was over */ }
  } },
  'Function': { count: 100000, make: () => async () => new Function('a', `return a + ${Math.random()}`)(1) },
  'eval': { count: 100000, make: () => async () => (0, eval)(`(() => ${Math.random()})()`) },
  'RegExp': { count: 60000, make: () => async () => new RegExp(`(a|${Math.random()})+b`).test('aaaa0.5b') },
  'errors': { count: 60000, make: () => async () => {
    try { JSON.parse('{"a": [1, 2'); } catch (error) { return error.stack.length; }
  } },
  'timers': { count: 60000, make: () => () => new Promise((resolve) => {
    clearTimeout(setTimeout(() => {}, 1e6));
    setTimeout(resolve, 0);
  }), together: 100 },
  'immediates and ticks': { count: 100000, make: () => () => new Promise((resolve) => process.nextTick(() => setImmediate(resolve))), together: 50 },
  'streams': { count: 10000, make: () => () => require('stream/promises').pipeline(
    require('stream').Readable.from(['a', 'b', 'c']), new (require('stream').PassThrough)(), async (source) => {
      for await (const piece of source) void piece;
    }) },
  'web streams': { count: 10000, make: () => () => new Response(new Blob(['text']).stream().pipeThrough(new TransformStream())).text() },
  'fs.promises': { count: 20000, make: () => () => fs.promises.readFile(file) },
  'fs streams': { count: 8000, make: () => () => require('stream/promises').pipeline(fs.createReadStream(file), fs.createWriteStream(`${file}.copy`)) },
  'fs.watch': { count: 8000, make: watchKind },
  'child processes': { count: 1600, make: () => async () => once(require('child_process').spawn('/bin/true'), 'exit') },
  'exec': { count: 600, make: () => () => new Promise((resolve) => require('child_process').exec('echo text', resolve)) },
  'zlib': { count: 20000, make: () => () => new Promise((resolve) => require('zlib').gzip('text '.repeat(100), resolve)) },
  'brotli': { count: 4000, make: () => () => new Promise((resolve) => require('zlib').brotliCompress('text '.repeat(100), resolve)) },
  'crypto': { count: 40000, make: () => async () => {
    const crypto = require('crypto');
    crypto.createHash('sha256').update('text').digest('hex');
    const cipher = crypto.createCipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12));
    cipher.update('text');
    cipher.final();
  } },
  'subtle': { count: 10000, make: () => async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']);
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(100));
  } },
  'AsyncLocalStorage': { count: 60000, make: () => () => {
    const storage = new (require('async_hooks').AsyncLocalStorage)();
    return storage.run({ a: 1 }, () => tick());
  } },
  'WebAssembly': { count: 4000, make: () => async () => new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.f() },
  'dns.lookup': { count: 10000, make: () => () => new Promise((resolve) => require('dns').lookup('localhost', resolve)) },
  'require': { count: 10000, make: requireKind },
  'uncaught errors': { count: 10000, make: uncaughtKind },
  'unhandled rejections': { count: 20000, make: rejectionKind },
  'EventTarget': { count: 60000, make: () => async () => {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, new AbortController().signal]);
    signal.addEventListener('abort', () => {});
    controller.abort();
  } },
  'readline': { count: 4000, make: () => async () => {
    const lines = require('readline').createInterface({ input: fs.createReadStream(file) });
    await once(lines, 'close');
  } },
  'blob URLs': { count: 30000, make: () => async () => URL.revokeObjectURL(URL.createObjectURL(new Blob(['text']))) },
};

// Of pages, in a process of their own each: what the page's script does once, as the body of an async function.
const kPages = {
  'page: elements': { count: 20000, code: `const e = document.createElement('div'); e.innerHTML = '<p>text</p>'; document.body.append(e); e.remove();` },
  'page: frames': { count: 120, bound: 40000, code: `const f = document.createElement('iframe'); f.srcdoc = '<p>text</p>';
    const loaded = new Promise((resolve) => { f.onload = resolve; }); document.body.append(f); await loaded; f.remove();` },
  'page: workers': { count: 200, code: `const url = URL.createObjectURL(new Blob(['postMessage(1)'])); const w = new Worker(url);
    await new Promise((resolve) => { w.onmessage = resolve; }); w.terminate(); URL.revokeObjectURL(url);` },
  'page: reloads': { count: 120, bound: 40000, code: 'reload' },
};

module.exports = { kKinds, kPages };
