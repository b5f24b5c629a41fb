'use strict';
// --experimental-network-inspection: requests of http, fetch and http2 are told to a session with the Network domain on, with their bodies; those
// of a program without the option are not. Resources that a program puts are read by IO.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const http2 = require('node:http2');
const { NetworkResources, Session } = require('node:inspector');

if (process.argv[2] !== 'child') {
  const options = ['--experimental-network-inspection', '--experimental-inspector-network-resource'];
  for (const given of [options, []]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...given, __filename, 'child', `${given.length}`], { encoding: 'utf8' });
    assert.strictEqual(status, 0, stdout + stderr);
  }
  console.log('ok');
  return;
}

const isOn = process.argv[3] !== '0';
const session = new Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => (answer = error ?? result));
  return answer;
};
post('Network.enable');
const events = [];
session.on('inspectorNotification', ({ method, params }) => events.push({ name: method.slice('Network.'.length), params }));

function check(url, type) {
  if (!isOn) return assert.deepStrictEqual(events.splice(0), []);
  const [sent, received, finished] = events.splice(0);
  assert.deepStrictEqual([sent.name, sent.params.request.url, sent.params.request.method], ['requestWillBeSent', url, 'POST']);
  assert.strictEqual(sent.params.initiator.type, 'script');
  const { response } = received.params;
  assert.deepStrictEqual([received.name, received.params.type, response.status, response.mimeType], ['responseReceived', type, 200, 'text/plain']);
  assert.strictEqual(finished.name, 'loadingFinished');
  const { requestId } = sent.params;
  assert.deepStrictEqual(post('Network.getResponseBody', { requestId }), { body: 'answer', base64Encoded: false });
  assert.match(post('Network.getResponseBody', { requestId: 'none' }).message, /Request not found/);
  return sent.params;
}

const answer = (_request, response) => {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end('answer');
};
async function overHttp(port) {
  const url = `http://127.0.0.1:${port}/one?two`;
  const request = http.request(url, { method: 'POST', headers: { 'X-List': ['a', 'b'] } }).end('question');
  const [response] = await once(request, 'response');
  await response.toArray();
  const sent = check(url, 'Other');
  if (isOn) assert.strictEqual(sent.request.headers['x-list'], 'a, b');
}

async function overFetch(port) {
  const url = `http://127.0.0.1:${port}/fetched`;
  const response = await fetch(url, { method: 'POST', body: 'question', headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  assert.strictEqual(await response.text(), 'answer');
  const sent = check(url, 'Fetch');
  if (isOn) assert.deepStrictEqual(post('Network.getRequestPostData', { requestId: sent.requestId }), { postData: 'question' });
}

async function overHttp2() {
  const server = http2.createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}`;
  const client = http2.connect(address);
  const stream = client.request({ ':path': '/two', ':method': 'POST' });
  stream.end('question');
  await stream.toArray();
  await new Promise((resolve) => client.close(resolve));
  check(`${address}/two`, 'Other');
  server.close();
}

async function failing() {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(once(http.get(`http://127.0.0.1:${port}/`), 'response'), { code: 'ECONNREFUSED' });
  assert.deepStrictEqual(events.splice(0).map(({ name }) => name), isOn ? ['requestWillBeSent', 'loadingFailed'] : []);
}

function resources() {
  NetworkResources.put('http://localhost/a.map', 'text of a map');
  const { resource } = post('Network.loadNetworkResource', { url: 'http://localhost/a.map' });
  assert.strictEqual(resource.success, isOn);
  if (!isOn) return;
  const { stream: handle } = resource;
  assert.deepStrictEqual(post('IO.read', { handle, size: 4 }), { data: 'text', eof: false });
  assert.deepStrictEqual(post('IO.read', { handle }), { data: ' of a map', eof: false });
  assert.deepStrictEqual(post('IO.read', { handle }), { data: '', eof: true });
  post('IO.close', { handle });
}

const server = http.createServer(answer).listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await overHttp(port);
  await overFetch(port);
  await overHttp2();
  await failing();
  resources();
  post('Network.disable');
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  assert.deepStrictEqual(events, []);
  process.exit();
});
