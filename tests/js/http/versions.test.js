// Versions of HTTP that a message may name, and where a start line goes wrong: answers of Node 26.
'use strict';
const assert = require('assert');
const http = require('http');
const net = require('net');
const { once } = require('events');
const { HTTPParser, freeParser, parsers } = require('_http_common');

const kStartLines = [
  ['GET / HTTP/0.9', '0.9 0 9 false'],
  ['GET / HTTP/1.0', '1.0 1 0 false'],
  ['GET / HTTP/2.0', '2.0 2 0 false'],
  ['GET / HTTP/2.0\r\nConnection: keep-alive', '2.0 2 0 true'],
  ['GET / HTTP/0.9\r\nConnection: keep-alive', '0.9 0 9 true'],
  ['GET / HTTP/1.2', 'HPE_INVALID_VERSION 14'],
  ['GET / HTTP/3.0', 'HPE_INVALID_VERSION 14'],
  ['GET / HTTP/2.1', 'HPE_INVALID_VERSION 14'],
  ['FOO / HTTP/1.1', 'HPE_INVALID_METHOD 1'],
  ['FL / HTTP/1.1', 'HPE_INVALID_METHOD 2'],
  ['GXT / HTTP/1.1', 'HPE_INVALID_METHOD 1'],
  ['QUEX / HTTP/1.1', 'HPE_INVALID_METHOD 3'],
];

async function answerTo(text) {
  let told;
  const server = http.createServer((request, response) => {
    told = `${request.httpVersion} ${request.httpVersionMajor} ${request.httpVersionMinor} ${response.shouldKeepAlive}`;
    response.setHeader('Connection', 'close').end();
  });
  server.on('clientError', (error, socket) => {
    told = `${error.code} ${error.bytesParsed}`;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(`${text}\r\nHost: x\r\n\r\n`));
  await once(socket.resume(), 'close');
  server.close();
  return told;
}

async function bodyOf(head) {
  const server = net.createServer((socket) => socket.end(`${head}\r\n\r\nthe body`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const [response] = await once(http.get({ port: server.address().port, host: '127.0.0.1' }), 'response');
  let text = `${response.httpVersion} `;
  for await (const piece of response) text += piece;
  server.close();
  return text;
}

// A parser that consumes a handle of a socket it was never told of.
async function consumesWithoutSocket() {
  const server = net.createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const parser = parsers.alloc();
  parser.initialize(HTTPParser.RESPONSE, {});
  const socket = net.connect(server.address().port, '127.0.0.1');
  parser.consume(socket._handle);
  const { statusCode } = await new Promise((resolve) => {
    parser.onIncoming = (response) => {
      parser.unconsume();
      freeParser(parser);
      socket.destroy();
      resolve(response);
    };
  });
  assert.strictEqual(statusCode, 204);
  server.close();
}

(async () => {
  for (const [text, expected] of kStartLines) assert.strictEqual(await answerTo(text), expected, text);
  assert.strictEqual(await bodyOf('HTTP/0.9 200 OK'), '0.9 the body');
  assert.strictEqual(await bodyOf('HTTP/2.0 200 OK'), '2.0 the body');
  await consumesWithoutSocket();
})();
