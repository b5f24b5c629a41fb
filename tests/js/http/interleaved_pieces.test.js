// Two connections whose messages come byte by byte, in turns: heads and trailers that are not complete yet do not mix.
'use strict';
const assert = require('node:assert');
const { HTTPParser } = require('_http_common');

function reader(tag) {
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.REQUEST, 0, 0);
  const message = (n) => `POST /${tag}${n} HTTP/1.1\r\nHost: ${tag}\r\nTransfer-Encoding: chunked\r\nX-${tag}: ${n}\r\n\r\n` +
    `3;e=${tag}\r\nabc\r\n0\r\nT-${tag}: ${tag.repeat(9)}\r\nU-${tag}-${n}: end\r\n\r\n`;
  const state = { parser, text: message(1) + message(2), seen: [] };
  parser.onIncoming = (incoming) => {
    let body = '';
    incoming.push = (bytes) => { if (bytes !== null) body += bytes; return true; };
    incoming._end = () => state.seen.push([incoming.url, incoming.rawHeaders.join(), body, incoming.rawTrailers.join()]);
    return 0;
  };
  return state;
}

const readers = [reader('one'), reader('second'), reader('x')];
for (let i = 0; i < Math.max(...readers.map(({ text }) => text.length)); i++) {
  for (const { parser, text } of readers) if (i < text.length) assert.strictEqual(typeof parser.execute(Buffer.from(text[i])), 'number');
}
for (const [tag, { seen }] of [['one', readers[0]], ['second', readers[1]], ['x', readers[2]]]) {
  assert.deepStrictEqual(seen, [1, 2].map((n) => [
    `/${tag}${n}`, `Host,${tag},Transfer-Encoding,chunked,X-${tag},${n}`, 'abc', `T-${tag},${tag.repeat(9)},U-${tag}-${n},end`,
  ]));
}
