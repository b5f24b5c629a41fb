// http-proxy in front of a server that uses body-parser: bodies, headers, an upgrade, a target that is not there.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const bodyParser = require('body-parser');
const httpProxy = require('http-proxy');
const ask = require('./fixtures/ask');

(async () => {
  const parse = bodyParser.json();
  const target = http.createServer((req, res) => parse(req, res, (error) => {
    res.statusCode = error ? error.status : 200;
    res.end(JSON.stringify({ body: error ? error.type : req.body, via: req.headers['x-via'], url: req.url }));
  }));
  target.on('upgrade', (req, socket, head) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('data', (part) => socket.end(`echo ${part}`));
  });
  await once(target.listen(0, '127.0.0.1'), 'listening');
  const proxy = httpProxy.createProxyServer({ target: `http://127.0.0.1:${target.address().port}`, headers: { 'X-Via': 'proxy' } });
  const front = http.createServer((req, res) => proxy.web(req, res));
  front.on('upgrade', (req, socket, head) => proxy.ws(req, socket, head));
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const { port } = front.address();

  const json = { path: '/p', method: 'POST', headers: { 'Content-Type': 'application/json' } };
  assert.deepStrictEqual(JSON.parse((await ask(port, { ...json, body: '{"a":1}' })).text), { body: { a: 1 }, via: 'proxy', url: '/p' });
  const bad = await ask(port, { ...json, body: '{' });
  assert.deepStrictEqual([bad.status, JSON.parse(bad.text).body], [400, 'entity.parse.failed']);
  const large = await ask(port, { ...json, body: JSON.stringify({ a: 'x'.repeat(200_000) }) });
  assert.strictEqual(large.status, 413);

  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  let got = '';
  socket.on('data', (part) => { got += part; if (got.endsWith('\r\n\r\n')) socket.write('hi'); });
  await once(socket, 'close');
  assert.match(got, /^HTTP\/1\.1 101 [\s\S]*\r\n\r\necho hi$/);

  target.close();
  target.closeAllConnections();
  proxy.on('error', (error, req, res) => { res.writeHead(502); res.end(error.code); });
  const gone = await ask(port);
  assert.deepStrictEqual([gone.status, gone.text], [502, 'ECONNREFUSED']);
  front.close();
})();
