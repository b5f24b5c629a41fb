// nock answers http, https and fetch in place of servers that do not exist, and lets real requests through.
import assert from 'node:assert';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import nock from 'nock';

async function ask(module, url, { body, ...options } = {}) {
  const request = module.request(url, options).end(body);
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

nock('http://example.test').get('/a').reply(200, { hi: 1 }).post('/b', { x: 1 }).reply(201, 'made');
nock('https://secure.test').get('/s').reply(200, 'secret', { 'X-Y': 'z' });
nock('http://fetched.test').get('/f').reply(200, 'fetched');
nock('http://broken.test').get('/e').replyWithError('boom');

const first = await ask(http, 'http://example.test/a');
assert.deepStrictEqual([first.status, first.headers['content-type'], first.text], [200, 'application/json', '{"hi":1}']);
const made = await ask(http, 'http://example.test/b', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"x":1}' });
assert.deepStrictEqual([made.status, made.text], [201, 'made']);
const secure = await ask(https, 'https://secure.test/s');
assert.deepStrictEqual([secure.text, secure.headers['x-y']], ['secret', 'z']);
assert.strictEqual(await (await fetch('http://fetched.test/f')).text(), 'fetched');
await assert.rejects(ask(http, 'http://broken.test/e'), { message: 'boom' });
assert.ok(nock.isDone());

const server = http.createServer(async (req, res) => res.end(`real ${await text(req)}`)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
assert.strictEqual((await ask(http, url, { method: 'POST', body: 'x'.repeat(100_000) })).text, `real ${'x'.repeat(100_000)}`);
assert.strictEqual(await (await fetch(url, { method: 'POST', body: 'abc' })).text(), 'real abc');
nock.disableNetConnect();
await assert.rejects(ask(http, url), { code: 'ENETUNREACH' });
nock.restore();
server.close();
server.closeAllConnections();
