// package: agentkeepalive@2.0.0
// A connection that is idle times out and is destroyed, but stays among the free ones until its close event: a request that begins between
// the two gets it, and fails.
'use strict';

const http = require('http');
const Agent = require('agentkeepalive');
const { outcome } = require('rondo:explore');

const agent = new Agent({ keepAliveTimeout: 40 });
const server = http.createServer((request, response) => response.end('hello'));
const ask = (then) => {
  const request = http.get({ port: server.address().port, host: '127.0.0.1', agent }, (response) => response.resume().on('end', () => then('answered')));
  request.on('error', (error) => then(error.code));
};
server.listen(0, '127.0.0.1', () => {
  ask(() =>
    setTimeout(() => ask((result) => {
      outcome(result);
      process.exit();
    }), 41),
  );
});
