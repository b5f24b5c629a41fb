// hono: web-standard requests and responses, carried over node:http by hand (@hono/node-server asks for node:http2).
import assert from 'node:assert';
import http from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { Hono } from 'hono';

const ask = createRequire(import.meta.url)('./fixtures/ask');
const app = new Hono();
app.get('/', (c) => c.text('hello'));
app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), q: c.req.query('q') }));
app.post('/echo', async (c) => c.body(await c.req.text(), 201, { 'X-Length': c.req.header('content-length') }));

const server = http.createServer(async (req, res) => {
  const body = req.method === 'POST' ? { body: Readable.toWeb(req), duplex: 'half' } : {};
  const answer = await app.fetch(new Request(`http://${req.headers.host}${req.url}`, { method: req.method, headers: req.headers, ...body }));
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  res.end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  assert.strictEqual((await ask(port)).text, 'hello');
  assert.strictEqual((await ask(port, { path: '/users/3?q=x' })).text, '{"id":"3","q":"x"}');
  const echo = await ask(port, { path: '/echo', method: 'POST', headers: { 'Content-Length': '5' }, body: 'héy!' });
  assert.deepStrictEqual([echo.status, echo.text, echo.headers['x-length']], [201, 'héy!', '5']);
  assert.strictEqual((await ask(port, { path: '/none' })).status, 404);
  server.close();
});
