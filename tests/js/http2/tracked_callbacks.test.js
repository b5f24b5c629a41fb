'use strict';
// Callbacks of ping() and settings() run in the caller's async context, as resources of their own; rejections of async listeners of a
// session destroy the stream, or the session; a descriptor that cannot be read resets the stream after its
// headers; close() of a server with allowHTTP1 ends connections that wait for another request.
const assert = require('node:assert');
const http2 = require('node:http2');
const https = require('node:https');
const { AsyncLocalStorage, createHook } = require('node:async_hooks');
const { once } = require('node:events');
const { test } = require('node:test');
const { pair } = require('../../fixtures/tls.js');

async function connected(t) {
  const server = http2.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, { maxOutstandingPings: 1 });
  await once(client, 'connect');
  t.after(() => {
    client.destroy();
    server.close();
  });
  return { server, client };
}

test('context and ids of ping() and settings()', async (t) => {
  const { client } = await connected(t);
  const storage = new AsyncLocalStorage();
  const seen = { HTTP2PING: [], HTTP2SETTINGS: [] };
  const types = new Map();
  const hook = createHook({
    init(id, type) {
      if (seen[type]) types.set(id, type);
    },
    before: (id) => seen[types.get(id)]?.push('before'),
    after: (id) => seen[types.get(id)]?.push('after'),
  }).enable();
  const stores = await new Promise((resolve) => {
    const found = [];
    const add = (what) => () => {
      found.push(`${what} ${storage.getStore()}`);
      if (found.length === 3) setImmediate(resolve, found);
    };
    storage.run('a', () => client.ping(add('ping')));
    storage.run('b', () => client.ping(add('refused')));
    storage.run('c', () => client.settings({ enablePush: false }, add('settings')));
  });
  hook.disable();
  assert.deepStrictEqual(stores.sort(), ['ping a', 'refused b', 'settings c']);
  assert.deepStrictEqual(seen, { HTTP2PING: ['before', 'after', 'before', 'after'], HTTP2SETTINGS: ['before', 'after'] });
});

test('a rejected listener of a session', async (t) => {
  const { captureRejections } = require('node:events');
  require('node:events').captureRejections = true;
  const { server, client } = await connected(t);
  server.on('stream', (stream) => {
    stream.pushStream({ ':path': '/pushed' }, (error, pushed) => {
      pushed.on('error', () => {});
      pushed.respond();
      stream.respond();
      stream.end();
    });
  });
  const failure = new Error('of a listener');
  const failed = new Promise((resolve) => {
    client.on('stream', async (stream) => {
      stream.on('error', resolve);
      throw failure;
    });
  });
  client
    .request()
    .on('error', () => {})
    .resume();
  assert.strictEqual(await failed, failure);
  const ended = once(client, 'error');
  client.on('later', async () => {
    throw failure;
  });
  client.emit('later');
  assert.strictEqual((await ended)[0], failure);
  require('node:events').captureRejections = captureRejections;
});

test('a descriptor that cannot be read', async (t) => {
  const { server, client } = await connected(t);
  const codes = [];
  server.on('stream', (stream) => {
    stream.on('error', (error) => codes.push(error.code));
    stream.respondWithFD(1 << 20);
  });
  const request = client.request();
  request.on('error', (error) => codes.push(error.code));
  request.on('end', () => codes.push('end'));
  request.resume();
  await once(request, 'response');
  await new Promise((resolve) => request.on('close', resolve));
  assert.strictEqual(request.rstCode, http2.constants.NGHTTP2_INTERNAL_ERROR);
  assert.deepStrictEqual(codes, ['ERR_HTTP2_STREAM_ERROR', 'ERR_HTTP2_STREAM_ERROR']);
});

test('close() ends idle connections of HTTP/1.1', async () => {
  const http1Options = { keepAliveTimeout: 60_000 };
  const server = http2.createSecureServer({ ...pair('server'), allowHTTP1: true, http1Options }, (request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new https.Agent({ keepAlive: true });
  const request = https.get({ port: server.address().port, host: '127.0.0.1', rejectUnauthorized: false, agent });
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  await new Promise((resolve) => server.close(resolve));
  agent.destroy();
});
