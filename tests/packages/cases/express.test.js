// express 4 and 5: routes, parameters, JSON and form bodies, errors, static files, redirects, sub-applications; over real sockets.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const ask = require('./fixtures/ask');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-express-'));
fs.writeFileSync(path.join(folder, 'page.txt'), 'a page');

async function exercise(name) {
  const express = require(name);
  const app = express();
  app.use(express.json());
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (req, res) => res.send('Hello, World!'));
  app.get('/users/:id', (req, res) => res.json({ id: req.params.id, query: req.query.q, host: req.hostname, ip: req.ip.includes('127.0.0.1') }));
  app.post('/echo', (req, res) => res.status(201).set('X-Kind', req.get('content-type')).json(req.body));
  app.get('/away', (req, res) => res.redirect('/'));
  app.get('/fails', () => { throw new Error('as it should'); });
  app.get('/later', async (req, res) => { await null; res.type('html').send('<b>later</b>'); });
  app.use('/files', express.static(folder));
  const inner = express.Router();
  inner.get('/x', (req, res) => res.end(req.baseUrl + req.url));
  app.use('/inner', inner);
  app.use((error, req, res, next) => { res.status(500).send(error.message); });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();

  const hello = await ask(port);
  assert.deepStrictEqual([hello.status, hello.text, hello.headers['x-powered-by'], hello.headers['content-length']], [200, 'Hello, World!', 'Express', '13']);
  const again = await ask(port, { headers: { 'If-None-Match': hello.headers.etag } });
  assert.deepStrictEqual([again.status, again.text], [304, '']);
  assert.deepStrictEqual(JSON.parse((await ask(port, { path: '/users/7?q=a%20b' })).text), { id: '7', query: 'a b', host: '127.0.0.1', ip: true });
  const json = await ask(port, { path: '/echo', method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":[1,"é"]}' });
  assert.deepStrictEqual([json.status, json.text], [201, '{"a":[1,"é"]}']);
  const form = await ask(port, { path: '/echo', method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=2' });
  assert.strictEqual(form.text, '{"a":"1","b":"2"}');
  const away = await ask(port, { path: '/away' });
  assert.deepStrictEqual([away.status, away.headers.location], [302, '/']);
  assert.deepStrictEqual([(await ask(port, { path: '/fails' })).status, (await ask(port, { path: '/fails' })).text], [500, 'as it should']);
  assert.strictEqual((await ask(port, { path: '/later' })).headers['content-type'], 'text/html; charset=utf-8');
  const file = await ask(port, { path: '/files/page.txt', headers: { Range: 'bytes=2-5' } });
  assert.deepStrictEqual([file.status, file.text, file.headers['content-range']], [206, 'page', 'bytes 2-5/6']);
  assert.strictEqual((await ask(port, { path: '/inner/x' })).text, '/inner/x');
  assert.strictEqual((await ask(port, { path: '/nowhere' })).status, 404);
  assert.strictEqual((await ask(port, { method: 'HEAD' })).text, '');
  server.close();
  await once(server, 'close');
}

(async () => {
  await exercise('express4');
  await exercise('express');
  fs.rmSync(folder, { recursive: true });
})();
