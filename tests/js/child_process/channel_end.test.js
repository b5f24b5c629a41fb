// The end of a child with a channel: its last messages and 'disconnect' come before 'exit' however it dies; what send() takes; a listening socket
// that a child has goes on listening when it is closed here.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { once } = require('node:events');
const { fork, spawn } = require('node:child_process');

if (process.argv[2] === 'waits') {
  process.on('message', () => {});
  process.send('up');
} else if (process.argv[2] === 'sends') {
  for (let i = 0; i < 500; i++) process.send(i);
} else if (process.argv[2] === 'listens') {
  net.createServer((socket) => socket.end('child')).listen({ fd: 3 }, () => process.send('up'));
} else {
  main();
  process.on('exit', () => assert.ok(isOver));
}

function follow(child) {
  const events = [];
  child.on('message', () => { if (events.at(-1) !== 'message') events.push('message'); });
  for (const name of ['disconnect', 'exit', 'close']) child.on(name, () => events.push(name));
  return new Promise((resolve) => { child.on('close', () => resolve(events)); });
}

let isOver = false;
async function main() {
  const order = ['message', 'disconnect', 'exit', 'close'];
  for (let round = 0; round < 5; round++) {
    const killed = fork(__filename, ['waits']);
    killed.once('message', () => killed.kill('SIGKILL'));
    assert.deepStrictEqual(await follow(killed), order);
    assert.deepStrictEqual(await follow(fork(__filename, ['sends'])), order);
  }

  const child = fork(__filename, ['waits'], { serialization: 'advanced' });
  for (const message of [1n, () => {}, Symbol('s')]) assert.throws(() => child.send(message), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => child.send(), { code: 'ERR_MISSING_ARGS' });
  assert.strictEqual(child.send('x', undefined, {}, 'no function'), true);
  child.once('message', () => child.disconnect());
  await once(child, 'exit');

  const server = net.createServer((socket) => socket.end('parent')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const listener = spawn(process.execPath, [__filename, 'listens'], { stdio: ['ignore', 'inherit', 'inherit', server._handle, 'ipc'] });
  await new Promise((resolve) => { server.close(resolve); });
  await once(listener, 'message');
  let answer = '';
  for await (const data of net.connect(port, '127.0.0.1')) answer += data;
  assert.strictEqual(answer, 'child');
  listener.kill();
  await once(listener, 'exit');
  isOver = true;
}
