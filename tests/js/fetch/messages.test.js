// WebSocket and EventSource as clients of a server over node:net; the events are the global classes.
// flags: --experimental-eventsource
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const { test } = require('node:test');
const { plainServer, reply } = require('../../fixtures/plain_server.js');

const kGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

// Frames up to 125 bytes are enough here.
function frame(opcode, text) {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]);
}

function unmask(bytes) {
  const length = bytes[1] & 0x7f;
  const mask = bytes.subarray(2, 6);
  return Buffer.from(bytes.subarray(6, 6 + length).map((byte, i) => byte ^ mask[i % 4]));
}

let server;
const eventRequests = [];
const opened = plainServer((request, socket) => {
  if (request.path === '/events') {
    eventRequests.push(request.headers);
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
    if (eventRequests.length === 1) socket.end('retry: 1\nid: 7\ndata: first\ndata: line two\n\nevent: named\ndata: x\n\n');
    else socket.write('data: again\n\n');
    return undefined;
  }
  if (request.headers.upgrade !== 'websocket') return reply(socket, 400, {});
  const accept = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + kGuid).digest('base64');
  const protocol = request.headers['sec-websocket-protocol']?.split(',')[0];
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Accept: ${accept}\r\n${protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : ''}\r\n`);
  socket.raw = true;
  socket.on('data', (bytes) => {
    const opcode = bytes[0] & 0xf;
    const payload = unmask(bytes);
    if (opcode === 8) socket.end(frame(8, payload));
    else socket.write(frame(opcode, payload));
  });
  return undefined;
}).then((made) => (server = made));

const once = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));

test('WebSocket', async () => {
  const { port } = await opened;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`, ['first', 'second']);
  assert.strictEqual(socket.readyState, WebSocket.CONNECTING);
  await once(socket, 'open');
  assert.deepStrictEqual([socket.readyState, socket.protocol, socket.url], [WebSocket.OPEN, 'first', `ws://127.0.0.1:${port}/chat`]);
  socket.send('héllo');
  const message = await once(socket, 'message');
  assert.ok(message instanceof MessageEvent);
  assert.deepStrictEqual([message.data, message.origin], ['héllo', `ws://127.0.0.1:${port}`]);
  socket.binaryType = 'arraybuffer';
  socket.send(new Uint8Array([1, 2, 3]));
  assert.deepStrictEqual([...new Uint8Array((await once(socket, 'message')).data)], [1, 2, 3]);
  socket.close(3001, 'done');
  const closed = await once(socket, 'close');
  assert.ok(closed instanceof CloseEvent);
  assert.deepStrictEqual([closed.code, closed.reason, closed.wasClean], [3001, 'done', true]);
});

test('a WebSocket that cannot open says so', async () => {
  const unused = await plainServer(() => {});
  unused.close();
  const socket = new WebSocket(`ws://127.0.0.1:${unused.port}`);
  const [failed, closed] = await Promise.all([once(socket, 'error'), once(socket, 'close')]);
  assert.ok(failed instanceof ErrorEvent);
  assert.strictEqual(closed.code, 1006);
  assert.throws(() => new WebSocket('ftp://x'), { name: 'SyntaxError' });
});

test('EventSource reconnects with the last id', async () => {
  const { url } = await opened;
  const source = new EventSource(`${url}/events`);
  const got = [];
  source.addEventListener('named', (event) => got.push(['named', event.data, event.lastEventId]));
  source.onmessage = (event) => got.push([event.type, event.data, event.lastEventId]);
  while (got.length < 3) await new Promise((resolve) => setImmediate(resolve));
  source.close();
  assert.deepStrictEqual(got, [['message', 'first\nline two', '7'], ['named', 'x', '7'], ['message', 'again', '7']]);
  assert.strictEqual(eventRequests[1]['last-event-id'], '7');
  assert.strictEqual(eventRequests[0].accept, 'text/event-stream');
});

test('the end', () => server.close());
