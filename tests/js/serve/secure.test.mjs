// rondo:serve over TLS: requests with bodies, streams, pipelining and a WebSocket through node:tls.
import assert from 'node:assert';
import { test } from 'node:test';
import { serve } from 'rondo:serve';
import fixture from '../../fixtures/tls.js';

const server = serve({
  port: 0, hostname: '127.0.0.1', tls: fixture.pair('server'),
  async fetch(request, info) {
    if (request.url.endsWith('/socket')) return info.upgrade();
    if (request.method === 'POST') return new Response(request.body);
    return new Response(`${request.url} from ${info.remoteAddress}`);
  },
  websocket: { message(socket, message) { socket.send(message); } },
});

function talk(bytes, until) {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = fixture.connect({ address: () => ({ port: server.port }) }, { rejectUnauthorized: false }, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      got += chunk;
      if (until?.test(got)) socket.destroy();
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

test('requests', async () => {
  assert.strictEqual(server.url.protocol, 'https:');
  const two = await talk('GET /a HTTP/1.1\r\nHost: h.test\r\n\r\nGET /b HTTP/1.1\r\nHost: h.test\r\nConnection: close\r\n\r\n');
  assert.match(two, /https:\/\/h\.test\/a from 127\.0\.0\.1.*https:\/\/h\.test\/b/s);
  const body = 'y'.repeat(100_000);
  const echoed = await talk(`POST / HTTP/1.1\r\nHost: h.test\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  assert.strictEqual(echoed.match(/y/g).length, body.length);
});

test('a WebSocket', async () => {
  const got = await talk('GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x82\x00\x00\x00\x00hi', /\x81\x02hi$/);
  assert.match(got, /^HTTP\/1.1 101 .*\r\n\r\n\x81\x02hi$/s);
});

test('it stops', () => server.stop(true));
