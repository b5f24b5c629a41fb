// A name with several addresses: attempts take turns by family, the program hears of each, and all failures come as one error.
'use strict';
const assert = require('node:assert');
const net = require('node:net');

const events = [];
function watch(socket, name) {
  socket.on('connectionAttempt', (address, port, family) => events.push(`${name} attempt ${address} ${family}`));
  socket.on('connectionAttemptFailed', (address, port, family, error) => events.push(`${name} failed ${address} ${error.code}`));
}
const answer = (list) => (host, options, callback) => {
  assert.strictEqual(options.all, true);
  process.nextTick(callback, null, list);
};

const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const lookup = answer([{ address: '127.0.0.2', family: 4 }, { address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 }]);
  const client = net.connect({ host: 'example.org', port, lookup, autoSelectFamily: true });
  watch(client, 'first');
  client.setEncoding('utf8').on('data', (text) => events.push(text));
  client.on('close', () => {
    assert.deepStrictEqual(client.autoSelectFamilyAttemptedAddresses, [`127.0.0.2:${port}`, `::1:${port}`, `127.0.0.1:${port}`]);
    server.close(() => allFail(port));
  });
});

function allFail(port) {
  const lookup = answer([{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }]);
  const client = net.connect({ host: 'example.org', port, lookup });
  client.on('error', (error) => {
    assert.strictEqual(error.name, 'AggregateError');
    assert.strictEqual(error.code, 'ECONNREFUSED');
    assert.deepStrictEqual(error.errors.map(({ message }) => message), [`connect ECONNREFUSED 127.0.0.1:${port}`, `connect ECONNREFUSED 127.0.0.2:${port}`]);
    events.push('all failed');
  });
}

process.on('exit', () => {
  const seen = events.filter((line) => !line.includes('::1'));  // there may be no IPv6 here
  assert.deepStrictEqual(seen, ['first attempt 127.0.0.2 4', 'first failed 127.0.0.2 ECONNREFUSED', 'first attempt 127.0.0.1 4', 'hello', 'all failed']);
});
