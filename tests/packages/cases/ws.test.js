// ws: server and client over sockets, with compression, and the built-in WebSocket as its client.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { WebSocketServer, WebSocket: Client } = require('ws');

async function main() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: { threshold: 0 } });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('ping', () => socket.send('pinged'));
  });
  const url = `ws://127.0.0.1:${server.address().port}`;

  const client = new Client(url);
  await once(client, 'open');
  for (const text of ['x', 'long '.repeat(20_000)]) {
    client.send(text);
    assert.strictEqual((await once(client, 'message'))[0].toString(), text);
  }
  client.send(Buffer.from([1, 2, 3]));
  assert.deepStrictEqual([...(await once(client, 'message'))[0]], [1, 2, 3]);
  client.ping();
  assert.strictEqual((await once(client, 'message'))[0].toString(), 'pinged');
  client.close(3000, 'end');
  const [code, reason] = await once(client, 'close');
  assert.deepStrictEqual([code, reason.toString()], [3000, 'end']);

  const own = new WebSocket(url);
  await new Promise((resolve) => { own.onopen = resolve; });
  own.send('from the built-in one '.repeat(1000));
  const { data } = await new Promise((resolve) => { own.onmessage = resolve; });
  assert.strictEqual(data, 'from the built-in one '.repeat(1000));
  own.close();
  await new Promise((resolve) => { own.onclose = resolve; });
  server.close();
}
main();
