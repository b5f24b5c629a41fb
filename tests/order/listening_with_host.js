// 'listening' of a server with a numeric host comes a tick later than that of one without a host: the host is looked up.
const net = require('net');
const server = net.createServer().listen(0, '127.0.0.1', () => {
  console.log('with a host');
  server.close();
});
process.nextTick(() => {
  console.log('tick');
  process.nextTick(() => console.log('inner tick'));
});
const other = net.createServer().listen(0, () => {
  console.log('without a host');
  other.close();
});
process.nextTick(() => console.log('last tick'));
