// A server and a client of node:http: bodies both ways, keep-alive, trailers, informational answers, HEAD, 204, Expect.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const { once } = require('node:events');

const server = http.createServer((req, res) => handlers[req.url](req, res));
const handlers = {
  '/echo'(req, res) {
    const parts = [];
    req.on('data', (part) => parts.push(part)).on('end', () => {
      res.writeHead(201, 'Made', { 'X-Length': Buffer.concat(parts).length, 'Set-Cookie': ['a=1', 'b=2'] });
      res.end(Buffer.concat(parts));
    });
  },
  '/chunks'(req, res) {
    res.setHeader('Trailer', 'X-Sum');
    res.write('one,');
    setImmediate(() => {
      res.write(Buffer.from('two,'));
      res.addTrailers({ 'X-Sum': '3' });
      res.end('three');
    });
  },
  '/head'(req, res) { res.setHeader('Content-Length', 5); res.end('never'); },
  '/none'(req, res) { res.writeHead(204); res.end('never'); },
  '/hints'(req, res) { res.writeEarlyHints({ link: '</a.css>; rel=preload' }); res.writeProcessing(); res.end('hinted'); },
  '/expects'(req, res) { req.resume().on('end', () => res.end('went on')); },
  '/big'(req, res) { res.end('x'.repeat(3_000_000)); },
  '/empty'(req, res) { res.end(); },
  '/wide'(req, res) { res.end('é€😀'); },
};

async function ask(options, body, agent) {
  const request = http.request({ port: server.address().port, host: '127.0.0.1', agent, ...options });
  const informed = [];
  request.on('information', ({ statusCode, headers }) => informed.push([statusCode, headers.link]));
  if (Array.isArray(body)) for (const part of body) request.write(part);
  request.end(Array.isArray(body) ? undefined : body);
  const [response] = await once(request, 'response');
  let text = '';
  response.setEncoding('utf8').on('data', (part) => { text += part; });
  await once(response, 'end');
  return { response, text, informed };
}

async function main() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const echoed = await ask({ path: '/echo', method: 'POST', headers: { 'X-A': ['1', '2'] } }, ['abc', Buffer.from('déf')], agent);
  assert.strictEqual(echoed.text, 'abcdéf');
  assert.strictEqual(echoed.response.statusCode, 201);
  assert.strictEqual(echoed.response.statusMessage, 'Made');
  assert.deepStrictEqual(echoed.response.headers['set-cookie'], ['a=1', 'b=2']);
  assert.strictEqual(echoed.response.headers['x-length'], '7');
  const { localPort } = agent.freeSockets[Object.keys(agent.freeSockets)[0]][0];

  const chunked = await ask({ path: '/chunks' }, undefined, agent);
  assert.strictEqual(chunked.text, 'one,two,three');
  assert.deepStrictEqual(chunked.response.trailers, { 'x-sum': '3' });
  assert.deepStrictEqual(chunked.response.rawTrailers, ['X-Sum', '3']);

  const head = await ask({ path: '/head', method: 'HEAD' }, undefined, agent);
  assert.strictEqual(head.text + head.response.headers['content-length'], '5');
  const none = await ask({ path: '/none' }, undefined, agent);
  assert.deepStrictEqual([none.text, none.response.headers['content-length']], ['', undefined]);
  const hinted = await ask({ path: '/hints' }, undefined, agent);
  assert.strictEqual(hinted.text, 'hinted');
  assert.deepStrictEqual(hinted.informed, [[103, '</a.css>; rel=preload'], [102, undefined]]);
  const expects = await ask({ path: '/expects', method: 'POST', headers: { Expect: '100-continue' } }, 'x', agent);
  assert.deepStrictEqual([expects.text, expects.informed], ['went on', [[100, undefined]]]);
  assert.strictEqual((await ask({ path: '/big' }, undefined, agent)).text.length, 3_000_000);
  assert.strictEqual((await ask({ path: '/empty' }, undefined, agent)).response.headers['content-length'], '0');
  assert.strictEqual((await ask({ path: '/wide' }, undefined, agent)).text, 'é€😀');
  const big = await ask({ path: '/echo', method: 'PUT' }, Buffer.alloc(2_000_000, 'y'), agent);
  assert.strictEqual(big.text.length, 2_000_000);
  // All of it went over one connection.
  assert.strictEqual(agent.freeSockets[Object.keys(agent.freeSockets)[0]][0].localPort, localPort);
  assert.strictEqual(big.response.headers.connection, 'keep-alive');
  assert.strictEqual(big.response.headers['keep-alive'], 'timeout=5');

  agent.destroy();
  server.close();
  await once(server, 'close');
}

server.listen(0, '127.0.0.1', () => main());
