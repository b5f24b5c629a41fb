// kinds.js KIND N: makes, uses and ends N things of a kind and prints the processor nanoseconds for each, without the process's start. Small
// numbers show a cold path, large ones how cost grows.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');

const [kind, count] = [process.argv[2], Number(process.argv[3])];
const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
};
const range = () => Array.from({ length: count }, (_, i) => i);
let begin = 0;
const end = () => console.log(Math.round((processorTime() - begin) / count));
// Calls end() at the last of `count` calls.
const counter = () => {
  let left = count;
  return () => {
    if (--left === 0) end();
  };
};

const kinds = {
  timers() {
    const done = counter();
    for (let i = 0; i < count; i++) setTimeout(done, 1 + ((i * 7919) % 50));
  },
  immediates() {
    const done = counter();
    for (let i = 0; i < count; i++) setImmediate(done);
  },
  promises() {
    Promise.all(range().map((i) => new Promise((resolve) => process.nextTick(resolve, i)))).then(end);
  },
  listeners() {
    const emitter = new (require('events'))().setMaxListeners(0);
    const listeners = range().map(() => () => {});
    for (const listener of listeners) emitter.on('x', listener);
    emitter.emit('x');
    for (const listener of listeners.reverse()) emitter.off('x', listener);
    end();
  },
  ports() {
    const channels = range().map(() => new MessageChannel());
    const done = counter();
    for (const { port1, port2 } of channels) {
      port1.onmessage = () => {
        port1.close();
        done();
      };
      port2.postMessage(1);
    }
  },
  storages() {
    const { AsyncLocalStorage } = require('async_hooks');
    const storages = range().map(() => new AsyncLocalStorage());
    storages.forEach((storage, i) => storage.enterWith(i));
    setImmediate(() => {
      if (storages.some((storage, i) => storage.getStore() !== i)) throw new Error('a value is wrong');
      end();
    });
  },
  connections() {
    const net = require('net');
    const sockets = [];
    const server = net.createServer((socket) => sockets.push(socket.on('error', () => {})));
    server.listen(0, '127.0.0.1', function next() {
      if (sockets.length >= 2 * count) {
        end();
        process.exit();
      }
      sockets.push(net.connect(server.address().port, '127.0.0.1', () => setImmediate(next)).on('error', () => {}));
    });
  },
  watchers() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'growth-'));
    const files = range().map((i) => path.join(folder, String(i)));
    for (const file of files) fs.writeFileSync(file, '');
    begin = processorTime();
    const watchers = files.map((file) => fs.watch(file, () => {}));
    for (const watcher of watchers) watcher.close();
    end();
    fs.rmSync(folder, { recursive: true });
  },
  contexts() {
    const vm = require('vm');
    const contexts = range().map((i) => vm.createContext({ i }));
    let sum = 0;
    for (const context of contexts) sum += vm.runInContext('i + 1', context);
    if (sum !== (count * (count + 1)) / 2) throw new Error('a sum is wrong');
    end();
  },
  headers() {
    const headers = new Headers();
    for (let i = 0; i < count; i++) headers.append(`x-name-${i}`, 'value');
    let seen = 0;
    for (const [name] of headers) seen += name.length > 0;
    if (seen !== count) throw new Error('headers are missing');
    end();
  },
};

begin = processorTime();
kinds[kind]();
