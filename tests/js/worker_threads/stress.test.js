// Workers ended at any moment, with everything open that a program can leave open: nothing hangs, and no descriptor and no thread is left.
// RONDO_WORKER_ENDS: how many (60).
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { Worker } = require('node:worker_threads');

const kPrograms = [
  '', 'for (;;);', 'for (;;) JSON.parse("{}")', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', 'throw new Error("expected")',
  "const { parentPort } = require('node:worker_threads'); for (let i = 0; i < 1e4; i++) parentPort.postMessage({ i, text: 'x'.repeat(100) })",
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))",
  `const net = require('node:net');
   const server = net.createServer((socket) => socket.write('x'.repeat(3e5))).listen(0, '127.0.0.1', () => {
     const client = net.connect(server.address().port, '127.0.0.1'); client.on('data', () => client.pause()); });`,
  "const fs = require('node:fs'); setInterval(() => fs.readFile('/proc/self/stat', () => {}), 0); fs.watch('/tmp', () => {}); fs.promises.stat('/')",
  "require('node:child_process').spawn('cat', { stdio: 'pipe' })",
  "setInterval(() => {}, 1); setImmediate(function again() { setImmediate(again) }); (async () => { for (;;) await null })()",
  "new BroadcastChannel('stress').onmessage = () => {}; const { port1, port2 } = new MessageChannel(); port1.onmessage = () => {}; port2.postMessage(1)",
  "const { Worker } = require('node:worker_threads'); new Worker('for (;;);', { eval: true }); setTimeout(() => {}, 1e6)",
  "require('node:crypto').randomBytes(1 << 16, () => {}); require('node:dns').lookup('localhost', () => {}); setTimeout(() => {}, 1e6)",
  "process.stdout.write('x'.repeat(1e5)); process.stdin.on('data', () => {}); setTimeout(() => process.exit(3), 2)",
  "(function f() { f() })()", "const keep = []; for (;;) keep.push(new Array(1000).fill(keep.length))",
  "const { locks } = require('node:worker_threads'); locks.request('stress', () => new Promise(() => {})); setTimeout(() => {}, 1e6)",
  "import('node:fs').then(() => { for (;;); })", "require('node:zlib').gzip(Buffer.alloc(1 << 20), () => {}); setTimeout(() => {}, 1e6)",
];

const wanted = Number(process.env.RONDO_WORKER_ENDS ?? 60);
let seed = Number(process.env.RONDO_WORKER_SEED ?? 1);
const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; };
const count = (what) => fs.readdirSync(`/proc/self/${what}`).length;
const own = new BroadcastChannel('stress');
own.onmessage = () => {};

function one() {
  const program = random(kPrograms.length);
  const worker = new Worker(kPrograms[program], {
    eval: true, stdout: true, stdin: random(2) === 0, resourceLimits: { maxOldGenerationSizeMb: 24 }, workerData: new ArrayBuffer(1000),
  });
  worker.on('error', () => {});
  worker.on('message', () => {});
  worker.stdout.resume();
  for (let i = random(20); i > 0; i--) worker.postMessage([i, new Uint8Array(1000)]);
  own.postMessage('all');
  return new Promise((resolve) => {
    worker.on('exit', resolve);
    const when = random(6);
    if (when === 0) worker.terminate();
    else if (when === 1) setImmediate(() => worker.terminate());
    else if (when === 2) worker.on('online', () => worker.terminate());
    else if (when === 3) worker.on('online', () => { worker.postMessage('last'); setTimeout(() => worker.terminate(), random(5)); });
    else setTimeout(() => worker.terminate(), random(40));
  });
}

async function rounds(number) {
  let left = number;
  const lane = async () => { while (left-- > 0) await one(); };
  await Promise.all([lane(), lane(), lane()]);
}

// Children end after their worker, and threads of the engine rest a while: both are waited for.
async function settled(what, most) {
  for (let i = 0; i < 2000 && count(what) > most; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert(count(what) <= most, `${count(what)} of ${what}, ${most} before`);
}

let done = false;
(async () => {
  await rounds(Math.min(20, wanted));
  await settled('fd', 64);
  const fds = count('fd');
  await rounds(wanted);
  await settled('fd', fds + 3);
  await settled('task', 24);
  own.close();
  done = true;
})();
process.on('exit', () => assert(done));
