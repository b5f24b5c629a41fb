// Random bytes and messages for a program that runs and for one that is stopped: changed commands, wrong types, deep nesting, huge ids, binary
// and fragmented frames, halves of messages, connections that vanish. The inspector answers or closes the connection; the program goes on
// and ends as it would have. Each connection has its own seed, which a failure names; RONDO_DEEP=1 makes twenty times as many.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { methods } = require('../../fixtures/inspector_methods.js');

const connections = process.env.RONDO_DEEP === '1' ? 240 : 12;
const program = `var n = 0; setInterval(function counts() { n++; }, 5);
process.stdin.on('end', () => process.exit(7)).resume();`;

class Random {
  constructor(seed) { this.state = seed >>> 0; }
  // Marsaglia's xorshift.
  below(limit) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state = (this.state ^ (this.state << 5)) >>> 0;
    return this.state % limit;
  }
  of(list) { return list[this.below(list.length)]; }
}

// ---- messages ----

const fields = ['expression', 'objectId', 'scriptId', 'url', 'urlRegex', 'lineNumber', 'columnNumber', 'location', 'start', 'end', 'callFrameId', 'scopeNumber',
  'variableName', 'newValue', 'arguments', 'functionDeclaration', 'contextId', 'uniqueContextId', 'maxDepth', 'interval', 'patterns', 'positions', 'query', 'state', 'name',
  'breakpointId', 'condition', 'sessionId', 'message', 'requestId', 'returnByValue', 'generatePreview', 'awaitPromise', 'objectGroup', 'ownProperties', 'mode'];
const plain = ['n', '[n]', 'n.x', '"text"', '({ a: [n] })', '1', '.*', 'all', 0, 1, -1, 2 ** 31, 2 ** 53, 1e300, -0.5, true, false, null, '', '\u0000', '\ud800', '\u{1f600}',
  '(', 'x'.repeat(70_000)];

function value(random, depth = 0) {
  const kind = depth > 4 ? 0 : random.below(8);
  if (kind === 1) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  if (kind === 2) return parameters(random, depth + 1);
  if (kind === 3) return { scriptId: '1', lineNumber: value(random, 5), columnNumber: value(random, 5) };
  return random.of(plain);
}
function parameters(random, depth) {
  const result = {};
  for (let i = random.below(5); i > 0; i--) result[random.of(fields)] = value(random, depth);
  return result;
}

function command(random) {
  const ids = [random.below(1000), -1, 2 ** 31, 2 ** 53, 1.5, '7', null, [], {}];
  const message = { id: random.below(3) ? ids[0] : random.of(ids), method: random.of(methods), params: parameters(random, 0) };
  if (!random.below(8)) delete message[random.of(['id', 'method', 'params'])];
  if (!random.below(8)) message[random.of(['id', 'method', 'params', 'sessionId'])] = value(random);
  return JSON.stringify(message);
}

function text(random) {
  const kind = random.below(12);
  if (kind === 0) return random.of(['[', '{"a":', '{"id":1,"method":"Runtime.enable","params":{"a":']).repeat(1 + random.below(20_000));
  if (kind === 1) return `{"id":${'9'.repeat(1 + random.below(400))},"method":"Runtime.enable"}`;
  let made = command(random);
  if (kind > 6) return made;
  for (let i = 1 + random.below(4); i > 0; i--) {
    const at = random.below(made.length);
    const length = random.below(6);
    made = made.slice(0, at) + random.of(['', '"', '\\', '{', '}', '[', ',', ':', '\u0000', 'e', '9', '\\u12']) + made.slice(at + length);
  }
  return made;
}

// ---- frames ----

const kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;

function frame(random, opcode, payload, { isLast = true, isMasked = true, length = payload.length, flags = 0 } = {}) {
  const head = [(isLast ? 128 : 0) | flags | opcode];
  const mask = isMasked ? 128 : 0;
  if (length < 126) head.push(mask | length);
  else if (length < 65536) head.push(mask | 126, length >> 8, length & 255);
  else head.push(mask | 127, ...Buffer.from(BigInt(length).toString(16).padStart(16, '0'), 'hex'));
  if (!isMasked) return Buffer.concat([Buffer.from(head), payload]);
  const key = Buffer.from([random.below(256), random.below(256), random.below(256), random.below(256)]);
  return Buffer.concat([Buffer.from(head), key, payload.map((byte, i) => byte ^ key[i % 4])]);
}

// Of the kind that a client may send; a few are not, after which the connection is over.
function frames(random) {
  const payload = Buffer.from(text(random));
  const kind = random.below(40);
  if (kind < 24) return frame(random, kText, payload);
  if (kind < 32) {
    const cut = random.below(payload.length + 1), next = cut + random.below(payload.length - cut + 1);
    return Buffer.concat([frame(random, kText, payload.subarray(0, cut), { isLast: false }), frame(random, kPing, Buffer.from('between')),
      frame(random, kContinuation, payload.subarray(cut, next), { isLast: false }), frame(random, kContinuation, payload.subarray(next))]);
  }
  if (kind < 34) return frame(random, random.of([kPing, kPong]), payload.subarray(0, 125));
  if (kind < 36) return frame(random, kBinary, payload);
  if (kind === 36) return frame(random, kText, Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]));
  if (kind === 37) return frame(random, random.below(16), payload, { isMasked: random.below(2) === 0, flags: 16 * random.below(8), isLast: random.below(2) === 0 });
  if (kind === 38) return frame(random, kText, payload, { length: random.of([payload.length + 7, 2 ** 31, 2 ** 53]) });
  return frame(random, kClose, payload.subarray(0, random.below(126)));
}

// ---- connections ----

// Sends frames to the inspector at `at`, then a question; resolves when that is answered or the connection is closed. Some vanish before.
async function attack(at, seed) {
  const random = new Random(seed);
  const socket = net.connect(at.port, at.host);
  socket.on('error', () => {});
  const closed = new Promise((resolve) => { socket.on('close', resolve); });
  let got = '';
  const answered = new Promise((resolve) => {
    socket.on('data', (data) => {
      got = (got + data.toString('latin1')).slice(-100_000);
      if (got.includes('"answered42"')) resolve();
    });
  });
  socket.write(`GET ${at.path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
  for (const method of ['Runtime.enable', 'Debugger.enable']) {
    if (random.below(2)) socket.write(frame(random, kText, Buffer.from(JSON.stringify({ id: 1, method }))));
  }
  for (let i = 5 + random.below(30); i > 0; i--) {
    const bytes = frames(random);
    const cut = random.below(4) ? bytes.length : random.below(bytes.length);
    socket.write(bytes.subarray(0, cut));
    if (cut < bytes.length) {
      await new Promise(setImmediate);
      socket.write(bytes.subarray(cut));
    }
  }
  const end = random.below(4);
  if (end === 0) {
    socket.write(frame(random, kText, Buffer.from(command(random))).subarray(0, 9));
    socket.destroySoon();
  } else if (end === 1) {
    socket.write(frame(random, kText, Buffer.from('{"id":2,"method":"Debugger.pause"}')));
    socket.resetAndDestroy();
  } else {
    const question = JSON.stringify({ id: 3, method: 'Runtime.evaluate', params: { expression: '"answered" + 6 * 7' } });
    socket.write(frame(random, kText, Buffer.from(question)));
    // Half a frame before it, and the question is a part of that.
    socket.end();
  }
  await Promise.race([answered, closed]);
  socket.destroy();
  await closed;
}

async function connect(at) {
  const socket = new WebSocket(`ws://${at.host}:${at.port}${at.path}`);
  await once(socket, 'open');
  let last = 0, isPaused = false, isEvaluating = false, onPaused;
  const waiting = new Map();
  const send = (method, params) => new Promise((resolve) => {
    waiting.set(++last, resolve);
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  socket.onmessage = ({ data }) => {
    const { id, method, result } = JSON.parse(data);
    if (method === 'Debugger.resumed') isPaused = false;
    if (method === 'Debugger.paused') {
      isPaused = true;
      // A step that an attacker began stops in the question itself.
      if (isEvaluating) send('Debugger.resume');
      onPaused?.();
    }
    waiting.get(id)?.(result);
  };
  const evaluate = async (expression) => {
    isEvaluating = true;
    const answer = await send('Runtime.evaluate', { expression });
    isEvaluating = false;
    assert.strictEqual(answer.exceptionDetails, undefined, JSON.stringify(answer));
    return answer.result.value;
  };
  // An attacker may have resumed it.
  const stop = async () => {
    while (!isPaused) {
      const paused = new Promise((resolve) => { onPaused = resolve; });
      await send('Debugger.pause');
      await paused;
    }
  };
  return { socket, send, evaluate, stop };
}

async function attackAll(isStopped, seed) {
  const child = spawn(process.execPath, ['--inspect=0', '-e', program], { stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  const exited = once(child, 'exit');
  const at = await new Promise((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (data) => {
      stderr = (stderr + data).slice(-20_000);
      const match = /ws:\/\/(127\.0\.0\.1):(\d+)(\/\S+)/.exec(stderr);
      if (match) resolve({ host: match[1], port: Number(match[2]), path: match[3] });
    });
  });
  const ended = exited.then(([code, signal]) => { throw new Error(`the program ended (${code ?? signal}), seed ${seed}: ${stderr}`); });
  ended.catch(() => {});
  const work = (async () => {
    const control = await connect(at);
    if (isStopped) await control.send('Debugger.enable');
    for (const last = seed + connections; seed < last; seed++) {
      if (isStopped) await control.stop();
      await attack(at, seed * 2_654_435_761);
      assert.strictEqual(await control.evaluate('6 * 7'), 42, `seed ${seed}`);
    }
    control.socket.close();
    // It counts on: a breakpoint or a stop of an attacker went with its connection.
    const after = await connect(at);
    const before = await after.evaluate('n');
    while (await after.evaluate('n') === before) await new Promise(setImmediate);
    after.socket.close();
  })();
  await Promise.race([work, ended]);
  child.stdin.end();
  const [code, signal] = await exited;
  assert.deepStrictEqual([code, signal], [7, null], stderr);
}

attackAll(false, 1).then(() => attackAll(true, 10_001));
