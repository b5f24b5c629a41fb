// Messages that no client would send: every method with parameters of every wrong kind, texts that are no messages, frames that are no
// frames, a debugger that goes while the program is stopped. Each is answered or ends its connection; the program goes on.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const http = require('node:http');
const inspector = require('node:inspector');
const net = require('node:net');
const { methods: names } = require('../../fixtures/inspector_methods.js');

// ---- every method, in this process ----

const session = new inspector.Session();
session.connect();
const fields = ['expression', 'objectId', 'scriptId', 'url', 'lineNumber', 'columnNumber', 'location', 'start', 'end', 'callFrameId', 'scopeNumber', 'variableName',
  'newValue', 'arguments', 'functionDeclaration', 'executionContextId', 'maxDepth', 'size', 'interval', 'samplingInterval', 'patterns', 'positions', 'uniqueIds', 'query',
  'isRegex', 'state', 'name', 'breakpointId', 'condition', 'sessionId', 'message', 'requestId', 'timeout', 'active', 'skip', 'enabled', 'detailed'];
const values = [null, true, -1, 1e300, 2 ** 53, '', '\u0000', '((', 'x'.repeat(5000), [], [[[]]], {}, { __proto__: null, lineNumber: {} }, { value: { toString: 1 } }];
let answers = 0;
function post(method, params) {
  const before = answers;
  session.post(method, params, () => answers++);
  return answers > before;
}
for (const name of names) post(name);
for (const [i, value] of values.entries()) {
  const params = Object.fromEntries(fields.map((field) => [field, value]));
  for (const name of names) post(name, params);
  // One field wrong, the others likely.
  for (const [j, name] of names.entries()) {
    post(name, { expression: '1', scriptId: '1', url: 'x', lineNumber: 0, location: { scriptId: '1', lineNumber: 0 }, [fields[(i * 7 + j) % fields.length]]: value });
  }
}
for (const name of ['Debugger.disable', 'Profiler.disable', 'Runtime.disable']) assert(post(name));
let sum;
session.post('Runtime.evaluate', { expression: '20 + 22' }, (error, { result }) => { sum = result.value; });
assert.strictEqual(sum, 42);
// A command that cannot do its work says so.
const refused = [];
for (const name of ['Debugger.restartFrame', 'Debugger.setScriptSource', 'Debugger.setReturnValue'])
  session.post(name, {}, (error) => { refused.push(error?.code); });
assert.deepStrictEqual(refused, Array(3).fill('ERR_INSPECTOR_COMMAND'));
session.disconnect();

// ---- over the wire ----

const program = `let n = 0; setInterval(() => { n++; }, 5); setTimeout(function stops() { debugger; console.log('went on'); }, 100);
process.stdin.on('end', () => process.exit(7)).resume();`;
const child = spawn(process.execPath, ['--inspect=0', '-e', program], { stdio: ['pipe', 'pipe', 'pipe'] });
let stderr = '', stdout = '';
child.stdout.on('data', (data) => { stdout += data; });
const address = new Promise((resolve) => {
  child.stderr.on('data', (data) => {
    stderr += data;
    const match = /ws:\/\/(127\.0\.0\.1):(\d+)(\/\S+)/.exec(stderr);
    if (match) resolve({ host: match[1], port: Number(match[2]), path: match[3] });
  });
});

// Sends bytes as they are; resolves when the other end is closed or has answered.
function raw({ host, port }, bytes) {
  return new Promise((resolve) => {
    const socket = net.connect(port, host, () => socket.write(bytes));
    let got = '';
    socket.on('data', (data) => {
      got += data.toString('latin1');
      if (got.length > 10) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
    setTimeout(() => socket.destroy(), 300).unref();
  });
}

async function connect(at) {
  const socket = new WebSocket(`ws://${at.host}:${at.port}${at.path}`);
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
  let last = 0;
  const waiting = new Map();
  const events = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.id === undefined) events.push(message);
    else waiting.get(message.id)?.(message);
  };
  const send = (method, params) => new Promise((resolve) => {
    waiting.set(++last, resolve);
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  return { socket, send, events };
}

(async () => {
  const at = await address;
  const upgrade = `GET ${at.path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x==\r\n\r\n`;
  for (const bytes of ['\r\n\r\n', 'GET', '\0'.repeat(100000), 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', `POST ${at.path} HTTP/1.1\r\n\r\n`,
    `${upgrade}\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff`, `${upgrade}\x81\x7e\xff\xff`, `${upgrade}\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff0000`,
    `${upgrade}\x09\x80`, `${upgrade}\x81\x05hello`]) {
    await raw(at, Buffer.from(bytes, 'latin1'));
  }
  const client = await connect(at);
  for (const text of ['', '{', 'null', '[]', '5', '{}', '{"id":"x"}', '{"id":1e400}', '{"id":9,"method":5}', '{"id":9,"method":"Runtime.enable","params":[]}',
    '['.repeat(50000), '{"id":9,"method":"__proto__.toString"}', '{"id":9,"method":"constructor"}', '{"id":9,"method":"Runtime.__proto__"}']) {
    client.socket.send(text);
  }
  client.socket.send(new Uint8Array([1, 2, 3]));
  const { socket, send, events } = await connect(at);
  assert.strictEqual((await send('Runtime.evaluate', { expression: 'typeof n' })).result.result.value, 'number');
  // It goes while the program is stopped, without a word.
  await send('Debugger.enable');
  await send('Runtime.evaluate', { expression: 'setTimeout(() => { debugger; }, 1)' });
  while (!events.some(({ method }) => method === 'Debugger.paused')) await new Promise((resolve) => setImmediate(resolve));
  socket.close();
  client.socket.close();
  while (!stdout.includes('went on')) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve, reject) => http.get({ host: at.host, port: at.port, path: '/json/list' }, resolve).on('error', reject));
  child.stdin.end();
  const [code, signal] = await require('node:events').once(child, 'exit');
  assert.deepStrictEqual([code, signal], [7, null], stderr);
})();
