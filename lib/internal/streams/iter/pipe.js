// natives: none
// pipeTo() and pipeToSync(): a source through transforms into a writer, by its synchronous methods as long as it takes them.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { abortable } = require('internal/streams/iter/abortable');
const {
  asError,
  checkTransforms,
  isAsyncIterable,
  isBatch,
  isOptions,
  isSyncIterable,
  kIsBatched,
  sizeOf,
  toAsyncStreamable,
  toStreamable,
} = require('internal/streams/iter/chunks');
const { flatten, from, fromSync } = require('internal/streams/iter/from');
const { pipeline, pipelineSync } = require('internal/streams/iter/pull');
const { validateAbortSignal } = require('internal/util/validators');

const has = (writer, method) => typeof writer?.[method] === 'function';

// (...transforms, writer, options?)
function parse(args, method) {
  const last = args[args.length - 1];
  const hasOptions = args.length > 0 && isOptions(last) && !has(last, method);
  const at = args.length - (hasOptions ? 2 : 1);
  if (at < 0) throw new ERR_INVALID_ARG_VALUE('args', args, 'pipeTo requires a writer argument');
  const writer = args[at];
  if (!has(writer, method)) throw new ERR_INVALID_ARG_TYPE('writer', `object with a ${method} method`, writer);
  const transforms = arraySlice.call(args, 0, at);
  checkTransforms(transforms);
  return { transforms, writer, options: hasOptions ? last : undefined };
}

function writeAllSync(writer, batch) {
  const isWritten =
    batch.length > 1 && has(writer, 'writevSync')
      ? writer.writevSync(batch) !== false
      : arrayEvery.call(batch, (chunk) => writer.writeSync(chunk) !== false);
  if (!isWritten) throw new ERR_OUT_OF_RANGE('write', 'within byte budget', 'budget exhausted');
}

function pipeToSync(source, ...args) {
  const { transforms, writer, options } = parse(args, 'writeSync');
  const batches = fromSync(source);
  let total = 0;
  try {
    // the program's: it may be an iterable of its own
    for (const batch of transforms.length > 0 ? pipelineSync(batches, transforms) : batches) {
      writeAllSync(writer, batch);
      total += sizeOf(batch);
    }
    if (!options?.preventClose && (!has(writer, 'endSync') || writer.endSync() < 0)) writer.end?.();
  } catch (error) {
    if (!options?.preventFail) writer.fail?.(asError(error));
    throw error;
  }
  return total;
}

async function writeAll(writer, batch, options) {
  if (batch.length > 1 && has(writer, 'writev')) {
    if (!has(writer, 'writevSync') || !writer.writevSync(batch)) await writer.writev(batch, options);
    return;
  }
  for (const chunk of each(batch)) {
    if (!has(writer, 'writeSync') || !writer.writeSync(chunk)) await writer.write(chunk, options);
  }
}

// A source that can be written value by value, as it comes, without batches being collected first.
function isPlainIterable(source) {
  if (source === null || typeof source !== 'object' || Array.isArray(source) || source[kIsBatched]) return false;
  if (ArrayBuffer.isView(source) || isAsyncIterable(source) || !isSyncIterable(source)) return false;
  return typeof source[toAsyncStreamable] !== 'function' && typeof source[toStreamable] !== 'function';
}

async function* oneByOne(source) {
  // the program's: an iterable of its own
  for (const value of source) {
    const chunks = [];
    if (isBatch(value)) arrayPush.call(chunks, ...each(value));
    else await flatten(value, chunks, true);
    if (chunks.length > 0) yield chunks;
  }
}

function batchesOf(source, transforms, writer, signal) {
  if (transforms.length > 0) return pipeline(from(source), transforms, signal);
  if (signal === undefined && has(writer, 'writeSync') && isPlainIterable(source)) return oneByOne(source);
  return abortable(from(source), signal);
}

async function pipeTo(source, ...args) {
  const { transforms, writer, options } = parse(args, 'write');
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  signal?.throwIfAborted();
  const writeOptions = signal === undefined ? undefined : { __proto__: null, signal };
  const batches = batchesOf(source, transforms, writer, signal);
  let total = 0;
  try {
    // the program's: it may be an iterable of its own
    for await (const batch of batches) {
      signal?.throwIfAborted();
      await writeAll(writer, batch, writeOptions);
      total += sizeOf(batch);
    }
    if (!options?.preventClose && (!has(writer, 'endSync') || writer.endSync() < 0)) await writer.end?.(writeOptions);
  } catch (error) {
    if (!options?.preventFail) writer.fail?.(asError(error));
    throw error;
  }
  return total;
}

module.exports = { pipeTo, pipeToSync };
