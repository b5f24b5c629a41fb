// node:http2 in small things as Node has it: what ends a response, limits of the peer, origins and services, options that are refused.
'use strict';
const assert = require('node:assert');
const { AsyncLocalStorage } = require('node:async_hooks');
const { once } = require('node:events');
const http2 = require('node:http2');
const net = require('node:net');
const { test } = require('node:test');
const util = require('node:util');
const { pair } = require('../../fixtures/tls.js');

async function serve(options, listener) {
  const server = http2.createServer(options);
  if (listener) server.on('stream', listener);
  server.on('sessionError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const urlOf = (server) => `http://127.0.0.1:${server.address().port}`;
const end = (client, server) => {
  client.close();
  server.close();
};

test('errors of a stream are neither the request\'s nor the response\'s, both close', async () => {
  const server = await serve({});
  const told = [];
  server.on('request', (request, response) => {
    request.on('error', () => told.push('request'));
    response.on('error', () => told.push('response'));
    response.on('finish', () => told.push('finish'));
    response.on('close', () => told.push('close', response.socket));
    assert.strictEqual(response.req, request);
    assert.strictEqual(response.socket, request.socket);
    assert.throws(() => response.socket.write('x'), { code: 'ERR_HTTP2_NO_SOCKET_MANIPULATION' });
    response.destroy(new Error('broken'));
  });
  const client = http2.connect(urlOf(server));
  const [error] = await once(client.request().resume(), 'error').catch((thrown) => [thrown]);
  assert.strictEqual(error.code, 'ERR_HTTP2_STREAM_ERROR');
  assert.ok(!told.includes('request') && !told.includes('response'), String(told));
  end(client, server);
});

test('an answer leaves before the stream is destroyed; an upload that nobody reads is reset after it', async () => {
  const server = await serve({}, (stream, headers) => {
    stream.respond({ ':status': 200 });
    if (headers[':path'] === '/destroy') {
      stream.write('part');
      stream.destroy();
    } else {
      stream.end('whole');
    }
  });
  const client = http2.connect(urlOf(server));
  const first = client.request({ ':path': '/destroy' }).resume();
  assert.strictEqual((await once(first, 'response'))[0][':status'], 200);
  const upload = client.request({ ':method': 'POST', ':path': '/upload' });
  const closed = once(upload, 'close');
  upload.write(Buffer.alloc(1_000_000));
  assert.strictEqual(String((await once(upload, 'data'))[0]), 'whole');
  await closed;
  assert.strictEqual(upload.rstCode, http2.constants.NGHTTP2_NO_ERROR);
  end(client, server);
});

test('fields: too large a list, badly formed ones, sensitive ones', async () => {
  const server = await serve({ settings: { maxHeaderListSize: 300 } }, (stream, headers) => {
    stream.respond({ 'x-seen': Object.keys(headers).filter((name) => name[0] === 'a').join(), 'x-sensitive': headers[http2.sensitiveHeaders].join() });
    stream.end();
  });
  const client = http2.connect(urlOf(server));
  await once(client, 'remoteSettings');
  const large = client.request({ big: 'a'.repeat(1000) });
  await assert.rejects(once(large, 'response'), { message: 'Stream closed with error code NGHTTP2_ENHANCE_YOUR_CALM' });
  const [answer] = await once(client.request({ 'ab': '1 ', 'ac': '2', [http2.sensitiveHeaders]: ['ac'] }), 'response');
  assert.deepStrictEqual([answer['x-seen'], answer['x-sensitive']], ['ac', 'ac']);
  end(client, server);
});

test('DATA frames without data end a session in time', async () => {
  const server = await serve({ maxSessionInvalidFrames: 50 }, (stream) => { stream.on('error', () => {}); });
  const failed = once(server, 'sessionError');
  const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {});
  const frame = (type, flags, id, payload = Buffer.alloc(0)) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(id, 5);
    return Buffer.concat([head, payload]);
  };
  const head = Buffer.from([0x83, 0x86, 0x84, 0x41, 0x01, 0x61]);  // POST, http, /, authority a
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0), frame(1, 4, 1, head)]));
  for (let i = 0; i < 60; i++) socket.write(frame(0, 0, 1));
  assert.strictEqual((await failed)[0].code, 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES');
  socket.destroy();
  server.close();
});

test('services and origins', async () => {
  const server = http2.createSecureServer({ ...pair('server'), origins: ['https://foo.example/a'] });
  server.on('stream', (stream) => {
    stream.session.altsvc('h2=":8000"', stream.id);
    stream.session.altsvc('h2=":8001"', 'https://example.org/x');
    stream.respond({ ':status': 421 });
    stream.end();
  });
  server.on('session', (session) => {
    assert.throws(() => session.altsvc('h2', 'abc:'), { code: 'ERR_HTTP2_ALTSVC_INVALID_ORIGIN' });
    assert.throws(() => session.altsvc('h2', 0), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => session.altsvc('\u0001', 1), { code: 'ERR_INVALID_CHAR' });
    assert.throws(() => session.origin('null:'), { code: 'ERR_HTTP2_INVALID_ORIGIN' });
    assert.throws(() => session.origin(`https://a.example/${'a'}`, `https://${'a'.repeat(16383)}`), { code: 'ERR_HTTP2_ORIGIN_LENGTH' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `https://localhost:${server.address().port}`;
  const connect = (options) => http2.connect(own, { rejectUnauthorized: false, lookup: (name, given, done) => done(null, [{ address: '127.0.0.1', family: 4 }]), ...options });
  const client = connect();
  const services = [];
  client.on('altsvc', (...args) => services.push(args));
  assert.deepStrictEqual((await once(client, 'origin'))[0], ['https://foo.example']);
  assert.deepStrictEqual(client.originSet, [own, 'https://foo.example']);
  await once(client.request({ ':authority': 'foo.example' }).resume(), 'close');
  assert.deepStrictEqual(client.originSet, [own]);
  assert.deepStrictEqual(services, [['h2=":8000"', '', 1], ['h2=":8001"', 'https://example.org', 0]]);
  client.close();
  const few = connect({ maxOriginSetSize: 1 });
  assert.strictEqual((await once(few, 'error'))[0].code, 'ERR_HTTP2_TOO_MANY_ORIGINS');
  server.close();
});

test('a request\'s events come in its context; connect() may be awaited', async () => {
  const server = await serve({}, (stream) => stream.end('x'));
  const storage = new AsyncLocalStorage();
  const client = await util.promisify(http2.connect)(urlOf(server));
  const seen = [];
  await Promise.all([1, 2].map((number) => storage.run(number, async () => {
    const request = client.request();
    for (const name of ['response', 'data', 'end']) request.on(name, () => seen.push(storage.getStore() === number));
    await new Promise((resolve) => { request.on('close', resolve); });
  })));
  assert.deepStrictEqual(seen, Array(6).fill(true));
  assert.match(util.inspect(client), /^Http2Session \{/);
  end(client, server);
  await assert.rejects(util.promisify(http2.connect)('http://127.0.0.1:1'), { code: 'ECONNREFUSED' });
});

test('what is refused', async () => {
  for (const settings of [1, true, null, 'x']) {
    assert.throws(() => http2.createServer({ settings }), { message: /^The "options\.settings" property must be of type object/ });
  }
  assert.throws(() => http2.getPackedSettings({ customSettings: { '-1': 1 } }), { code: 'ERR_HTTP2_INVALID_SETTING_VALUE' });
  assert.deepStrictEqual(http2.getUnpackedSettings(http2.getPackedSettings({ customSettings: { 9999: 301 } })), { customSettings: { 9999: 301 } });
  const file = Promise.withResolvers();
  const server = await serve({}, (stream) => {
    try {
      assert.throws(() => stream.respondWithFile(__filename, {}, { offset: 'a' }), { code: 'ERR_INVALID_ARG_VALUE' });
      file.resolve();
    } catch (error) {
      file.reject(error);
    }
    stream.respond({}, { endStream: true });
  });
  const client = http2.connect(urlOf(server));
  for (const option of ['endStream', 'exclusive', 'silent']) {
    assert.throws(() => client.request({}, { [option]: 1 }), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  client.request().resume();
  await file.promise;
  end(client, server);
});
