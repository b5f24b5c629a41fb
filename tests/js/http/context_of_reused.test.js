// A connection that an agent uses again: the answer comes in the async context of its own request, not of the connection's first.
'use strict';
const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');
const http = require('http');

const storage = new AsyncLocalStorage();
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

const server = http.createServer((request, response) => {
  request.resume();
  response.writeHead(200);
  response.write('head');
  request.on('end', () => response.end('tail'));
});

function ask(name, port, ends) {
  return storage.run(name, () => {
    const seen = new Set();
    const see = () => seen.add(storage.getStore());
    return new Promise((resolve, reject) => {
      const request = http.request({ agent, port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 5 } }, (response) => {
        see();
        if (!ends) request.end('');
        response.on('data', see);
        response.on('end', () => {
          see();
          setImmediate(() => {
            see();
            resolve([...seen, request.reusedSocket]);
          });
        });
      });
      request.on('error', reject);
      if (ends) request.end('hello');
      else request.write('hello');
    });
  });
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  assert.deepStrictEqual(await ask('first', port, true), ['first', false]);
  assert.deepStrictEqual(await ask('second', port, true), ['second', true]);
  assert.deepStrictEqual(await ask('third', port, false), ['third', true]);
  assert.deepStrictEqual(await ask(undefined, port, true), [undefined, true]);
  agent.destroy();
  server.close();
});
