// node:http2 over real sockets: requests and answers both ways, bodies, trailers, interim answers, HEAD, errors, pings, settings, goaway.
'use strict';
const assert = require('node:assert');
const http2 = require('node:http2');
const { once } = require('node:events');

async function read(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function ask(session, headers, body, options) {
  const stream = session.request(headers, options);
  stream.end(body);
  const [answer] = await once(stream, 'response');
  return { answer, body: await read(stream), stream };
}

async function withServer(onStream, act, options) {
  const server = http2.createServer(options);
  server.on('stream', onStream);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  try {
    await act(session, server);
  } finally {
    session.close();
    server.close();
    await once(server, 'close');
  }
}

const echo = (stream, headers) => {
  stream.respond({ 'x-method': headers[':method'], 'x-path': headers[':path'], 'set-cookie': ['a=1', 'b=2'] });
  stream.pipe(stream);
};

async function bodies() {
  await withServer(echo, async (session) => {
    const small = await ask(session, { ':method': 'POST', ':path': '/a?b' }, 'grüße');
    assert.deepStrictEqual([small.answer[':status'], small.answer['x-method'], small.answer['x-path'], `${small.body}`], [200, 'POST', '/a?b', 'grüße']);
    assert.deepStrictEqual(small.answer['set-cookie'], ['a=1', 'b=2']);
    // Far more than every window.
    const large = Buffer.alloc(1_000_000, 'rondo');
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask(session, { ':method': 'POST' }, large)));
    for (const { body } of answers) assert.ok(body.equals(large));
    assert.strictEqual((await ask(session, {})).answer['x-method'], 'GET');
  });
}

async function trailersAndInterim() {
  await withServer((stream, headers) => {
    stream.on('trailers', (trailers) => {
      stream.additionalHeaders({ ':status': 103, 'link': '</x>' });
      stream.respond({ ':status': 201 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': trailers['x-given'] }));
      stream.end('body');
    });
    stream.resume();
  }, async (session) => {
    const stream = session.request({ ':method': 'POST' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-given': 'seven' }));
    const interim = once(stream, 'headers');
    const trailers = once(stream, 'trailers');
    stream.end('x');
    assert.strictEqual((await interim)[0][':status'], 103);
    assert.strictEqual((await once(stream, 'response'))[0][':status'], 201);
    assert.strictEqual(`${await read(stream)}`, 'body');
    assert.strictEqual((await trailers)[0]['x-sum'], 'seven');
  });
}

async function noBody() {
  await withServer((stream, headers) => {
    if (headers[':path'] === '/none') stream.respond({ ':status': 204 });
    else stream.respond({ ':status': 200, 'content-length': 5 });
    if (headers[':method'] !== 'HEAD' && headers[':path'] !== '/none') stream.end('12345');
  }, async (session) => {
    const head = await ask(session, { ':method': 'HEAD' });
    assert.deepStrictEqual([head.answer['content-length'], head.body.length], ['5', 0]);
    assert.deepStrictEqual([(await ask(session, { ':path': '/none' })).answer[':status'], `${(await ask(session, {})).body}`], [204, '12345']);
  });
}

async function resets() {
  const seen = [];
  await withServer((stream, headers) => {
    stream.on('error', (error) => seen.push(error.code));
    if (headers[':path'] === '/refused') stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
    else stream.on('aborted', () => seen.push('aborted')).respond();
  }, async (session) => {
    const refused = session.request({ ':path': '/refused' });
    const [error] = await once(refused, 'error');
    assert.deepStrictEqual([error.code, error.message, refused.rstCode], ['ERR_HTTP2_STREAM_ERROR', 'Stream closed with error code NGHTTP2_REFUSED_STREAM', 7]);
    const cancelled = session.request({ ':method': 'POST' });
    await once(cancelled, 'response');
    cancelled.close(http2.constants.NGHTTP2_CANCEL);
    await once(cancelled, 'close');
    const control = new AbortController();
    const aborted = session.request({ ':method': 'POST' }, { signal: control.signal });
    await once(aborted, 'response');
    control.abort();
    assert.strictEqual((await once(aborted, 'error'))[0].name, 'AbortError');
  });
  assert.ok(seen.includes('aborted'));
}

async function control() {
  await withServer(echo, async (session, server) => {
    await once(session, 'remoteSettings');
    assert.strictEqual(session.remoteSettings.maxConcurrentStreams, 7);
    const payload = Buffer.from('12345678');
    const [duration, echoed] = await new Promise((resolve, reject) => {
      session.ping(payload, (error, time, bytes) => (error ? reject(error) : resolve([time, bytes])));
    });
    assert.ok(duration >= 0 && echoed.equals(payload));
    const settings = await new Promise((resolve, reject) => {
      session.settings({ initialWindowSize: 1000 }, (error, now) => (error ? reject(error) : resolve(now)));
    });
    assert.strictEqual(settings.initialWindowSize, 1000);
    assert.throws(() => session.settings({ initialWindowSize: -1 }), { code: 'ERR_HTTP2_INVALID_SETTING_VALUE', name: 'RangeError' });
    assert.throws(() => session.request({ connection: 'close' }), { code: 'ERR_HTTP2_INVALID_CONNECTION_HEADERS' });
    assert.throws(() => session.socket.write('x'), { code: 'ERR_HTTP2_NO_SOCKET_MANIPULATION' });
    assert.deepStrictEqual([session.alpnProtocol, session.encrypted, session.type], ['h2c', false, 1]);
  }, { settings: { maxConcurrentStreams: 7 } });
}

async function goodbye() {
  await withServer((stream) => {
    stream.respond();
    stream.session.goaway(http2.constants.NGHTTP2_NO_ERROR, 0, Buffer.from('bye'));
    stream.end('last');
  }, async (session) => {
    const away = once(session, 'goaway');
    const { body } = await ask(session, {});
    assert.strictEqual(`${body}`, 'last');
    const [code, , opaque] = await away;
    assert.deepStrictEqual([code, `${opaque}`, session.closed], [0, 'bye', true]);
    assert.strictEqual((await once(session.request({}), 'error'))[0].code, 'ERR_HTTP2_GOAWAY_SESSION');
  });
}

async function noServer() {
  const session = http2.connect('http://127.0.0.1:1');
  const stream = session.request({});
  const failed = once(stream, 'error');
  assert.strictEqual((await once(session, 'error'))[0].code, 'ECONNREFUSED');
  assert.strictEqual((await failed)[0].code, 'ERR_HTTP2_STREAM_CANCEL');
}

(async () => {
  for (const part of [bodies, trailersAndInterim, noBody, resets, control, goodbye, noServer]) {
    await part();
    console.log(part.name);
  }
})();
