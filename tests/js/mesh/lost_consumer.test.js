'use strict';
// A consumer that the server has lost is made again: a request to none is not answered. (nats-server 2.9.10 loses one now and then when it
// resets the state of a stream; jobs of its partition would wait for ever.)
const assert = require('node:assert');
const { complete, hasNats, startNats, until } = require('../../fixtures/mesh');
const { connect } = require('rondo:mesh');
const net = require('node:net');

// Deletes it as an administrator would: DELETE of JetStream's API.
function remove(server, consumer) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.port, '127.0.0.1');
    let text = '';
    socket.on('error', reject);
    socket.on('data', (data) => {
      text += data.latin1Slice();
      if (!text.includes('"success":true')) return;
      socket.destroy();
      resolve();
    });
    socket.write(`CONNECT {"verbose":false}\r\nSUB answer 1\r\nPUB $JS.API.CONSUMER.DELETE.RONDO_Q_lost.${consumer} answer 0\r\n\r\n`);
  });
}

complete(async () => {
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  const server = await startNats();
  const mesh = await connect({ servers: server.url });
  const queue = mesh.queue('lost');
  await queue.push('first');
  const seen = [];
  for await (const job of queue.work({ concurrency: 1 })) {
    seen.push(job.value);
    if (seen.length === 1) {
      // The worker has its job and no request at the consumer, which could say that it is deleted.
      await remove(server, 'w');
      await queue.push('second');
    }
    await job.done();
    if (job.value === 'second') break;
  }
  assert.strictEqual(seen[0], 'first'); // and perhaps again: nobody knew that it was done
  assert.strictEqual(seen.at(-1), 'second');
  await until(async () => (await queue.count()) === 0);
  await mesh.close();
  await server.stop();
});
