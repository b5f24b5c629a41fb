// A request over HTTP, cut anywhere: one outcome.
// outcome: 200 hello
// options: --bound 1
const http = require('http');
const server = http.createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    let text = '';
    response.on('data', (piece) => (text += piece));
    response.on('end', () => {
      console.log(response.statusCode, text);
      server.close();
    });
  });
});
