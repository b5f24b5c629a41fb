// A session that was closed or destroyed: its waiting requests, its socket, callbacks of settings; codes of close().
'use strict';
const assert = require('assert');
const http2 = require('http2');
const { once } = require('events');

(async () => {
  const server = http2.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${server.address().port}`;

  // Closed before the socket was connected.
  const early = http2.connect(address);
  const request = early.request();
  early.close();
  const [error] = await once(request, 'error');
  assert.strictEqual(error.code, 'ERR_HTTP2_GOAWAY_SESSION');

  const client = http2.connect(address);
  const { socket } = client;
  const stream = client.request();
  const [served] = await once(server, 'stream');
  assert.throws(() => served.close('x'), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => served.close(1.5), { code: 'ERR_OUT_OF_RANGE', message: /It must be an integer\. Received 1\.5$/ });
  assert.throws(() => served.close(-1), { code: 'ERR_OUT_OF_RANGE', message: /It must be >= 0 && <= 4294967295\. Received -1$/ });
  served.respond();
  served.end('ok');
  stream.resume();
  await once(stream, 'close');
  client.settings({ enablePush: false }, () => assert.fail('the session was destroyed'));
  client.destroy();
  await once(client, 'close');
  assert.throws(() => socket.remotePort, { code: 'ERR_HTTP2_SOCKET_UNBOUND' });
  assert.throws(() => (socket.example = 1), { code: 'ERR_HTTP2_SOCKET_UNBOUND' });
  server.close();
})();
