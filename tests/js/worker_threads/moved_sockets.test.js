// A TCP connection and a listening server go to another thread by the transfer list, with what waits in the kernel; whoever sent them has
// them no longer. One that somebody has used cannot go, and stays usable.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { once } = require('node:events');
const { MessageChannel, Worker } = require('node:worker_threads');

const kCode = 'ERR_WORKER_HANDLE_NOT_TRANSFERABLE';

async function textOf(socket) {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return text;
}

async function listening(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}

// Two connections to two threads; the first worker hands its own on to the second.
async function sockets() {
  const program = `const { parentPort, threadId } = require('node:worker_threads');
    function take({ socket, next, port }) {
      if (port) return port.on('message', take);
      if (next) return next.postMessage({ socket }, [socket]);
      socket.setEncoding('utf8').on('data', (text) => socket.end(threadId + ' got ' + text));
    }
    parentPort.on('message', take);`;
  const first = new Worker(program, { eval: true }), second = new Worker(program, { eval: true });
  let isFirst = true;
  const server = net.createServer((socket) => {
    const { port1, port2 } = new MessageChannel();
    if (isFirst) second.postMessage({ port: port1 }, [port1]);
    first.postMessage(isFirst ? { socket, next: port2 } : { socket }, isFirst ? [socket, port2] : [socket]);
    isFirst = false;
    assert.deepStrictEqual([socket._handle, socket.destroyed, socket.writable], [null, true, false]);
    socket.write('too late', (error) => assert.strictEqual(error.code, 'ERR_STREAM_DESTROYED'));
  });
  const port = await listening(server);
  const ids = [];
  for (const word of ['one', 'two']) {
    const client = net.connect(port, '127.0.0.1');
    client.write(word);
    const [, id, got] = (await textOf(client)).match(/^(\d+) got (.*)$/);
    ids.push(Number(id));
    assert.strictEqual(got, word);
  }
  assert.deepStrictEqual(ids, [second.threadId, first.threadId]);
  server.close();
  await once(server, 'close');  // it counts them as gone
  await Promise.all([first.terminate(), second.terminate()]);
}

// What came before the first read goes along: the client has written and ended, and the socket rests in this thread for a while.
async function waiting() {
  const worker = new Worker(`require('node:worker_threads').parentPort.on('message', ({ socket }) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk)).on('end', () => socket.end(text.toUpperCase()));
  })`, { eval: true });
  const server = net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => setImmediate(() => setImmediate(() => {
    worker.postMessage({ socket }, [socket]);
  })));
  const client = net.connect(await listening(server), '127.0.0.1');
  client.end('early words');
  assert.strictEqual(await textOf(client), 'EARLY WORDS');
  server.close();
  await worker.terminate();
}

async function servers() {
  const worker = new Worker(`const { parentPort, threadId } = require('node:worker_threads');
    parentPort.on('message', ({ server }) => {
      server.on('connection', (socket) => socket.end('by ' + threadId + ' ' + server.allowHalfOpen));
      server.on('listening', () => parentPort.postMessage(server.address().port));
    })`, { eval: true });
  const server = net.createServer({ allowHalfOpen: true }, () => assert.fail('it listens elsewhere'));
  const port = await listening(server);
  worker.postMessage({ server }, [server]);
  assert.deepStrictEqual([server._handle, server.listening], [null, false]);
  const clients = [1, 2, 3].map(() => net.connect(port, '127.0.0.1'));
  assert.deepStrictEqual(await once(worker, 'message'), [port]);
  for (const client of clients) assert.strictEqual(await textOf(client), `by ${worker.threadId} true`);
  await worker.terminate();
  const late = net.connect(port, '127.0.0.1');
  assert.strictEqual((await once(late, 'error'))[0].code, 'ECONNREFUSED');
}

// Refused, and unharmed. A message that nobody takes closes what it carries.
async function refusals() {
  const { port1, port2 } = new MessageChannel();
  for (const [name, made] of [['Socket', new net.Socket()], ['Server', net.createServer()]]) {
    assert.throws(() => port1.postMessage(made, [made]), {
      code: kCode, message: `net.${name} cannot be transferred in its current state; it must be a freshly created or accepted handle ` +
        'that has not started reading and has no pending writes',
    });
    assert.throws(() => port1.postMessage({ made }), { name: 'DataCloneError', message: /^Object that needs transfer was found in message/ });
  }
  const server = net.createServer();
  const client = net.connect(await listening(server), '127.0.0.1');
  const [socket] = await once(server, 'connection');
  client.write('hello');
  assert.strictEqual(`${(await once(socket, 'data'))[0]}`, 'hello');
  assert.throws(() => port1.postMessage({ socket, server }, [server, socket]), { code: kCode });
  assert.ok(server.listening, 'nothing was taken');
  socket.end('still here');
  assert.strictEqual(await textOf(client), 'still here');

  const other = net.connect(server.address().port, '127.0.0.1');
  server.once('connection', (fresh) => port1.postMessage({ fresh }, [fresh]));
  await once(server, 'connection');
  port2.close();
  assert.strictEqual(await textOf(other), '');
  server.close();
}

let done = false;
(async () => {
  await sockets();
  await waiting();
  await servers();
  await refusals();
  done = true;
})();
process.on('exit', () => assert.ok(done));
