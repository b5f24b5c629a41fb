// natives: none
// node:stream/web: the WHATWG stream classes.
'use strict';

const { ReadableStream, readableStreamTee, toObject } = require('web/streams/readable_stream');
const { ReadableStreamDefaultReader, ReadableStreamBYOBReader } = require('web/streams/readers');
const { ReadableStreamDefaultController } = require('web/streams/default_controller');
const { ReadableStreamBYOBRequest, ReadableByteStreamController } = require('web/streams/byte_classes');
const { WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController } = require('web/streams/writable_stream');
const { TransformStream, TransformStreamDefaultController } = require('web/streams/transform_stream');
const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('web/streams/queuing_strategies');
const { TextEncoderStream, TextDecoderStream } = require('web/streams/encoding');
const { CompressionStream, DecompressionStream } = require('web/streams/compression');
const { kRecord } = require('web/streams/shared');

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
