// Clients that send more of something than any client needs: the server ends the connection, and nothing else. As in Node.
'use strict';
const assert = require('node:assert');
const http2 = require('node:http2');
const net = require('node:net');

function frame(type, flags, id, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}
const kGet = Buffer.from([0x82, 0x84, 0x86, 0x41, 0x01, 0x61]); // GET / of the host "a"
const field = (name, value) => Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
const many = (count, make) => Buffer.concat(Array.from({ length: count }, make));
const headers = (id, isOver) => frame(1, isOver ? 5 : 4, id, kGet);
const reset = (id) => frame(3, 0, id, Buffer.from([0, 0, 0, 8]));

// name: [a part of the flood, from the first stream's number on; error; options; most requests]
const floods = {
  'streams that are never ended': [(id) => many(500, (_, i) => headers(id + 2 * i, false)), 'The user callback function failed', {}, 20_000],
  'streams, with little memory': [
    (id) => many(500, (_, i) => headers(id + 2 * i, false)), 'The user callback function failed', { maxSessionMemory: 1 }, 2000,
  ],
  'streams that are reset at once': [(id) => many(500, (_, i) => Buffer.concat([headers(id + 2 * i, true), reset(id + 2 * i)])), 'Protocol error', {}, 10_000],
  'resets, with few allowed': [
    (id) => many(20, (_, i) => Buffer.concat([headers(id + 2 * i, true), reset(id + 2 * i)])), 'Protocol error', { streamResetBurst: 10, streamResetRate: 1 }, 1000,
  ],
  settings: [() => many(3000, () => frame(4, 0, 0)), 'Flooding was detected in this HTTP/2 session, and it must be closed', {}, 0],
  pings: [() => many(3000, () => frame(6, 0, 0, Buffer.alloc(8))), 'Flooding was detected in this HTTP/2 session, and it must be closed', {}, 0],
  priorities: [() => many(1000, () => frame(2, 0, 1, Buffer.from([0, 0, 0, 3, 1]))), 'Protocol error', {}, 0],
  'frames of unknown types': [() => many(1000, (_, i) => frame(0xd + (i % 200), 0, 0, Buffer.alloc(i % 9))), 'Protocol error', {}, 0],
  continuations: [
    (id) => (id === 1 ? frame(1, 1, 1, kGet) : many(50, () => frame(9, 0, 1, field('x'.repeat(20), 'y'.repeat(100))))),
    'Too many CONTINUATION frames following a HEADER frame', {}, 0,
  ],
};

async function flood(name, [part, message, options, mostRequests]) {
  let requests = 0;
  const errors = [];
  const server = http2.createServer(options);
  server.on('stream', (stream) => {
    requests++;
    stream.on('error', () => {});
  });
  server.on('sessionError', (error) => errors.push(error.message));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => {
    let id = 1;
    const socket = net.connect(server.address().port, '127.0.0.1', () => {
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(frame(4, 0, 0));
      const go = () => {
        if (socket.destroyed) return;
        const bytes = part(id);
        id += 1000;
        socket.write(bytes, () => setImmediate(go));
      };
      go();
    });
    socket.on('error', () => {}).on('close', resolve).resume();
  });
  await new Promise((resolve) => server.close(resolve));
  assert.deepStrictEqual(errors, [message], name);
  assert.ok(requests <= mostRequests, `${name}: ${requests} requests`);
}

// A client within its bounds is served whatever others do: many requests, one after the other.
async function serve() {
  const server = http2.createServer({ maxSessionMemory: 1 }, (request, response) => response.end('ok'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (let i = 0; i < 20; i++) {
    const answers = Array.from({ length: 60 }, () => new Promise((resolve, reject) => {
      const request = client.request();
      request.on('response', ({ ':status': status }) => resolve(status)).on('error', reject).resume();
    }));
    assert.deepStrictEqual(new Set(await Promise.all(answers)), new Set([200]));
  }
  client.close();
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  for (const name of Object.keys(floods)) await flood(name, floods[name]);
  await serve();
})();
