// S94 S98: binding is immediate, 'listening' comes in a tick, so a handler attached after listen() still hears it.
const net = require('net');
const server = net.createServer(() => {}).listen(0);
console.log(server.address() !== null && server.address().port > 0);
server.on('listening', () => {
  console.log('listening event');
  server.close();
});
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('micro'));
setImmediate(() => console.log('immediate'));
console.log('script end');
