'use strict';
// One API after the other, tried by tampering.test.js in a process whose program has spoilt its own globals. Nothing here may
// use what was spoilt: plain loops, `await`, and what was taken before. Each probe answers true when the API did its work.
const { setTimeout, clearTimeout, setImmediate } = globalThis;
const { pid, platform } = process;
const own = process;
const { AbortController, AbortSignal, EventTarget, Event, URL, URLSearchParams, Buffer, structuredClone, MessageChannel, Blob,
  TextEncoder, TextDecoder, ReadableStream, queueMicrotask, performance, console, fetch } = globalThis;
const ProgramPromise = Promise;
const ProgramMap = Map;
const ProgramSet = Set;
const ProgramError = Error;
const { iterator } = Symbol;
const when = (start) => new ProgramPromise(start);
const { apply } = Reflect;
const { includes, startsWith } = String.prototype;
const has = (text, part) => apply(includes, text, [part]);
const starts = (text, part) => apply(startsWith, text, [part]);

module.exports = {
  timeout: () => when((done) => setTimeout(() => done(true), 1)),
  immediate: () => when((done) => setImmediate(() => done(true))),
  tick: () => when((done) => own.nextTick((a) => done(a === 1), 1)),
  microtask: () => when((done) => queueMicrotask(() => done(true))),
  clear() { clearTimeout(setTimeout(() => {}, 1000)); return true; },
  async timersPromises() { return await require('timers/promises').setTimeout(1, 5) === 5; },
  abortTimeout: () => when((done) => { AbortSignal.timeout(1).addEventListener('abort', () => done(true)); }),
  abortAny() {
    const controller = new AbortController();
    const any = AbortSignal.any({ __proto__: null, 0: controller.signal, length: 1, [iterator]: function* () { yield controller.signal; } });
    controller.abort();
    return any.aborted;
  },
  events() {
    const emitter = new (require('events'))();
    let sum = 0;
    emitter.on('x', (a, b) => { sum += a + b; });
    emitter.once('x', () => { sum += 10; });
    emitter.emit('x', 1, 2);
    emitter.emit('x', 1, 2, 3, 4, 5);
    return sum === 16 && emitter.listenerCount('x') === 1;
  },
  async eventsOnce() {
    const { EventEmitter, once } = require('events');
    const emitter = new EventEmitter();
    const waiting = once(emitter, 'x');
    emitter.emit('x', 7);
    return (await waiting)[0] === 7;
  },
  eventTarget() {
    const target = new EventTarget();
    let seen = 0;
    target.addEventListener('a', () => { seen++; }, { once: true });
    target.dispatchEvent(new Event('a'));
    target.dispatchEvent(new Event('a'));
    return seen === 1;
  },
  streamPipe: () => when((done) => {
    const { Readable, PassThrough } = require('stream');
    let n = 0;
    const source = new Readable({ read() { this.push(n++ < 3 ? 'ab' : null); } });
    let text = '';
    const through = source.pipe(new PassThrough());
    through.on('data', (chunk) => { text += chunk; });
    through.on('end', () => done(text === 'ababab'));
  }),
  streamPipeline: () => when((done) => {
    const { Readable, Writable, pipeline } = require('stream');
    let n = 0;
    let size = 0;
    pipeline(new Readable({ read() { this.push(n++ < 3 ? 'ab' : null); } }),
      new Writable({ write(chunk, encoding, callback) { size += chunk.length; callback(); } }), (error) => done(!error && size === 6));
  }),
  async streamIterate() {
    const { Readable } = require('stream');
    let n = 0;
    let text = '';
    for await (const chunk of new Readable({ read() { this.push(n++ < 2 ? 'q' : null); } })) text += chunk;
    return text === 'qq';
  },
  async webStream() {
    const reader = new ReadableStream({ start(controller) { controller.enqueue(3); controller.close(); } }).getReader();
    return (await reader.read()).value === 3 && (await reader.read()).done;
  },
  fsCallback: () => when((done) => require('fs').readFile(__filename, (error, data) => done(!error && data.length > 100))),
  fsStat: () => when((done) => require('fs').stat(__filename, (error, stats) => done(!error && stats.isFile()))),
  fsSync: () => require('fs').readFileSync(__filename, 'utf8').length > 100,
  fsReaddir: () => require('fs').readdirSync(__dirname, { withFileTypes: true }).length >= 2,
  async fsPromises() {
    const { open } = require('fs/promises');
    const file = await open(__filename);
    const { bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    await file.close();
    return bytesRead === 8;
  },
  fsStream: () => when((done) => {
    let size = 0;
    require('fs').createReadStream(__filename).on('data', (chunk) => { size += chunk.length; }).on('close', () => done(size > 100));
  }),
  net: () => when((done) => {
    const net = require('net');
    const server = net.createServer((socket) => { socket.on('data', (data) => socket.end(data)); });
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('hello'));
      socket.setTimeout(5000);
      let text = '';
      socket.on('data', (data) => { text += data; });
      socket.on('close', () => server.close(() => done(text === 'hello')));
    });
  }),
  netTimeout: () => when((done) => {
    const net = require('net');
    const server = net.createServer(() => {});
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1');
      socket.setTimeout(1, () => { socket.destroy(); server.close(); done(true); });
      server.on('connection', (peer) => peer.on('error', () => {}).resume());
    });
  }),
  childProcess: () => when((done) => {
    require('child_process').execFile('/bin/echo', { __proto__: null, length: 1, 0: 'hi' }.length ? ['hi'] : [], (error, out) => done(!error && out === 'hi\n'));
  }),
  childSync: () => require('child_process').spawnSync('/bin/echo', ['ho']).stdout.toString() === 'ho\n',
  async lookup() { return (await require('dns/promises').lookup('127.0.0.1')).family === 4; },
  console() {
    const { Writable } = require('stream');
    let text = '';
    const stream = new Writable({ write(chunk, encoding, callback) { text += chunk; callback(); } });
    const logger = new (require('console').Console)(stream);
    logger.log('%s is %d', 'a', 1, { b: 2 });
    logger.table([{ a: 1 }]);
    logger.group('g');
    logger.count();
    return starts(text, 'a is 1 { b: 2 }') && has(text, '(index)');
  },
  inspect() {
    const { inspect } = require('util');
    const map = new ProgramMap();
    const set = new ProgramSet();
    return has(inspect({ a: [1, 'x'], map, set, f() {}, e: null, n: 1n }), "a: [ 1, 'x' ]") && has(inspect(new ProgramError('boom')), 'boom');
  },
  format: () => starts(require('util').format('%s %j %o', 1, { a: 1 }, [1]), '1 {"a":1} [ 1'),
  deepEqual() { require('assert').deepStrictEqual({ a: [1, { b: 2 }], c: 'x' }, { a: [1, { b: 2 }], c: 'x' }); return true; },
  assertThrows() { require('assert').throws(() => { throw new ProgramError('x'); }, /x/); return true; },
  async promisify() { return await require('util').promisify((a, callback) => callback(null, a + 1))(1) === 2; },
  readline: () => when((done) => {
    const { PassThrough } = require('stream');
    const input = new PassThrough();
    const lines = { count: 0 };
    const reader = require('readline').createInterface({ input });
    reader.on('line', () => { lines.count++; });
    reader.on('close', () => done(lines.count === 2));
    input.end('a\nb\n');
  }),
  ports: () => when((done) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', (value) => { port1.close(); done(value.a === 1); });
    port1.postMessage({ a: 1 });
  }),
  clone: () => structuredClone({ a: { b: 1 } }).a.b === 1,
  url() {
    const url = new URL('http://u:p@host:81/a/b?x=1&y=2#h');
    url.searchParams.append('z', '3');
    return url.href === 'http://u:p@host:81/a/b?x=1&y=2&z=3#h' && new URLSearchParams('a=1&b=2').get('b') === '2';
  },
  legacyUrl: () => require('url').parse('http://a.b/c?d=e').pathname === '/c',
  querystring: () => require('querystring').parse('a=1&b=2').b === '2',
  path: () => require('path').resolve('/a', '../b', 'c') === '/b/c' && require('path').relative('/a/b', '/a/c') === '../c',
  buffer: () => Buffer.concat([Buffer.from('ab'), Buffer.from('cd')]).toString('hex') === '61626364',
  encoding: () => new TextDecoder().decode(new TextEncoder().encode('é')) === 'é',
  async blob() { return await new Blob(['ab', 'c']).text() === 'abc'; },
  performance: () => performance.now() > 0 && performance.mark('m').name === 'm',
  async asyncLocal() {
    const storage = new (require('async_hooks').AsyncLocalStorage)();
    return await storage.run(4, async () => { await null; return storage.getStore(); }) === 4;
  },
  diagnostics() {
    const channel = require('diagnostics_channel').channel('c');
    let seen = 0;
    channel.subscribe((message) => { seen += message.n; });
    channel.publish({ n: 2 });
    return seen === 2;
  },
  crypto: () => starts(require('crypto').createHash('sha256').update('a').digest('hex'), 'ca978112') && require('crypto').randomUUID().length === 36,
  vm: () => require('vm').runInNewContext('a + 1', { a: 1 }) === 2,
  v8: () => require('v8').deserialize(require('v8').serialize({ a: 'b' })).a === 'b',
  os: () => require('os').cpus().length > 0 && require('os').networkInterfaces() !== undefined,
  parseArgs: () => require('util').parseArgs({ args: ['--foo', 'x'], options: { foo: { type: 'string' } } }).values.foo === 'x',
  codedError() {
    try {
      require('fs').readFileSync({});
    } catch (error) {
      return error.code === 'ERR_INVALID_ARG_TYPE' && has(error.stack, 'readFileSync');
    }
    return false;
  },
  systemError() {
    try {
      require('fs').openSync('/nowhere/at/all');
    } catch (error) {
      return error.code === 'ENOENT';
    }
    return false;
  },
  emitWarning: () => when((done) => { own.once('warning', () => done(true)); own.emitWarning('spoilt'); }),
  hrtime: () => own.hrtime()[0] >= 0 && own.memoryUsage().rss > 0 && own.pid === pid && own.platform === platform,
  async dynamicImport() { return (await import('node:path')).sep === '/'; },
  requireFile: () => require('./required.js') === 1,
  http: () => when((done) => {
    const http = require('http');
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (data) => { body += data; });
      request.on('end', () => { response.setHeader('X-Said', request.headers['x-asked']); response.end(`${request.method} ${request.url} ${body}`); });
    });
    server.listen(0, '127.0.0.1', () => {
      const request = http.request({ port: server.address().port, host: '127.0.0.1', path: '/a?b=1', method: 'POST', headers: { 'X-Asked': 'q' }, agent: false },
        (response) => {
          let body = '';
          response.on('data', (data) => { body += data; });
          response.on('end', () => server.close(() => done(body === 'POST /a?b=1 hello' && response.headers['x-said'] === 'q' && response.statusCode === 200)));
        });
      request.on('error', done);
      request.end('hello');
    });
  }),
  async fetch() {
    const server = require('http').createServer((request, response) => response.end('fetched'));
    await when((done) => server.listen(0, '127.0.0.1', done));
    try {
      const response = await fetch(`http://127.0.0.1:${server.address().port}/`, { headers: { connection: 'close' } });
      return await response.text() === 'fetched' && response.status === 200;
    } finally {
      server.close();
    }
  },
  zlib: () => when((done) => {
    const zlib = require('zlib');
    zlib.gzip('abc', (error, data) => done(!error && zlib.gunzipSync(data).toString() === 'abc'));
  }),
  worker: () => when((done) => {
    const { Worker } = require('worker_threads');
    const worker = new Worker('require("worker_threads").parentPort.once("message", (m) => require("worker_threads").parentPort.postMessage(m + 1))', { eval: true });
    let said;
    worker.on('message', (value) => { said = value; });
    worker.on('error', done);
    worker.on('exit', (code) => done(said === 2 && code === 0));
    worker.postMessage(1);
  }),
  fsWrite: () => when((done) => {
    const fs = require('fs');
    const file = `${require('os').tmpdir()}/tampering-${pid}`;
    const stream = fs.createWriteStream(file);
    stream.on('close', () => {
      const text = fs.readFileSync(file, 'utf8');
      fs.rmSync(file);
      done(text === 'onetwo');
    });
    stream.on('error', done);
    stream.write('one');
    stream.end('two');
  }),
  async fsPromisesFile() {
    const { readFile, writeFile, rm, mkdtemp } = require('fs/promises');
    const folder = await mkdtemp(`${require('os').tmpdir()}/tampering-`);
    await writeFile(`${folder}/a`, 'text');
    const text = await readFile(`${folder}/a`, 'utf8');
    await rm(folder, { recursive: true });
    return text === 'text';
  },
  assertMessage() {
    try {
      require('assert').deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] });
    } catch (error) {
      return error.code === 'ERR_ASSERTION' && has(error.message, '+     2') && has(error.message, '-     3');
    }
    return false;
  },
  json: () => require('./required.json').a[1] === 2,
  async esModule() { return (await import('./required.mjs')).default === 3; },
  consoleLog() { console.log('printed'); return true; },
};
