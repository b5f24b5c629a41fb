// The HTTPParser of node:_http_common gives its events to functions under numbers, as @mswjs/interceptors (msw 2, nock 14) uses it, and
// http.ClientRequest may be replaced.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const { HTTPParser, methods } = require('node:_http_common');

function parse(kind, ...chunks) {
  const seen = [];
  const parser = new HTTPParser();
  parser.initialize(kind, {});
  parser[HTTPParser.kOnMessageBegin] = () => seen.push('begin');
  parser[HTTPParser.kOnHeaders] = (fields) => seen.push(['fields', fields]);
  parser[HTTPParser.kOnHeadersComplete] = (...args) => void seen.push(['head', ...args]);
  parser[HTTPParser.kOnBody] = (bytes) => seen.push(['body', String(bytes)]);
  parser[HTTPParser.kOnMessageComplete] = () => seen.push('end');
  for (const chunk of chunks) assert.strictEqual(parser.execute(Buffer.from(chunk)), chunk.length);
  parser.remove();
  parser.free();
  return seen;
}

assert.deepStrictEqual(parse(HTTPParser.REQUEST, 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab', 'cd'), [
  'begin',
  ['head', 1, 1, ['Host', 'x', 'Content-Length', '4'], methods.indexOf('POST'), '/a', undefined, undefined, false, true],
  ['body', 'ab'],
  ['body', 'cd'],
  'end',
]);
assert.deepStrictEqual(parse(HTTPParser.RESPONSE, 'HTTP/1.0 204 No\r\nA: b\r\n\r\n'), [
  'begin',
  ['head', 1, 0, ['A', 'b'], undefined, undefined, 204, 'No', false, false],
  'end',
]);
assert.deepStrictEqual(
  parse(HTTPParser.RESPONSE, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: t\r\n\r\n', '2\r\nab\r\n0\r\nT: v\r\n\r\n').slice(2),
  [['body', 'ab'], ['fields', ['T', 'v']], 'end'],
);

// Exports that are loaded late are plain properties all the same.
for (const [name, keys] of Object.entries({
  async_hooks: ['AsyncResource'],
  buffer: ['atob', 'Blob'],
  fs: ['Dir'],
  http: ['Agent', 'ClientRequest'],
  http2: ['Http2ServerRequest', 'Http2ServerResponse'],
  https: ['globalAgent'],
  module: ['register', 'SourceMap'],
  path: ['win32'],
  perf_hooks: ['performance', 'PerformanceObserver', 'timerify'],
  readline: ['promises'],
  url: ['URLSearchParams', 'Url'],
  util: ['inspect', 'format', 'TextDecoder', 'debug'],
  v8: ['promiseHooks'],
})) {
  const exported = require(name);
  for (const key of keys) {
    const { value, ...rest } = Object.getOwnPropertyDescriptor(exported, key);
    assert.deepStrictEqual(rest, { writable: true, enumerable: true, configurable: true }, `${name}.${key}`);
    const before = exported[key];
    assert.strictEqual(value, before);
    exported[key] = 1;
    assert.strictEqual(exported[key], 1);
    exported[key] = before;
  }
}
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) assert.strictEqual(http[name], globalThis[name]);
http.ClientRequest = new Proxy(http.ClientRequest, {});
