// S76: what a callback of I/O queues: it runs in poll, so check comes next, then closing, then timers.
const fs = require('node:fs');
const net = require('node:net');

const named = (name) => Function(`return function ${name}() {}`)();  // the ledger tells of it by this name
function from(name) {
  process.nextTick(named(`${name}_poll`));
  setTimeout(named(`${name}_timer`), 1);
  const end = process.hrtime.bigint() + 3_000_000n;
  while (process.hrtime.bigint() < end);
  setImmediate(named(`${name}_immediate`));
}
const server = net.createServer((socket) => socket.on('error', () => {}).end('x')).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.once('data', () => {
    from('data');
    client.on('close', () => process.nextTick(function data_close() {})).destroy();
    server.close();
    setImmediate(() => setImmediate(() => fs.stat(__filename, () => from('file'))));
  });
});
