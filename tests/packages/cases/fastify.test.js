// fastify over real sockets, HTTP/1.1 and HTTP/2: routes, schemas, hooks, plugins, errors, streams, and closing.
'use strict';
const assert = require('node:assert');
const http2 = require('node:http2');
const { once } = require('node:events');
const { Readable } = require('node:stream');
const Fastify = require('fastify');
const ask = require('./fixtures/ask');

function build(options) {
  const app = Fastify(options);
  app.addHook('onRequest', async (request) => { request.startedAt = 'hook'; });
  app.decorate('answer', 42);
  app.register(async (inner) => { inner.get('/inner', () => ({ answer: inner.answer })); }, { prefix: '/sub' });
  app.get('/', async (request) => ({ hello: 'world', by: request.startedAt }));
  app.get('/users/:id', { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } } }, (request, reply) => {
    reply.code(201).header('X-Id', typeof request.params.id).send({ id: request.params.id });
  });
  app.post('/echo', { schema: { body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } }, (request) => request.body);
  app.get('/stream', (request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b', 'c'])));
  app.get('/fails', async () => { throw Object.assign(new Error('a teapot'), { statusCode: 418 }); });
  return app;
}

async function http1() {
  const app = build();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address();
  const json = { 'Content-Type': 'application/json' };
  assert.deepStrictEqual(JSON.parse((await ask(port)).text), { hello: 'world', by: 'hook' });
  const user = await ask(port, { path: '/users/7' });
  assert.deepStrictEqual([user.status, user.text, user.headers['x-id']], [201, '{"id":7}', 'number']);
  assert.strictEqual((await ask(port, { path: '/users/x' })).status, 400);
  assert.strictEqual((await ask(port, { path: '/echo', method: 'POST', headers: json, body: '{"name":"é"}' })).text, '{"name":"é"}');
  assert.strictEqual((await ask(port, { path: '/echo', method: 'POST', headers: json, body: '{}' })).status, 400);
  assert.strictEqual((await ask(port, { path: '/stream' })).text, 'abc');
  assert.strictEqual((await ask(port, { path: '/sub/inner' })).text, '{"answer":42}');
  assert.deepStrictEqual(JSON.parse((await ask(port, { path: '/fails' })).text), { statusCode: 418, error: "I'm a Teapot", message: 'a teapot' });
  assert.strictEqual((await ask(port, { path: '/none' })).status, 404);
  assert.strictEqual((await app.inject('/')).statusCode, 200);
  await app.close();
}

async function overHttp2() {
  const app = build({ http2: true });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const session = http2.connect(`http://127.0.0.1:${app.server.address().port}`);
  const request = async (headers, body) => {
    const stream = session.request(headers);
    stream.end(body);
    const [answer] = await once(stream, 'response');
    let text = '';
    for await (const part of stream.setEncoding('utf8')) text += part;
    return [answer[':status'], text];
  };
  assert.deepStrictEqual(await request({ ':path': '/users/7' }), [201, '{"id":7}']);
  assert.deepStrictEqual(await request({ ':path': '/stream' }), [200, 'abc']);
  assert.deepStrictEqual(await request({ ':path': '/echo', ':method': 'POST', 'content-type': 'application/json' }, '{"name":"n"}'), [200, '{"name":"n"}']);
  session.close();
  await once(session, 'close');
  await app.close();
}

(async () => {
  await http1();
  await overHttp2();
})();
