// https: requests and answers, connections kept and sessions resumed by the agent, the errors of both sides, a proxy's tunnel.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const { ca, event, pair, textOf } = require('../../fixtures/tls.js');

function listen(options, onRequest) {
  const server = https.createServer({ ...pair('server'), ...options }, onRequest);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
const options = (server, more) => ({ host: '127.0.0.1', port: server.address().port, ca, servername: 'localhost', ...more });
function fetchText(where, body) {
  return new Promise((resolve, reject) => {
    const request = https.request({ method: body === undefined ? 'GET' : 'POST', ...where }, async (response) => {
      resolve({ status: response.statusCode, text: await textOf(response), socket: response.socket, request });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function requests() {
  const server = await listen({}, async (request, response) => {
    assert(request.socket.encrypted);
    response.setHeader('x-alpn', String(request.socket.alpnProtocol));
    response.end(`${request.method} ${request.url} ${await textOf(request)}`);
  });
  const agent = new https.Agent({ keepAlive: true });
  const first = await fetchText(options(server, { path: '/a', agent }), 'x'.repeat(100000));
  assert.strictEqual(first.text, `POST /a ${'x'.repeat(100000)}`);
  const second = await fetchText(options(server, { path: '/b', agent }));
  assert.strictEqual(second.text, 'GET /b ');
  assert(second.request.reusedSocket, 'the agent keeps its connection');
  agent.destroy();
  const resuming = new https.Agent({});
  await fetchText(options(server, { agent: resuming }));
  const third = await fetchText(options(server, { agent: resuming }));
  assert(third.socket.isSessionReused() ?? true);
  assert.strictEqual(resuming._sessionCache.list.length, 1);
  server.close();
  await event(server, 'close');
}

async function errors() {
  const server = await listen({}, (request, response) => response.end());
  await assert.rejects(fetchText(options(server, { ca: undefined, agent: false })), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  await assert.rejects(fetchText(options(server, { servername: 'elsewhere.example', agent: false })), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  // Whom the clients above refused is told as well.
  const told = new Promise((resolve) => {
    server.on('clientError', (error, socket) => {
      socket.destroy();
      if (error.code !== 'ECONNRESET') resolve(error);
    });
  });
  const plain = http.get({ host: '127.0.0.1', port: server.address().port, agent: false });
  plain.on('error', () => {});
  assert.strictEqual((await told).code, 'ERR_SSL_HTTP_REQUEST');
  server.closeAllConnections();
  server.close();
  assert.throws(() => https.get('http://127.0.0.1'), { code: 'ERR_INVALID_PROTOCOL' });
}

async function tunnel() {
  const server = await listen({}, (request, response) => response.end('through'));
  const asked = [];
  const proxy = http.createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url);
    if (request.url.startsWith('refused')) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const [host, port] = request.url.split(':');
    const upstream = net.connect(port, host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    for (const one of [socket, upstream]) one.on('error', () => {});
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const agent = new https.Agent({ proxyEnv: { https_proxy: `http://127.0.0.1:${proxy.address().port}` } });
  assert.strictEqual((await fetchText(options(server, { agent }))).text, 'through');
  assert.deepStrictEqual(asked, [`127.0.0.1:${server.address().port}`]);
  await assert.rejects(fetchText({ host: 'refused', port: 1, agent }), { code: 'ERR_PROXY_TUNNEL', statusCode: 403 });
  server.close();
  proxy.close();
  proxy.closeAllConnections();
}

(async () => {
  await requests();
  await errors();
  await tunnel();
  console.log('ok');
})();
