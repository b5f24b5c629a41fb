// With SCHED_NONE every worker accepts on the socket itself; both kinds of address work, and an address in use is the worker's error.
'use strict';
const assert = require('assert');
const cluster = require('cluster');
const net = require('net');

if (cluster.isWorker) {
  const server = net.createServer((socket) => socket.end('hello'));
  server.on('error', ({ code, syscall }) => process.send({ code, syscall }));
  server.listen(process.env.WHERE.startsWith('/') ? process.env.WHERE : { port: Number(process.env.WHERE), host: '127.0.0.1' });
  process.on('message', () => server.close(() => cluster.worker.disconnect()));
} else {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const path = require('path').join(require('fs').mkdtempSync(require('path').join(require('os').tmpdir(), 'rondo-')), 'socket');
  const taken = net.createServer().listen(0, '127.0.0.1', async () => {
    for (const where of ['0', path]) {
      const worker = cluster.fork({ WHERE: where });
      const [address] = await require('events').once(worker, 'listening');
      const client = net.connect(where === '0' ? { port: address.port, host: '127.0.0.1' } : { path: address.address });
      assert.strictEqual((await client.setEncoding('utf8').toArray()).join(''), 'hello');
      worker.send('close');
      assert.deepStrictEqual(await require('events').once(worker, 'exit'), [0, null]);
    }
    for (const policy of [cluster.SCHED_NONE, cluster.SCHED_RR]) {
      cluster.schedulingPolicy = policy;
      const worker = cluster.fork({ WHERE: taken.address().port });
      const [message] = await require('events').once(worker, 'message');
      assert.deepStrictEqual(message, { code: 'EADDRINUSE', syscall: 'bind' });
      worker.kill();
      await require('events').once(worker, 'exit');
    }
    taken.close();
  });
}
