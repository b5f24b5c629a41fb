// socket.io: rooms, acknowledgements and binary data between server and clients, over long polling and over WebSocket.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const http = require('node:http');
const { Server } = require('socket.io');
const { io } = require('socket.io-client');

async function main() {
  const web = http.createServer();
  const server = new Server(web);
  server.on('connection', (socket) => {
    socket.on('join', (room, done) => { socket.join(room); done(`joined ${room}`); });
    socket.on('say', (room, text) => server.to(room).emit('said', text));
    socket.on('bytes', (bytes, done) => done(Buffer.from(bytes).reverse()));
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const url = `http://127.0.0.1:${web.address().port}`;
  const clients = [['polling'], ['websocket'], ['polling', 'websocket']].map((transports) => io(url, { transports, reconnection: false }));
  const heard = clients.map((client) => new Promise((resolve) => client.on('said', resolve)));
  for (const client of clients) assert.strictEqual(await client.emitWithAck('join', 'room'), 'joined room');
  assert.deepStrictEqual([...await clients[1].emitWithAck('bytes', Buffer.from([1, 2, 3]))], [3, 2, 1]);
  clients[0].emit('say', 'room', { text: 'hello' });
  assert.deepStrictEqual(await Promise.all(heard), [{ text: 'hello' }, { text: 'hello' }, { text: 'hello' }]);
  const gone = new Promise((resolve) => clients[1].on('disconnect', resolve));
  for (const client of clients) client.disconnect();
  assert.strictEqual(await gone, 'io client disconnect');
  await server.close();
}
main().then(() => process.exit());
