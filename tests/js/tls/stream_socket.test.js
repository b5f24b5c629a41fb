// The class of a socket over a Duplex, as packages find it; HTTP over a pair of streams through two of them, and the stream's error.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const stream = require('node:stream');
const tls = require('node:tls');

const below = new stream.PassThrough();
const JSStreamSocket = new tls.TLSSocket(below)._handle._parentWrap.constructor;
assert.strictEqual(JSStreamSocket.name, 'JSStreamSocket');
assert.ok(JSStreamSocket.prototype instanceof net.Socket);

const seen = [];
const [near, far] = stream.duplexPair();
const server = http.createServer((req, res) => {
  let size = 0;
  req.on('data', (chunk) => { size += chunk.length; }).on('end', () => res.end(`${size} to ${req.url}`));
});
server.emit('connection', new JSStreamSocket(far));
const agent = Object.assign(new http.Agent(), { createConnection: () => new JSStreamSocket(near) });
http.request({ agent, path: '/x', method: 'POST' }, (res) => {
  res.setEncoding('utf8').on('data', (text) => seen.push(text)).on('end', () => near.end());
}).end(Buffer.alloc(300000));

const failing = new stream.PassThrough();
const socket = new JSStreamSocket(failing);
socket.on('error', (error) => seen.push(error.message)).on('close', (hadError) => seen.push(hadError));
socket.once('data', (chunk) => {
  seen.push(`${chunk}`);
  assert.strictEqual(socket.bytesRead, 3);
  failing.destroy(new Error('from below'));
});
socket.write('abc');

process.on('exit', () => assert.deepStrictEqual(seen.sort(), ['300000 to /x', 'abc', 'from below', false].sort()));
