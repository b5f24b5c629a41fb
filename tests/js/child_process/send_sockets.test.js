// A server and its connections handed to a child: both sides accept, closing one side leaves the other.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { fork } = require('node:child_process');

if (process.argv[2] === 'child') {
  process.on('message', (what, object) => {
    if (what === 'socket') {
      assert(object instanceof net.Socket);
      object.end('from the child');
    } else {
      assert(object instanceof net.Server && object.listening);
      object.on('connection', (socket) => {
        socket.end('by the child');
        object.close();
        process.disconnect();
      });
      process.send('ready');
    }
  });
} else {
  const child = fork(__filename, ['child']);
  const heard = [];
  const read = (port, done) => {
    let text = '';
    net.connect(port, '127.0.0.1').setEncoding('utf8').on('data', (data) => { text += data; }).on('close', () => {
      heard.push(text);
      done?.();
    });
  };
  const server = net.createServer({ pauseOnConnect: true }, (socket) => {
    child.send('socket', socket, (error) => assert.strictEqual(error, null));
    assert.strictEqual(socket._handle, null);
  }).listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    read(port, () => child.send('server', server));
    // Our accept is under way until the handle is gone; only then is the child alone.
    child.on('message', () => {
      const handle = server._handle;
      server._handle = null;
      handle.close(() => read(port));
    });
  });
  child.on('exit', (code) => heard.push(code));
  process.on('exit', () => assert.deepStrictEqual(heard.sort(), [0, 'by the child', 'from the child']));
}
