// No server listens: one error, however long it takes.
// outcome: ECONNREFUSED 127.0.0.1 9
const net = require('net');
net.connect(9, '127.0.0.1').on('error', (error) => console.log(error.code, error.address, error.port));
