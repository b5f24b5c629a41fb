// Reload: new workers start, old ones leave, and of a client's steady requests none is refused or lost.
'use strict';
const assert = require('assert');
const cluster = require('cluster');
const { once } = require('events');
const net = require('net');

if (cluster.isWorker) {
  net.createServer((socket) => {
    socket.once('data', (data) => setTimeout(() => socket.end(`${cluster.worker.id} ${data}`), 2));
  }).listen(0, '127.0.0.1');
} else {
  const start = async () => {
    const worker = cluster.fork();
    const [{ port }] = await once(worker, 'listening');
    return { worker, port };
  };
  (async () => {
    let workers = [await start(), await start()];
    const { port } = workers[0];
    let isOver = false;
    const answered = new Map();
    async function client(name) {
      for (let i = 0; !isOver; i++) {
        const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
        socket.write(`${name}-${i}`);
        const [id, text] = (await socket.toArray()).join('').split(' ');
        assert.strictEqual(text, `${name}-${i}`);
        answered.set(id, (answered.get(id) ?? 0) + 1);
      }
    }
    const clients = Promise.all(['a', 'b', 'c', 'd'].map(client));
    for (let round = 0; round < 2; round++) {
      const old = workers;
      workers = [await start(), await start()];
      for (const { worker } of old) {
        worker.disconnect();
        assert.deepStrictEqual(await once(worker, 'exit'), [0, null]);
      }
      const before = [...answered.values()].reduce((a, b) => a + b);
      while ([...answered.values()].reduce((a, b) => a + b) < before + 8) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    isOver = true;
    await clients;
    assert.deepStrictEqual([...answered.keys()].toSorted(), ['1', '2', '3', '4', '5', '6']);
    cluster.disconnect();
  })();
}
