// Most of the library is loaded when a program first touches it. What an operation answers must not depend on what was touched before:
// each global and each built-in module is touched first, in a thread of its own, then a list of operations is run, beginning with another one
// each time, and each has to answer what it answers alone. Of the operations after the first ten each thread runs an eighth, all of them with
// RONDO_DEEP=1.
'use strict';

const assert = require('assert');
const os = require('os');
const { builtinModules } = require('module');
const { isMainThread, parentPort, workerData, Worker } = require('worker_threads');

const body = (make) => async () => (await make()).text();
const operations = [
  () => require('util').promisify(setTimeout)(1, 'a'),
  () => require('util').promisify(setImmediate)('b'),
  body(() => new Request('http://x/', { method: 'POST', body: 'a' })),
  body(() => new Request('http://x/', { method: 'POST', body: new URLSearchParams('a=1') })),
  body(() => new Response('text')),
  body(() => Response.json({ a: 1 })),
  async () => (await new Response(new Blob(['blob'])).blob()).size,
  async () => [...(await new Response('a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData())],
  () => [...new Headers({ a: '1', B: '2' })],
  () => fetch('data:text/plain,hello').then((response) => response.text()),
  () => fetch('bad://x').catch((error) => error.name),
  () => new URL('../b?c=1#d', 'http://x/a/').href,
  () => URL.canParse('::'),
  () => new URLPattern({ pathname: '/:id' }).exec('http://x/7').pathname.groups.id,
  () => structuredClone(new Map([[1, { a: new Date(0) }]])),
  () => new TextDecoder('utf-16le').decode(new TextEncoder().encode('aabb')).length,
  () => Buffer.from('68690a', 'hex').toString('base64'),
  () => btoa(atob('aGk=')),
  () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => { port1.close(); resolve(data); };
    port2.postMessage({ a: [1n] });
  }),
  () => new Promise((resolve) => {
    const target = new EventTarget();
    target.addEventListener('x', (event) => resolve(event.type), { once: true });
    target.dispatchEvent(new CustomEvent('x', { detail: 1 }));
  }),
  () => AbortSignal.abort('why').reason,
  () => { try { AbortSignal.abort().throwIfAborted(); } catch (error) { return [error.name, error instanceof DOMException, error.code]; } },
  async () => { const all = []; for await (const chunk of ReadableStream.from(['a', 'b'])) all.push(chunk); return all; },
  () => new Response(new Blob(['zip']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).text(),
  () => crypto.subtle.digest('SHA-256', Buffer.from('a')).then((digest) => Buffer.from(digest).toString('hex')),
  () => require('crypto').createHash('md5').update('a').digest('hex'),
  () => require('zlib').gunzipSync(require('zlib').gzipSync('a')).toString(),
  () => require('util').inspect(new Map([[{ a: 1 }, new Set([[]])]]), { depth: 0 }),
  () => require('util').format('%s %o %j', 'a', [1], { b: 2 }),
  () => require('events').once(require('stream').Readable.from(['x']), 'data'),
  () => require('stream/promises').pipeline(require('stream').Readable.from(['q']), async (source) => { let s = ''; for await (const c of source) s += c; return s; }),
  () => require('fs/promises').readFile(__filename, 'utf8').then((text) => text.length),
  () => require('util').promisify(require('fs').exists)(__filename),
  () => require('util').promisify(require('dns').lookup)('127.0.0.1', {}),
  () => require('util').promisify(require('child_process').execFile)(process.execPath, ['--version']).then(({ stdout }) => stdout),
  () => { try { require('assert').strictEqual(1, 2); } catch (error) { return error.message; } },
  () => { try { require('fs').readFileSync('/nowhere/at/all'); } catch (error) { return error.message; } },
  () => new (require('async_hooks').AsyncLocalStorage)().run(5, async () => { await null; return 5; }),
  () => require('path').relative('/a/b', '/a/c/d'),
  () => require('querystring').stringify({ a: [1, 2], b: 'ä' }),
  () => require('vm').runInNewContext('a + 1', { a: 1 }),
  () => new Promise((resolve) => { const s = require('net').createServer((c) => c.end('n')); s.listen(0, '127.0.0.1', () => {
    require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { s.close(); resolve(d.toString()); }); }); }),
];

async function answer(operation) {
  try {
    const value = await operation();
    return require('util').inspect(value, { depth: 5 });
  } catch (error) {
    return `throws ${error?.name}: ${error?.message}`;
  }
}

// Whether thread `n` runs an operation. Child processes are slow to make.
function isDue(index, n) {
  if (operations[index].toString().includes('execFile')) return n % 40 === 0;
  return index < 10 || (index + n) % 8 === 0 || process.env.RONDO_DEEP === '1';
}

async function inThread({ touch, order }) {
  if (touch?.global !== undefined) void globalThis[touch.global];
  if (touch?.module !== undefined) require(touch.module);
  const answers = [];
  for (const index of order) answers.push([index, await answer(operations[index])]);
  parentPort.postMessage(answers);
}

function run(touch, order) {
  return new Promise((resolve, reject) => {
    new Worker(__filename, { workerData: { touch, order } }).once('message', resolve).once('error', reject);
  });
}

async function main() {
  const alone = [];
  const jobs = operations.map((operation, index) => async () => { alone[index] = (await run(null, [index]))[0][1]; });
  const queue = async (list) => {
    const next = async () => { while (list.length > 0) await list.shift()(); };
    await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, next));
  };
  await queue(jobs);
  for (const [index, text] of alone.entries()) assert.doesNotMatch(text, /^throws/, operations[index].toString());

  const language = new Set(require('vm').runInNewContext('Object.getOwnPropertyNames(globalThis)'));
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !language.has(name));
  const modules = builtinModules.filter((id) => id !== 'trace_events'); // which a worker cannot load
  const touches = [...globals.map((name) => ({ global: name })), ...modules.map((id) => ({ module: id }))];
  assert.ok(touches.length > 120, String(touches.length));
  let tried = 0;
  await queue(touches.map((touch, n) => async () => {
    // A machine that is busy with other things tries as many as it has time for.
    if (process.uptime() > 40 && tried > 40 && process.env.RONDO_DEEP !== '1') return;
    tried++;
    const order = operations.map((operation, i) => (i + n * 5) % operations.length).filter((i) => isDue(i, n));
    for (const [index, text] of await run(touch, order)) {
      assert.strictEqual(text, alone[index], `after ${JSON.stringify(touch)}, beginning with ${order[0]}: ${operations[index]}`);
    }
  }));
}

if (isMainThread) main();
else inThread(workerData);
