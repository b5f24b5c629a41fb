// got 14 loads http2-wrapper, which takes the class of a socket over a Duplex from a TLSSocket; HTTP/1.1, and HTTP/2 over TLS.
import assert from 'node:assert';
import http2 from 'node:http2';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import got from 'got14';

const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

const plain = http.createServer((req, res) => res.end(JSON.stringify({ method: req.method, url: req.url })));
const port = await listening(plain);
assert.deepStrictEqual(await got(`http://127.0.0.1:${port}/a?b=c`).json(), { method: 'GET', url: '/a?b=c' });
plain.close();

const [key, cert] = ['key', 'cert'].map((name) => readFileSync(new URL(`../../../tests/fixtures/tls/server-${name}.pem`, import.meta.url)));
const secure = http2.createSecureServer({ key, cert }, (req, res) => res.end(`${req.httpVersion} ${req.url}`));
const securePort = await listening(secure);
const answer = await got(`https://127.0.0.1:${securePort}/two`, { http2: true, https: { rejectUnauthorized: false } });
assert.strictEqual(answer.body, '2.0 /two');
process.exit(0);  // got keeps the session
