// new TLSSocket() that is connected by itself shakes hands without tls.connect(); _destroySSL() ends the encryption of one that talks.
'use strict';
const assert = require('assert');
const tls = require('tls');
const { once } = require('events');
const { pair } = require('../../fixtures/tls.js');

(async () => {
  const server = tls.createServer(pair('server'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new tls.TLSSocket();
  client.connect(server.address().port, '127.0.0.1', () => client.write('hello'));
  const [accepted] = await once(server, 'secureConnection');
  const [bytes] = await once(accepted, 'data');
  assert.strictEqual(String(bytes), 'hello');
  accepted._destroySSL();
  accepted.destroy();
  client.on('error', () => {}); // the server is gone without a word
  await once(client.resume(), 'close');
  server.close();
})();
