// Workers of a cluster share one port: the primary accepts and gives each connection to the next free worker; the event order of a
// worker's life is Node's; the last worker's leaving closes the port.
'use strict';
const assert = require('assert');
const cluster = require('cluster');
const net = require('net');

if (cluster.isWorker) {
  assert.strictEqual(process.env.NODE_UNIQUE_ID, undefined);
  net.createServer((socket) => socket.end(`${cluster.worker.id}`)).listen(0, '127.0.0.1');
} else {
  const events = [];
  const listening = [];
  const workers = [cluster.fork(), cluster.fork()];
  for (const name of ['fork', 'online', 'listening', 'disconnect', 'exit']) {
    cluster.on(name, (worker) => events.push(`${worker.id} ${name}`));
  }
  cluster.on('listening', (worker, address) => {
    assert.strictEqual(address.addressType, 4);
    listening.push(address.port);
    if (listening.length === 2) connect(address.port);
  });

  // The first server of every worker asked for port 0: it is the same port.
  async function connect(port) {
    assert.strictEqual(listening[0], listening[1]);
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await ask(port));
    assert.deepStrictEqual(answers.toSorted(), ['1', '1', '1', '2', '2', '2']);
    cluster.disconnect(async () => {
      assert.deepStrictEqual(Object.keys(cluster.workers), []);
      await assert.rejects(ask(port), { code: 'ECONNREFUSED' });
    });
  }
  function ask(port) {
    return new Promise((resolve, reject) => {
      let text = '';
      net.connect(port, '127.0.0.1').setEncoding('utf8').on('error', reject).on('data', (data) => { text += data; }).on('end', () => resolve(text));
    });
  }
  process.on('exit', () => {
    for (const { id, exitedAfterDisconnect, state } of workers) {
      const own = events.filter((e) => e.startsWith(id)).map((e) => e.slice(2));
      assert.deepStrictEqual(own.slice(0, 3), ['fork', 'online', 'listening']);
      assert.deepStrictEqual(own.slice(3).toSorted(), ['disconnect', 'exit']);
      assert.strictEqual(exitedAfterDisconnect, true);
      assert.strictEqual(state, own[4] === 'exit' ? 'dead' : 'disconnected');
    }
  });
}
