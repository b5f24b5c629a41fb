// rondo:serve as a WebSocket server: the global WebSocket as client, and frames by hand for what it never sends.
import assert from 'node:assert';
import net from 'node:net';
import { test } from 'node:test';
import { serve } from 'rondo:serve';

const events = [];
const server = serve({
  port: 0, hostname: '127.0.0.1',
  fetch(request, info) {
    const { pathname } = new URL(request.url);
    if (pathname === '/plain') return new Response('plain');
    return info.upgrade({ data: { path: pathname }, protocol: pathname === '/protocol' ? 'chat' : undefined, headers: { 'X-Extra': '1' } });
  },
  websocket: {
    maxPayloadLength: 1_000_000,
    open(socket) { events.push(['open', socket.data.path]); },
    message(socket, message) {
      if (message === 'close') socket.close(4001, 'asked');
      else if (message === 'throw') throw new Error('from a handler');
      else socket.send(message);
    },
    close(socket, code, reason) { events.push(['close', code, reason]); },
  },
});

const once = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
const connect = (path, protocols) => new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols);

test('messages both ways', async () => {
  const socket = connect('/first');
  socket.binaryType = 'arraybuffer';
  await once(socket, 'open');
  for (const text of ['x', 'é'.repeat(100), 'y'.repeat(70_000), '']) {
    socket.send(text);
    assert.strictEqual((await once(socket, 'message')).data, text);
  }
  socket.send(new Uint8Array(300).fill(7));
  assert.deepStrictEqual(new Uint8Array((await once(socket, 'message')).data), new Uint8Array(300).fill(7));
  socket.close(3000, 'bye');
  const closed = await once(socket, 'close');
  assert.deepStrictEqual([closed.code, closed.reason, closed.wasClean], [3000, 'bye', true]);
  assert.deepStrictEqual(events.splice(0), [['open', '/first'], ['close', 3000, 'bye']]);
});

test('the server closes; a protocol is agreed on; a handler throws', async () => {
  const socket = connect('/protocol', ['other', 'chat']);
  await once(socket, 'open');
  assert.strictEqual(socket.protocol, 'chat');
  socket.send('close');
  const closed = await once(socket, 'close');
  assert.deepStrictEqual([closed.code, closed.reason], [4001, 'asked']);
});

// A client by hand: sends the handshake and `bytes`; resolves with what comes after the handshake's answer.
function byHand(bytes, head = '') {
  return new Promise((resolve) => {
    const socket = net.connect(server.port, '127.0.0.1', () => {
      socket.write('GET /hand HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${head}\r\n`);
      socket.write(Buffer.from(bytes));
    });
    const got = [];
    socket.on('data', (chunk) => got.push(chunk));
    socket.on('close', () => {
      const all = Buffer.concat(got);
      const end = all.indexOf('\r\n\r\n') + 4;
      resolve({ head: all.subarray(0, end).toString(), rest: all.subarray(end) });
    });
  });
}
const masked = (first, payload) => [first, 0x80 | payload.length, 1, 2, 3, 4, ...Buffer.from(payload).map((byte, i) => byte ^ [1, 2, 3, 4][i % 4])];
const close = masked(0x88, [3, 232]);
const closeAnswer = [0x88, 2, 3, 232];

test('frames', async () => {
  const { head, rest } = await byHand([...masked(0x01, 'ab'), ...masked(0x89, 'p'), ...masked(0x80, 'cd'), ...close]);
  assert.match(head, /^HTTP\/1.1 101 .*Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/s);
  assert.match(head, /x-extra: 1/i);
  assert.deepStrictEqual([...rest], [0x8a, 1, 112, 0x81, 4, 97, 98, 99, 100, ...closeAnswer]);
  const codeOf = async (bytes) => (await byHand(bytes)).rest.readUInt16BE(2);
  assert.strictEqual(await codeOf([0x81, 1, 65]), 1002);                                  // not masked
  assert.strictEqual(await codeOf(masked(0xc1, 'x')), 1002);                              // a reserved bit
  assert.strictEqual(await codeOf(masked(0x83, 'x')), 1002);                              // an unknown kind
  assert.strictEqual(await codeOf(masked(0x80, 'x')), 1002);                              // continues nothing
  assert.strictEqual(await codeOf(masked(0x09, 'x')), 1002);                              // a ping in fragments
  assert.strictEqual(await codeOf([...masked(0x01, 'x'), ...masked(0x81, 'y')]), 1002);   // a message within a message
  assert.strictEqual(await codeOf(masked(0x88, [3])), 1002);                              // half a code
  assert.strictEqual(await codeOf(masked(0x88, [3, 237])), 1002);                         // 1005 is never sent
  assert.strictEqual(await codeOf(masked(0x81, [0xff])), 1007);                           // no UTF-8
  assert.strictEqual(await codeOf([0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4]), 1009);  // too long
});

test('every way of splitting', async () => {
  const bytes = [...masked(0x01, 'hel'), ...masked(0x80, 'lo'), ...close];
  for (let at = 1; at < bytes.length; at++) {
    const answer = await new Promise((resolve) => {
      const got = [];
      const socket = net.connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'));
      socket.setNoDelay(true);
      socket.once('data', () => socket.write(Buffer.from(bytes.slice(0, at)), () => setImmediate(() => socket.write(Buffer.from(bytes.slice(at))))));
      socket.on('data', (chunk) => got.push(chunk));
      socket.on('close', () => resolve(Buffer.concat(got)));
    });
    assert.deepStrictEqual([...answer.subarray(answer.indexOf('\r\n\r\n') + 4)], [0x81, 5, ...Buffer.from('hello'), ...closeAnswer], `split at ${at}`);
  }
});

test('what is no handshake', async () => {
  const plain = await fetch(`http://127.0.0.1:${server.port}/first`);
  assert.strictEqual(plain.status, 400);
  assert.strictEqual(await (await fetch(`http://127.0.0.1:${server.port}/plain`)).text(), 'plain');
  assert.throws(() => serve({ port: 0, fetch() {}, websocket: { perMessageDeflate: true } }), { code: 'ERR_INVALID_ARG_VALUE' });
});

test('the end closes with 1001', async () => {
  const socket = connect('/last');
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const stopped = server.stop();
  assert.strictEqual((await closed).code, 1001);
  await stopped;
});
