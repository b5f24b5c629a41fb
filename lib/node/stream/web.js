// natives: none
// node:stream/web: the WHATWG stream classes.
'use strict';

const { ReadableStream, readableStreamTee, toObject } = require('internal/webstreams/readable_stream');
const { ReadableStreamDefaultReader, ReadableStreamBYOBReader } = require('internal/webstreams/readers');
const { ReadableStreamDefaultController } = require('internal/webstreams/default_controller');
const { ReadableStreamBYOBRequest, ReadableByteStreamController } = require('internal/webstreams/byte_classes');
const { WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController } = require('internal/webstreams/writable_stream');
const { TransformStream, TransformStreamDefaultController } = require('internal/webstreams/transform_stream');
const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('internal/webstreams/queuing_strategies');
const { TextEncoderStream, TextDecoderStream } = require('internal/webstreams/encoding');
const { CompressionStream, DecompressionStream } = require('internal/webstreams/compression');
const { kRecord } = require('internal/webstreams/shared');

// `clones`: the second branch gets structured clones of the chunks, as fetch wants it for clone().
function ReadableStreamTee(stream, clones = false) {
  return arrayMap.call(readableStreamTee(stream[kRecord], clones === true), toObject);
}

module.exports = {
  ReadableStream,
  ReadableStreamTee,
  ReadableStreamDefaultReader,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableByteStreamController,
  ReadableStreamDefaultController,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultWriter,
  WritableStreamDefaultController,
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  TextEncoderStream,
  TextDecoderStream,
  CompressionStream,
  DecompressionStream,
};
