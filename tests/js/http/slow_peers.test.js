// Peers that do not take what they asked for, or do not give what they promised: each ends by a limit, memory stays bounded while they
// last, and the other side hears of the end once.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const listen = async (server) => { await once(server.listen(0, '127.0.0.1'), 'listening'); return server.address().port; };
const end = async (server) => { server.close(); server.closeAllConnections?.(); await once(server, 'close'); };
const turns = async (count) => { for (let i = 0; i < count; i++) await new Promise(setImmediate); };

// Waits until `value()` has not changed for a while of turns.
async function settled(value) {
  for (let before; before !== value();) {
    before = value();
    await turns(50);
  }
}

// A client that never reads its answer: the program is held back by 'drain', and the server's time-out ends it.
async function slowAnswer() {
  let written = 0;
  let closes = 0;
  const server = http.createServer((req, res) => {
    const more = () => { while ((written++, res.write(Buffer.alloc(65_536)))); };
    res.on('drain', more).on('close', () => closes++);
    more();
  });
  server.setTimeout(300);
  const timedOut = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  const port = await listen(server);
  const client = net.connect(port, '127.0.0.1').on('error', () => {});
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await timedOut;
  assert.strictEqual(closes, 1);
  assert(written < 1000, `${written} pieces of 64 KiB for a client that takes none`);
  client.destroy();
  await end(server);
}

// A handler that does not read: the client is held back, and what it sent in vain is no memory of the server's.
async function unreadBody() {
  let request;
  const server = http.createServer((req) => { request = req; });
  const port = await listen(server);
  const client = http.request({ port, host: '127.0.0.1', method: 'POST', agent: false }).on('error', () => {});
  const before = process.memoryUsage().rss;
  let sent = 0;
  const more = () => { while (sent < 2000 && (sent++, client.write(Buffer.alloc(65_536)))); };
  client.on('drain', more);
  more();
  while (request === undefined) await turns(1);
  await settled(() => sent);
  assert(sent < 1000, `${sent} pieces of 64 KiB went to a handler that reads none`);
  assert(request.readableLength < 1_000_000);
  assert(process.memoryUsage().rss - before < 80_000_000);
  // And reads on where it stopped.
  let read = 0;
  request.on('data', (piece) => { read += piece.length; });
  const ended = once(request, 'end');
  while (sent < 2000) await turns(1);
  client.end();
  await ended;
  assert(read >= 2000 * 65_536);
  client.destroy();
  await end(server);
}

// Servers that break off in every state: the request hears of it once, and so does the response if there is one.
async function brokenAnswers() {
  const states = {
    nothing: ['', 'ECONNRESET'],
    'within the status': ['HTTP/1.1 20', 'ECONNRESET HPE_INVALID_EOF_STATE'],
    'within the head': ['HTTP/1.1 200 OK\r\nContent-', 'ECONNRESET HPE_INVALID_EOF_STATE'],
    'before the body': ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 'ECONNRESET'],
    'within the body': ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'ECONNRESET'],
    'within a chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', 'ECONNRESET'],
    'within the trailers': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nA:', 'ECONNRESET'],
    garbage: ['\0\0\0\0 what is this', 'HPE_INVALID_CONSTANT'],
  };
  let text;
  let how;
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (text === '' ? socket[how]() : socket.write(text, 'latin1', () => socket[how]())));
  });
  const port = await listen(server);
  for (const [name, [said, codes]] of Object.entries(states)) {
    for (how of ['destroy', 'resetAndDestroy']) {
      text = said;
      const errors = { request: [], response: [] };
      let closes = 0;
      const request = http.get({ port, host: '127.0.0.1', agent: false });
      request.on('error', (error) => errors.request.push(error.code));
      request.on('response', (res) => res.on('error', (error) => errors.response.push(error.code)).resume());
      await new Promise((resolve) => request.on('close', () => { closes++; resolve(); }));
      await turns(3);
      const all = [...errors.request, ...errors.response];
      assert(all.length > 0 && errors.request.length < 2 && errors.response.length < 2, `${name}, ${how}: ${JSON.stringify(errors)}`);
      for (const code of all) assert(`${codes} ECONNRESET`.includes(code), `${name}, ${how}: ${code}`);
      assert.strictEqual(closes, 1);
    }
  }
  server.close();
  await once(server, 'close');
}

// A server that never answers: the request's time-out, or an AbortSignal, ends it, and the socket goes.
async function noAnswer() {
  const sockets = new Set();
  const server = net.createServer((socket) => { sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)).resume()); });
  const port = await listen(server);
  const late = http.get({ port, host: '127.0.0.1', agent: false, timeout: 50 });
  await once(late, 'timeout');
  late.destroy(new Error('late'));
  assert.strictEqual((await once(late, 'error'))[0].message, 'late');
  await assert.rejects(once(http.get({ port, host: '127.0.0.1', agent: false, signal: AbortSignal.timeout(50) }), 'response'), { code: 'ABORT_ERR' });
  while (sockets.size > 0) await turns(1);
  server.close();
  await once(server, 'close');
}

(async () => { for (const part of [slowAnswer, unreadBody, brokenAnswers, noAnswer]) await part(); })();
