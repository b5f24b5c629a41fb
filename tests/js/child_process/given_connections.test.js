// Connections given to children still count: getConnections() asks the children, and 'close' of the server waits for their last, or for their end.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { once } = require('node:events');
const { fork } = require('node:child_process');
const { promisify } = require('node:util');

if (process.argv[2] === 'child') {
  const held = [];
  process.on('message', (message, socket) => {
    if (message === 'take') held.push(socket.resume());
    if (message === 'end') for (const one of held) one.destroy();
    process.send(message);
  });
} else {
  let isOver = false;
  main().then(() => { isOver = true; });
  process.on('exit', () => assert.ok(isOver));
}

async function main() {
  const [first, second] = [fork(__filename, ['child']), fork(__filename, ['child'])];
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients = [];
  for (const child of [first, first, second]) {
    clients.push(net.connect(server.address().port, '127.0.0.1').resume());
    const [socket] = await once(server, 'connection');
    child.send('take', socket);
    await once(child, 'message');
  }
  const count = promisify(server.getConnections.bind(server));
  assert.strictEqual(await count(), 3);

  let isClosed = false;
  server.close(() => { isClosed = true; });
  first.send('end');
  await once(first, 'message');
  assert.strictEqual(await count().then((n) => n >= 1), true);  // the children that are waited for count as well
  assert.strictEqual(isClosed, false);
  second.kill();
  await once(server, 'close');
  assert.strictEqual(isClosed, true);
  first.disconnect();
  await once(first, 'exit');
  assert.deepStrictEqual(server._workers, []);
  for (const client of clients) client.destroy();
}
