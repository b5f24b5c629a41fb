// undici from npm beside the one that is built in: requests, a pool, and dispatchers that both fetches use.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const { request, Agent, Pool, MockAgent, fetch: npmFetch, getGlobalDispatcher, setGlobalDispatcher } = require('undici');

const server = http.createServer((req, res) => {
  res.setHeader('x-path', req.url);
  req.pipe(res);
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const { statusCode, headers, body } = await request(`${url}/one`, { method: 'POST', body: 'sent' });
  assert.deepStrictEqual([statusCode, headers['x-path'], await body.text()], [200, '/one', 'sent']);
  const pool = new Pool(url, { connections: 2 });
  const all = await Promise.all([1, 2, 3, 4].map(async (n) => (await pool.request({ path: `/${n}`, method: 'PUT', body: `${n}` })).body.text()));
  assert.deepStrictEqual(all, ['1', '2', '3', '4']);
  await pool.close();
  assert.strictEqual(await (await npmFetch(url, { method: 'POST', body: 'npm' })).text(), 'npm');

  const before = getGlobalDispatcher();
  const mock = new MockAgent();
  mock.disableNetConnect();
  mock.get('http://mocked.test').intercept({ path: '/' }).reply(200, 'mocked').times(2);
  setGlobalDispatcher(mock);
  assert.strictEqual(await (await npmFetch('http://mocked.test/')).text(), 'mocked');
  assert.strictEqual(await (await fetch('http://mocked.test/')).text(), 'mocked');
  setGlobalDispatcher(before);
  assert.strictEqual(await (await fetch(url, { method: 'POST', body: 'own', dispatcher: new Agent({ keepAliveTimeout: 1 }) })).text(), 'own');
  await before.close();
  server.closeAllConnections();
  server.close();
});
