// package: get-port@3.2.0
// Two servers that ask for a free port, the same one by preference, read something and listen: the port may have been given to both.
'use strict';

const fs = require('fs');
const net = require('net');
const getPort = require('get-port');
const { outcome } = require('rondo:explore');

const results = [];
const start = async (work) => {
  for (let i = 0; i < work; i++) await fs.promises.stat(__filename);
  const port = await getPort(3000);
  await fs.promises.stat(__filename);
  const server = net.createServer();
  const tell = (result) => {
    results.push(result);
    if (results.length === 2) outcome(results.sort().join(' '));
    server.close();
  };
  server.on('error', (error) => tell(error.code));
  server.listen(port, () => setTimeout(tell, 50, 'listens'));
};
start(0);
start(2);
