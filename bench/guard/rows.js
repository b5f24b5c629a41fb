// rows.js ROW: one row of the guard, a job that lasts some tenths of a second. Prints nothing: `guard` measures the processor time of the whole
// process, start and compilation included.
'use strict';

const assert = require('assert');

let sum = 0;
const times = (n, f) => {
  for (let i = 0; i < n; i++) f(i);
};

const rows = {
  start: () => {},
  modules: () => ['fs', 'stream', 'net', 'http', 'util', 'url', 'child_process', 'zlib', 'events', 'os'].forEach((name) => require(name)),
  ticks: () => times(1e6, () => process.nextTick(() => sum++)),
  microtasks: () => times(1e6, () => queueMicrotask(() => sum++)),
  immediates: () => {
    let left = 4e5;
    setImmediate(function next() {
      if (--left) setImmediate(next);
    });
  },
  timers: () => times(2e5, (i) => setTimeout(() => sum++, 1 + (i % 50))),
  cleared_timers: () => times(1e6, (i) => clearTimeout(setTimeout(() => sum++, 1000 + (i % 100)))),
  awaits: async () => {
    for (let i = 0; i < 2e6; i++) sum += await i;
  },
  then: () => {
    let promise = Promise.resolve(0);
    times(4e5, () => (promise = promise.then((n) => n + 1)));
  },
  emit: () => {
    const emitter = new (require('events'))();
    emitter.on('x', (n) => (sum += n));
    times(1e7, (i) => emitter.emit('x', i));
  },
  storages: () => {
    const { AsyncLocalStorage } = require('async_hooks');
    const storages = Array.from({ length: 100 }, () => new AsyncLocalStorage());
    times(3, () => storages.forEach((storage, i) => storage.enterWith(i)));
    times(2e5, (i) => storages[i % 100].run(i, () => (sum += storages[(i + 7) % 100].getStore())));
  },
  errors: () => {
    const deep = (n) => (n ? deep(n - 1) : new Error('x'));
    times(2e5, () => (sum += deep(4).message.length));
  },
  integers: () => {
    const buffer = Buffer.alloc(64);
    times(2e7, (i) => {
      buffer.writeUInt32BE(i >>> 0, i & 31);
      sum += buffer.readUInt16LE(i & 31);
    });
  },
  utf8: () => {
    const text = 'hello wörld, ünïcode ✓ '.repeat(40);
    times(2e5, () => (sum += Buffer.from(text).toString().length));
  },
  base64: () => {
    const bytes = Buffer.alloc(4096, 'abc');
    times(1e5, () => (sum += Buffer.from(bytes.toString('base64'), 'base64').length));
  },
  allocate: () => times(4e6, () => (sum += Buffer.allocUnsafe(64).length)),
  json: () => {
    const value = { id: 1, name: 'someone', list: Array.from({ length: 20 }, (_, i) => ({ i, key: `key ${i}` })) };
    times(8e4, () => (sum += JSON.stringify(JSON.parse(JSON.stringify(value))).length));
  },
  clone: () => times(1e5, (i) => (sum += structuredClone({ i, s: 'ping', a: [1, 2, 3], m: new Map([[1, { x: 1 }]]) }).i)),
  streams: () => {
    const { Readable, Writable } = require('stream');
    let left = 1e6;
    const chunk = Buffer.alloc(1024);
    new Readable({ read() { this.push(left-- > 0 ? chunk : null); } }).pipe(new Writable({ write(bytes, _, done) { sum += bytes.length; done(); } }));
  },
  files: () => {
    const fs = require('fs');
    let left = 3e4;
    for (let i = 0; i < 32; i++) {
      fs.readFile(__filename, function next(error, bytes) {
        assert.ifError(error);
        sum += bytes.length;
        if (--left > 0) fs.readFile(__filename, next);
      });
    }
  },
  file_sync: () => times(6e4, () => (sum += require('fs').readFileSync(__filename).length)),
  stat_sync: () => times(2e5, () => (sum += require('fs').statSync(__filename).size)),
  messages: () => {
    const { port1, port2 } = new MessageChannel();
    let left = 2e5;
    port2.on('message', (n) => {
      sum += n;
      if (--left) port1.postMessage(left);
      else port1.close();
    });
    port1.postMessage(left);
  },
  http: () => {
    const http = require('http');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
    let left = 8000;
    const server = http.createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1', () => {
      const next = () => {
        if (left-- <= 0) return;
        http.get({ port: server.address().port, agent }, (response) => response.resume().on('end', next));
      };
      for (let i = 0; i < 16; i++) next();
    });
    process.on('beforeExit', () => {});
    const check = setInterval(() => {
      if (left > -16) return;
      clearInterval(check);
      agent.destroy();
      server.close();
    }, 5);
  },
};

if (process.argv[2] === '--list') console.log(Object.keys(rows).join('\n'));
else rows[process.argv[2]]();
