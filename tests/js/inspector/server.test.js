// The inspector's server: the list of targets, whom it refuses, broken messages, a debugger that goes while the program is stopped, and one
// that attaches to a program that never returns to its loop.
'use strict';

const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { InspectorClient } = require('../../fixtures/inspector_client.js');

function get(port, path, headers = {}) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => { body += text; });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    }).on('error', reject);
  });
}

// The first line of the answer to a raw request.
function raw(port, text) {
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part) => { answer += part; });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer.split('\r\n')[0]));
  });
}

const upgrade = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;

async function refusals(client) {
  const { port, pathname } = new URL(client.url);
  const [target] = JSON.parse((await get(port, '/json/list')).body);
  assert.strictEqual(target.webSocketDebuggerUrl, client.url);
  assert.strictEqual(JSON.parse((await get(port, '/json/version')).body)['Protocol-Version'], '1.1');
  const { domains } = JSON.parse((await get(port, '/json/protocol')).body);
  assert(domains.some(({ domain }) => domain === 'Debugger'));
  for (const host of ['evil.example', 'evil.example:9229', '127.0.0.1.evil.example']) {
    assert.strictEqual((await get(port, '/json', { host })).status, 400, host);
  }
  assert.strictEqual((await get(port, '/json', { host: `localhost:${port}` })).status, 200);
  assert.match(await raw(port, upgrade('/')), /^HTTP\/1\.0 400/);
  assert.match(await raw(port, upgrade(`${pathname}0`)), /^HTTP\/1\.0 400/);
  assert.match(await raw(port, upgrade(pathname, 'Origin: https://evil.example\r\n')), /^HTTP\/1\.0 400/);
  assert.match(await raw(port, upgrade(pathname, 'Origin: http://localhost:3000\r\n')), /^HTTP\/1\.0 400/);
  for (const text of ['\0\0\0\r\n\r\n', 'GET\r\n\r\n', `GET /${'x'.repeat(20000)}`]) await raw(port, text);
  assert.strictEqual((await get(port, '/json')).status, 200);
}

async function brokenMessages(client) {
  const answers = [];
  client.socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    if (message.error) answers.push(message.error.code);
  });
  const broken = ['', '{', '[]', 'null', '1', '"x"', '{}', '{"id":"x"}', '{"id":1}', '{"id":900,"method":7}', '{"id":901,"method":"A.b","params":3}',
    '{"id":902,"method":"__proto__.x"}', '{"id":903,"method":"Runtime.__proto__"}', '{"id":904,"method":"Debugger.resume"}',
    '{"id":905,"method":"Runtime.getProperties","params":{"objectId":{}}}', '{"id":906,"method":"Runtime.evaluate","params":{"expression":"("}}'];
  for (const text of broken) client.socket.send(text);
  const deep = `${'['.repeat(100000)}${']'.repeat(100000)}`;
  client.socket.send(`{"id":907,"method":"Runtime.evaluate","params":{"expression":${deep}}}`);
  for (const line of [-1, 1e9, 2 ** 31]) await client.ask('Debugger.setBreakpointByUrl', { url: 'x', lineNumber: line });
  assert.strictEqual((await client.post('Runtime.evaluate', { expression: '6 * 7' })).result.value, 42);
  assert.strictEqual(answers.filter((code) => code <= -32000).length >= broken.length - 1, true);
}

(async () => {
  const client = await InspectorClient.start(['--inspect-brk=0', '-e', 'globalThis.isDone = false; console.log("went on");']);
  await refusals(client);
  await brokenMessages(client);
  await client.toFirstLine();
  // It goes while the program is stopped: the program goes on.
  client.socket.close();
  assert.strictEqual(await client.exited, 0);
  assert.strictEqual(client.stdout, 'went on\n');

  // A frame that no client may send ends the connection alone.
  const other = await InspectorClient.start(['--inspect-wait=0', '-e', 'console.log("ran")'], { connects: false });
  const { port, pathname } = new URL(other.url);
  const unmasked = await raw(port, `${upgrade(pathname)}\x81\x02{}`);
  assert.match(unmasked, /^HTTP\/1\.1 101/);
  await other.connect(other.url);
  await other.post('Runtime.runIfWaitingForDebugger');
  await other.until(() => other.stderr.includes('Waiting for the debugger'));
  assert.strictEqual(await other.end(), 0);
  assert.strictEqual(other.stdout, 'ran\n');

  // Busy for ever: messages interrupt it.
  const busy = await InspectorClient.start(['--inspect=0', '-e', 'globalThis.go = true; function spin() { while (go) ; } spin(); console.log("over");']);
  while ((await busy.post('Runtime.evaluate', { expression: 'globalThis.go' })).result.value !== true) ;
  await busy.post('Debugger.enable');
  await busy.post('Debugger.pause');
  const { callFrames } = await busy.event('Debugger.paused');
  assert.strictEqual(callFrames[0].functionName, 'spin');
  await busy.post('Debugger.resume');
  await busy.post('Runtime.evaluate', { expression: 'go = false' });
  await busy.until(() => busy.stderr.includes('Waiting for the debugger'));
  assert.strictEqual(await busy.end(), 0);
  assert.strictEqual(busy.stdout, 'over\n');
})();
