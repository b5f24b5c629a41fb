// What fetch shares with the rest: the async context, the dispatcher of npm's undici, process.versions, lazy globals, clones.
'use strict';
const assert = require('node:assert');
const { AsyncLocalStorage } = require('node:async_hooks');
const { execFileSync } = require('node:child_process');
const { test } = require('node:test');
const { plainServer, reply } = require('../../fixtures/plain_server.js');

test('the context of the caller is kept', async () => {
  const server = await plainServer((request, socket) => reply(socket, 200, {}, request.path));
  const storage = new AsyncLocalStorage();
  await Promise.all(['one', 'two', 'three'].map((name) => storage.run(name, async () => {
    const response = await fetch(`${server.url}/${name}`);
    assert.strictEqual(storage.getStore(), name);
    assert.strictEqual(await response.text(), `/${name}`);
    assert.strictEqual(storage.getStore(), name);
  })));
  server.close();
});

test('another dispatcher may be set, as npm\'s undici does', async () => {
  await fetch('data:,');
  const kDispatcher = Symbol.for('undici.globalDispatcher.2');
  const before = globalThis[kDispatcher];
  assert.strictEqual(typeof before.dispatch, 'function');
  assert.strictEqual(typeof before.request, 'function');
  assert.strictEqual(typeof globalThis[Symbol.for('undici.globalDispatcher.1')].dispatch, 'function');
  const seen = [];
  globalThis[kDispatcher] = { dispatch(options, handler) { seen.push(options.path); return before.dispatch(options, handler); } };
  const server = await plainServer((request, socket) => reply(socket, 200, {}, 'x'));
  await (await fetch(`${server.url}/seen`)).text();
  assert.deepStrictEqual(seen, ['/seen']);
  globalThis[kDispatcher] = before;
  server.close();
});

test('a proxy from the environment', async () => {
  const asked = [];
  const proxy = await plainServer((request, socket) => {
    asked.push(`${request.method} ${request.path}`);
    if (request.method === 'CONNECT') return socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    return reply(socket, 200, {}, 'by proxy');
  });
  const program = 'fetch("http://host.invalid/x").then((r) => r.text()).then((t) => { console.log(t); process.exit(); })';
  const { execFile } = require('node:child_process');
  const run = (env, ...flags) => new Promise((resolve) => {
    const clean = { ...process.env, HTTP_PROXY: undefined, ...env };
    execFile(process.execPath, [...flags, '-e', program], { env: clean }, (error, stdout) => resolve(error ? 'failed' : stdout.trim()));
  });
  assert.strictEqual(await run({ http_proxy: proxy.url }, '--use-env-proxy'), 'by proxy');
  assert.strictEqual(await run({ http_proxy: proxy.url, NODE_USE_ENV_PROXY: '1' }), 'by proxy');
  assert.strictEqual(asked.length >= 2, true);
  const before = asked.length;
  assert.strictEqual(await run({ http_proxy: proxy.url }), 'failed');
  assert.strictEqual(asked.length, before);
  proxy.close();
});

test('versions, and nothing is loaded before it is used', () => {
  assert.match(process.versions.undici, /^\d+\.\d+\.\d+$/);
  assert.strictEqual(process.versions.undici, require('../../../package.json').dependencies?.undici ?? require('../../../package.json').devDependencies.undici);
  // The dispatcher is there from the moment its file is loaded.
  const program = 'const has = () => Symbol.for("undici.globalDispatcher.1") in globalThis; const seen = [has()]; new Headers(); new Response("x");' +
    'seen.push(has()); fetch("data:,"); seen.push(has()); console.log(seen.join())';
  assert.strictEqual(execFileSync(process.execPath, ['-e', program]).toString().trim(), 'false,false,true');
  for (const name of ['Headers', 'Request', 'Response', 'FormData', 'WebSocket', 'CloseEvent', 'MessageEvent', 'ErrorEvent']) {
    const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
    assert.deepStrictEqual([typeof value, value.name, writable, enumerable, configurable], ['function', name, true, false, true]);
  }
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
  assert.deepStrictEqual([value.name, value.length, writable, enumerable, configurable], ['fetch', 1, true, true, true]);
});

test('none of them can be cloned', () => {
  for (const value of [new Headers(), new Request('http://x/'), new Response(), new FormData(), new CloseEvent('x')]) {
    assert.throws(() => structuredClone(value), { name: 'DataCloneError' });
  }
});

test('http.maxHeaderSize is a number, which npm\'s undici asks for', () => {
  assert.strictEqual(require('node:http').maxHeaderSize, 16384);
});
