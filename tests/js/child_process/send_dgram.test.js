// A datagram socket goes to a child as a net.Socket does, and both may receive on it; in a cluster all workers share one.
'use strict';
const assert = require('assert');
const cluster = require('cluster');
const dgram = require('dgram');
const { fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('message', (message, socket) => {
    assert.ok(socket instanceof dgram.Socket);
    socket.on('message', (bytes) => {
      process.send(`${bytes}`);
      socket.close();
      process.disconnect();
    });
    process.send('ready');
  });
} else if (cluster.isWorker) {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1', () => process.send(socket.address().port));
} else {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1', () => {
    const { port } = socket.address();
    const child = fork(__filename, ['child']);
    const heard = [];
    child.send('socket', socket, () => socket.close());
    child.on('message', (message) => {
      heard.push(message);
      if (message !== 'ready') return;
      const client = dgram.createSocket('udp4');
      client.send('a datagram', port, '127.0.0.1', () => client.close());
    });
    child.on('exit', (code) => {
      assert.deepStrictEqual([code, heard], [0, ['ready', 'a datagram']]);
      shareInCluster();
    });
  });
}

function shareInCluster() {
  const ports = [];
  for (let i = 0; i < 2; i++) {
    cluster.fork().on('message', (port) => {
      ports.push(port);
      if (ports.length === 2) cluster.disconnect(() => assert.strictEqual(ports[0], ports[1]));
    });
  }
}
