// S97: 'listening' comes before every 'connection', though another process keeps calling the port before, while and after it is bound.
// Each of a thousand servers (as many as twenty seconds allow) is bound to the same port anew and must see 'listening' first, then one of those callers.
'use strict';
const assert = require('node:assert');
const { fork } = require('node:child_process');
const net = require('node:net');

const kServers = 1000;
const kEnough = 50; // on a machine that has no time for a thousand
const start = process.uptime();

// The caller: eight calls at a time, each followed by the next, refused or not.
function hammer(port) {
  const call = () => net.connect(port, '127.0.0.1').on('error', () => {}).on('connect', function() { this.destroy(); }).on('close', call);
  for (let i = 0; i < 8; i++) call();
}

function serve(port, left, caller) {
  const events = [];
  const server = net.createServer();
  server.on('connection', (socket) => {
    socket.on('error', () => {}).destroy();
    events.push('connection');
    if (events.filter((name) => name === 'connection').length > 1) return;
    server.close(() => {
      assert.deepStrictEqual(events.slice(0, 2), ['listening', 'connection']);
      assert.strictEqual(events.indexOf('listening', 1), -1);
      const isLate = process.uptime() - start > 20 && kServers - left >= kEnough;
      if (left > 1 && !isLate) serve(port, left - 1, caller);
      else caller.kill('SIGKILL');
    });
  });
  server.listen(port, '127.0.0.1');
  server.on('listening', () => events.push('listening'));
}

if (process.argv[2]) {
  hammer(Number(process.argv[2]));
} else {
  const first = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = first.address();
    first.close(() => serve(port, kServers, fork(__filename, [String(port)])));
  });
}
