// A server on an address of this machine, the loopback's or another, is inside the run; an address of another machine cannot be listened on.
// outcome: EADDRNOTAVAIL s
const net = require('net');
const os = require('os');
const own = Object.values(os.networkInterfaces()).flat().find(({ family, internal }) => family === 'IPv4' && !internal);
const host = own?.address ?? '127.0.0.1';
const server = net.createServer((socket) => socket.end('s'));
net.createServer().on('error', ({ code }) => {
  console.log(code);
  server.listen(0, host, () => {
    net.connect(server.address().port, host).on('data', (text) => {
      console.log(String(text));
      server.close();
    });
  });
}).listen(0, '203.0.113.7');
