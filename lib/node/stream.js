// natives: none
// node:stream. The module is the Stream constructor itself, with the classes and
// helpers of internal/streams/ as its properties. Adds the iterator helpers to
// Readable.prototype.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');
const utils = require('internal/streams/utils');
const Readable = require('internal/streams/readable');
const { streamReturningOperators, promiseReturningOperators } = require('internal/streams/operators');
const { pipeline } = require('internal/streams/pipeline');
const { eos } = require('internal/streams/end_of_stream');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/state');

module.exports = Stream;

Stream.isDestroyed = utils.isDestroyed;
Stream.isDisturbed = utils.isDisturbed;
Stream.isErrored = utils.isErrored;
Stream.isReadable = utils.isReadable;
Stream.isWritable = utils.isWritable;
Stream.Readable = Readable;
addOperators(streamReturningOperators, (result) => Readable.from(result));
addOperators(promiseReturningOperators, (result) => result);
Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Stream.Transform = require('internal/streams/transform');
Stream.PassThrough = require('internal/streams/passthrough');
Stream.duplexPair = require('internal/streams/duplexpair');
Stream.pipeline = pipeline;
Stream.addAbortSignal = require('internal/streams/add_abort_signal').addAbortSignal;
Stream.finished = eos;
Stream.destroy = require('internal/streams/destroy').destroyer;
Stream.compose = require('internal/streams/compose');
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;
Stream.Stream = Stream;

Object.defineProperty(Stream, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('stream/promises'); },
});

const kPromisify = Symbol.for('nodejs.util.promisify.custom');
for (const [fn, name] of [[pipeline, 'pipeline'], [eos, 'finished']]) {
  Object.defineProperty(fn, kPromisify, {
    __proto__: null,
    enumerable: true,
    get() { return require('stream/promises')[name]; },
  });
}

function addOperators(operators, finish) {
  for (const name of Object.keys(operators)) {
    const operator = operators[name];
    const method = function(...args) {
      if (new.target) throw new ERR_ILLEGAL_CONSTRUCTOR();
      return finish(operator.apply(this, args));
    };
    Object.defineProperty(method, 'name', { __proto__: null, value: operator.name });
    Object.defineProperty(method, 'length', { __proto__: null, value: operator.length });
    Object.defineProperty(Readable.prototype, name, {
      __proto__: null, value: method, configurable: true, enumerable: false, writable: true,
    });
  }
}

Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = function isUint8Array(value) {
  return value instanceof Uint8Array;
};
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  const { Buffer } = require('buffer');
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};
