// axios, got and node-fetch against one server: JSON, forms, redirects, compression, retries, streams, aborts and errors.
import assert from 'node:assert';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import got from 'got';
import nodeFetch from 'node-fetch';

let flaky = 0;
const server = http.createServer(async (req, res) => {
  const body = await text(req);
  switch (new URL(req.url, 'http://x').pathname) {
    case '/json': return res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ method: req.method, type: req.headers['content-type'], body }));
    case '/gzip': return res.setHeader('Content-Encoding', 'gzip').end(gzipSync('unpacked'));
    case '/redirect': return res.writeHead(302, { Location: '/gzip' }).end();
    case '/flaky': return res.writeHead(++flaky < 3 ? 503 : 200).end('at last');
    case '/hang': return undefined;
    default: return res.writeHead(404).end('nothing');
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}`;

const posted = await axios.post(`${url}/json`, { a: 1 });
assert.deepStrictEqual(posted.data, { method: 'POST', type: 'application/json', body: '{"a":1}' });
assert.strictEqual((await axios.get(`${url}/redirect`)).data, 'unpacked');
assert.strictEqual((await axios.get(`${url}/gzip`, { adapter: 'fetch' })).data, 'unpacked');
await assert.rejects(axios.get(`${url}/missing`), (error) => error.response.status === 404 && error.code === 'ERR_BAD_REQUEST');
await assert.rejects(axios.get(`${url}/hang`, { timeout: 20 }), { code: 'ECONNABORTED' });
const form = new FormData();
form.append('field', 'value');
assert.match((await axios.post(`${url}/json`, form)).data.type, /^multipart\/form-data/);

assert.deepStrictEqual(await got.post(`${url}/json`, { json: { b: 2 } }).json(), { method: 'POST', type: 'application/json', body: '{"b":2}' });
assert.strictEqual((await got(`${url}/redirect`)).body, 'unpacked');
assert.strictEqual((await got(`${url}/flaky`, { retry: { limit: 3, calculateDelay: () => 1 } })).body, 'at last');
assert.strictEqual(await text(got.stream(`${url}/gzip`)), 'unpacked');
await assert.rejects(got(`${url}/missing`), { name: 'HTTPError' });

const fetched = await nodeFetch(`${url}/json`, { method: 'PUT', body: new URLSearchParams({ c: '3' }) });
assert.deepStrictEqual(await fetched.json(), { method: 'PUT', type: 'application/x-www-form-urlencoded;charset=UTF-8', body: 'c=3' });
assert.strictEqual(await (await nodeFetch(`${url}/redirect`)).text(), 'unpacked');
const controller = new AbortController();
const hanging = nodeFetch(`${url}/hang`, { signal: controller.signal });
controller.abort();
await assert.rejects(hanging, { name: 'AbortError' });

server.closeAllConnections();
server.close();
