// natives: none
// node:stream/consumers: read a whole stream (or any async iterable) into one value.
'use strict';

const { Buffer } = require('internal/buffer/buffer');

async function blob(stream) {
  const chunks = [];
  for await (const chunk of stream) arrayPush.call(chunks, chunk);
  return new (require('internal/webstreams/blob').Blob)(chunks);
}

async function arrayBuffer(stream) {
  return (await blob(stream)).arrayBuffer();
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

async function bytes(stream) {
  return new Uint8Array(await arrayBuffer(stream));
}

async function text(stream) {
  const decoder = new (require('internal/encoding/encoding').TextDecoder)();
  let string = '';
  for await (const chunk of stream) {
    string += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return string + decoder.decode(undefined, { stream: false });
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, bytes, text, json };
