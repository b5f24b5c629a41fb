// koa: middleware that awaits, errors, streams as bodies.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Readable } = require('node:stream');
const Koa = require('koa');
const ask = require('./fixtures/ask');

(async () => {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => { ctx.set('X-Before', '1'); await next(); ctx.set('X-After', String(ctx.status)); });
  app.use(async (ctx) => {
    if (ctx.path === '/json') ctx.body = { query: ctx.query, method: ctx.method };
    else if (ctx.path === '/stream') ctx.body = Readable.from(['a', 'b', 'c']);
    else if (ctx.path === '/fails') ctx.throw(418, 'a teapot');
    else if (ctx.path === '/none') ctx.status = 204;
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const json = await ask(port, { path: '/json?a=1', method: 'POST', body: 'x' });
  assert.deepStrictEqual([json.text, json.headers['x-before'], json.headers['x-after']], ['{"query":{"a":"1"},"method":"POST"}', '1', '200']);
  const stream = await ask(port, { path: '/stream' });
  assert.deepStrictEqual([stream.text, stream.headers['transfer-encoding']], ['abc', 'chunked']);
  assert.deepStrictEqual([(await ask(port, { path: '/fails' })).status, (await ask(port, { path: '/none' })).status, (await ask(port)).status], [418, 204, 404]);
  server.close();
})();
