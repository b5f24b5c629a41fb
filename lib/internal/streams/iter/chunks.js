// natives: none
// node:stream/iter: the protocol's symbols, bytes and batches. A batch is an array of Uint8Arrays; every stream is an iterable of them.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_OPERATION_FAILED },
} = require('internal/errors/coded');
const { isAnyArrayBuffer, isSharedArrayBuffer, isUint8Array } = require('internal/util/types');
const { validateAbortSignal, validateInteger, validateOneOf } = require('internal/util/validators');
const { TextEncoder } = require('internal/encoding/encoding');

const toStreamable = Symbol.for('Stream.toStreamable');
const toAsyncStreamable = Symbol.for('Stream.toAsyncStreamable');
const broadcastProtocol = Symbol.for('Stream.broadcastProtocol');
const shareProtocol = Symbol.for('Stream.shareProtocol');
const shareSyncProtocol = Symbol.for('Stream.shareSyncProtocol');
const drainableProtocol = Symbol.for('Stream.drainableProtocol');
// On a source whose batches need no check.
const kIsBatched = Symbol('kIsBatched');

const kLeastBudget = 16384;
const encoder = new TextEncoder();

const isSyncIterable = (value) => typeof value?.[Symbol.iterator] === 'function';
const isAsyncIterable = (value) => typeof value?.[Symbol.asyncIterator] === 'function';
const hasProtocol = (value, symbol) => value !== null && typeof value === 'object' && typeof value[symbol] === 'function';
const isTransformObject = (value) => typeof value?.transform === 'function';
const isTransform = (value) => typeof value === 'function' || isTransformObject(value);

// The bytes of a string, an ArrayBuffer or a view on one; undefined for anything else.
function bytesOf(value) {
  if (typeof value === 'string') return encoder.encode(value);
  if (isUint8Array(value)) return value;
  if (isAnyArrayBuffer(value)) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return undefined;
}

// A chunk given to a writer.
function chunkOf(value) {
  if (typeof value === 'string') return encoder.encode(value);
  if (isUint8Array(value)) return value;
  throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Uint8Array'], value);
}

function chunksOf(values) {
  if (!Array.isArray(values)) throw new ERR_INVALID_ARG_TYPE('chunks', 'Array', values);
  return arrayMap.call(values, (value) => chunkOf(value));
}

function isBatch(value) {
  return Array.isArray(value) && arrayEvery.call(value, (item) => isUint8Array(item));
}

function sizeOf(batch) {
  let size = 0;
  for (let i = 0; i < batch.length; i++) size += batch[i].byteLength;
  return size;
}

function concatenated(chunks) {
  if (chunks.length === 1) {
    const { buffer, byteLength, byteOffset } = chunks[0];
    if (byteOffset === 0 && !isSharedArrayBuffer(buffer) && byteLength === buffer.byteLength) return chunks[0];
  }
  const whole = new Uint8Array(sizeOf(chunks));
  let offset = 0;
  for (let i = 0; i < chunks.length; i++) {
    bytesSet.call(whole, chunks[i], offset);
    offset += chunks[i].byteLength;
  }
  return whole;
}

const asError = (reason) => (Error.isError(reason) ? reason : new ERR_OPERATION_FAILED(String(reason)));
const result = (value) => ({ __proto__: null, done: false, value });
const ended = () => ({ __proto__: null, done: true, value: undefined });

// The signal among the options of a writer's method.
function signalOf(options) {
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  return signal;
}

function validateBuffering(budget, backpressure) {
  validateInteger(budget, 'options.budget', kLeastBudget);
  validateOneOf(backpressure, 'options.backpressure', ['strict', 'unbounded', 'drop-oldest', 'drop-newest']);
}

function checkTransforms(transforms) {
  for (let i = 0; i < transforms.length; i++) {
    if (!isTransform(transforms[i])) {
      throw new ERR_INVALID_ARG_TYPE(`transforms[${i}]`, ['Function', 'Object with transform()'], transforms[i]);
    }
  }
}

const isOptions = (value) => value !== null && typeof value === 'object' && !('transform' in value) && !('write' in value);

// (...transforms, options?) of pull(), push() and their like.
function parseTransforms(args) {
  const last = args[args.length - 1];
  const hasOptions = args.length > 0 && isOptions(last);
  const transforms = hasOptions ? arraySlice.call(args, 0, -1) : args;
  checkTransforms(transforms);
  return { transforms, options: hasOptions ? last : undefined };
}

// Calls back once when the signal aborts, also when it has; returns a function that forgets it.
function whenAborted(signal, callback) {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    callback();
    return () => {};
  }
  signal.addEventListener('abort', callback, { __proto__: null, once: true });
  return () => signal.removeEventListener('abort', callback);
}

module.exports = {
  asError,
  broadcastProtocol,
  bytesOf,
  checkTransforms,
  chunkOf,
  chunksOf,
  concatenated,
  drainableProtocol,
  ended,
  hasProtocol,
  isAsyncIterable,
  isBatch,
  isOptions,
  isSyncIterable,
  isTransformObject,
  kIsBatched,
  kLeastBudget,
  parseTransforms,
  result,
  shareProtocol,
  shareSyncProtocol,
  signalOf,
  sizeOf,
  toAsyncStreamable,
  toStreamable,
  validateBuffering,
  whenAborted,
};
