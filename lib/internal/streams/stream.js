// natives: none
// node:stream. The module is the Stream constructor itself, with the classes and
// helpers of internal/streams/ as its properties. The classes are loaded with it;
// pipeline(), finished(), compose(), the iterator helpers and their like when first
// called, since most programs use none or few of them.
'use strict';

const { Stream } = require('internal/streams/legacy');
const utils = require('internal/streams/utils');
const Readable = require('internal/streams/readable');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/state');

module.exports = Stream;

Stream.isDestroyed = utils.isDestroyed;
Stream.isDisturbed = utils.isDisturbed;
Stream.isErrored = utils.isErrored;
Stream.isReadable = utils.isReadable;
Stream.isWritable = utils.isWritable;
Stream.Readable = Readable;
Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Stream.Transform = require('internal/streams/transform');
Stream.PassThrough = require('internal/streams/passthrough');

Stream.duplexPair = function duplexPair(options) {
  return require('internal/streams/duplexpair')(options);
};

Stream.pipeline = function pipeline(...streams) {
  return require('internal/streams/pipeline').pipeline(...each(streams));
};

Stream.addAbortSignal = function addAbortSignal(signal, stream) {
  return require('internal/streams/add_abort_signal').addAbortSignal(signal, stream);
};

// The number of arguments matters: with two the second is the callback.
Stream.finished = function eos(stream, options, callback) {
  return Reflect.apply(require('internal/streams/end_of_stream').eos, this, arguments);
};

Stream.destroy = require('internal/streams/destroy').destroyer;

Stream.compose = function compose(...streams) {
  return require('internal/streams/compose')(...each(streams));
};

Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;

Object.defineProperty(Stream, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return require('internal/streams/promises');
  },
});
Stream.Stream = Stream;

const kPromisify = Symbol.for('nodejs.util.promisify.custom');
for (const name of each(['pipeline', 'finished'])) {
  Object.defineProperty(Stream[name], kPromisify, {
    __proto__: null,
    enumerable: true,
    get() {
      return require('internal/streams/promises')[name];
    },
  });
}

// Name and number of parameters of each iterator helper.
addOperators('streamReturningOperators', { drop: 1, filter: 2, flatMap: 2, map: 2, take: 1 }, (result) => Readable.from(result));
addOperators('promiseReturningOperators', { every: 1, forEach: 2, reduce: 3, toArray: 1, some: 1, find: 2 }, (result) => result);

function addOperators(group, lengths, finish) {
  for (const name of each(Object.keys(lengths))) {
    const method = function (...args) {
      if (new.target) throw new (require('internal/errors/coded').codes.ERR_ILLEGAL_CONSTRUCTOR)();
      return finish(Reflect.apply(require('internal/streams/operators')[group][name], this, args));
    };
    Object.defineProperty(method, 'name', { __proto__: null, value: name });
    Object.defineProperty(method, 'length', { __proto__: null, value: lengths[name] });
    Object.defineProperty(Readable.prototype, name, {
      __proto__: null,
      value: method,
      configurable: true,
      enumerable: false,
      writable: true,
    });
  }
}

Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = function isUint8Array(value) {
  return value instanceof Uint8Array;
};
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  const { Buffer } = require('internal/buffer/buffer');
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};
