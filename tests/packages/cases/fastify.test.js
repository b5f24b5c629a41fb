// fastify: schemas, hooks, errors; over a socket and by inject().
'use strict';
const assert = require('node:assert');
const ask = require('./fixtures/ask');

(async () => {
  const app = require('fastify')();
  const schema = { body: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }, response: { 200: { type: 'object', properties: { twice: { type: 'integer' } } } } };
  app.addHook('onSend', async (request, reply) => { reply.header('X-Hook', request.method); });
  app.post('/twice', { schema }, async (request) => ({ twice: request.body.n * 2, hidden: true }));
  app.get('/fails', async () => { throw Object.assign(new Error('no'), { statusCode: 409 }); });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address();
  const json = (body) => ({ path: '/twice', method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const answer = await ask(port, json('{"n":"21"}'));
  assert.deepStrictEqual([answer.status, answer.text, answer.headers['x-hook']], [200, '{"twice":42}', 'POST']);
  assert.strictEqual((await ask(port, json('{}'))).status, 400);
  assert.deepStrictEqual(JSON.parse((await ask(port, { path: '/fails' })).text), { statusCode: 409, error: 'Conflict', message: 'no' });
  const injected = await app.inject({ method: 'POST', url: '/twice', payload: { n: 4 } });
  assert.deepStrictEqual([injected.statusCode, injected.body], [200, '{"twice":8}']);
  await app.close();
})();
