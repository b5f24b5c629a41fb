// msw answers fetch, http and https in place of servers; requests without a handler reach the real ones, over TLS too.
import assert from 'node:assert';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { HttpResponse, http as on } from 'msw';
import { setupServer } from 'msw/node';
import forge from 'node-forge';

async function ask(module, url, { body, ...options } = {}) {
  const request = module.request(url, options).end(body);
  const [response] = await once(request, 'response');
  return [response.statusCode, await text(response)];
}

function selfSigned() {
  const keys = forge.pki.rsa.generateKeyPair(2048);
  const made = forge.pki.createCertificate();
  made.publicKey = keys.publicKey;
  made.validity.notAfter = new Date(Date.now() + 86_400_000);
  made.setSubject([{ name: 'commonName', value: 'localhost' }]);
  made.setIssuer([{ name: 'commonName', value: 'localhost' }]);
  made.sign(keys.privateKey, forge.md.sha256.create());
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(made) };
}

const mocked = setupServer(
  on.get('http://a.test/u', () => HttpResponse.json({ n: 1 })),
  on.post('https://b.test/p', async ({ request }) => HttpResponse.text(`got ${await request.text()}`, { status: 202 })),
  on.get('http://gone.test/', () => HttpResponse.error()),
);
mocked.listen({ onUnhandledRequest() { /* let it through */ } });

assert.deepStrictEqual(await (await fetch('http://a.test/u')).json(), { n: 1 });
assert.deepStrictEqual(await ask(http, 'http://a.test/u'), [200, '{"n":1}']);
assert.deepStrictEqual(await ask(https, 'https://b.test/p', { method: 'POST', body: 'body' }), [202, 'got body']);
assert.strictEqual(await (await fetch('https://b.test/p', { method: 'POST', body: 'q' })).text(), 'got q');
await assert.rejects(fetch('http://gone.test/'), TypeError);

const echo = async (req, res) => res.end(`real ${await text(req)}`);
const plain = http.createServer(echo).listen(0, '127.0.0.1');
const secure = https.createServer(selfSigned(), echo).listen(0, '127.0.0.1');
await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
const plainUrl = `http://127.0.0.1:${plain.address().port}/`;
const secureUrl = `https://127.0.0.1:${secure.address().port}/`;
const large = 'y'.repeat(100_000);
assert.deepStrictEqual(await ask(http, plainUrl, { method: 'POST', body: large }), [200, `real ${large}`]);
assert.strictEqual(await (await fetch(plainUrl)).text(), 'real ');
assert.deepStrictEqual(await ask(https, secureUrl, { method: 'POST', body: large, rejectUnauthorized: false }), [200, `real ${large}`]);
await assert.rejects(ask(https, secureUrl), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
const socket = tls.connect({ port: secure.address().port, host: '127.0.0.1', rejectUnauthorized: false });
socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
assert.match(await text(socket), /^HTTP\/1.1 200 OK/);
await assert.rejects(ask(http, 'http://127.0.0.1:1/'), { code: 'ECONNREFUSED' });

mocked.close();
for (const server of [plain, secure]) {
  server.close();
  server.closeAllConnections();
}
