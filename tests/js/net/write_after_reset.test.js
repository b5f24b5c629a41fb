// Writing to a connection that the peer has reset fails with ECONNRESET, whichever way the bytes go.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { once } = require('node:events');

async function writeAfterReset(data) {
  const server = net.createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  client.pause();  // who reads learns of the reset by reading
  const [[peer]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  peer.resetAndDestroy();
  await once(peer, 'close');
  const failed = once(client, 'error');
  client.write(data);
  const [error] = await failed;
  assert.strictEqual(error.code, 'ECONNRESET');
  assert.strictEqual(error.syscall, 'write');
  server.close();
}

(async () => {
  await writeAfterReset(Buffer.alloc(1 << 16));
  await writeAfterReset('text');
})();
