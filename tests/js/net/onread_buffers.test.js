// options.onread.buffer as a function: asked for the first piece, and again after each, for the next.
'use strict';
const assert = require('node:assert');
const net = require('node:net');

const server = net.createServer((socket) => socket.end('hello world'));
server.listen(0, '127.0.0.1', () => {
  const pool = [Buffer.alloc(4), Buffer.alloc(4)];
  let asked = 0;
  let text = '';
  net.connect({
    port: server.address().port,
    host: '127.0.0.1',
    onread: {
      buffer: () => pool[asked++ % 2],
      callback(size, buffer) {
        assert.strictEqual(buffer, pool[(asked - 1) % 2]);
        text += buffer.toString('latin1', 0, size);
      },
    },
  }).on('end', () => {
    assert.strictEqual(text, 'hello world');
    assert.strictEqual(asked, 4);
    server.close();
  });
});
