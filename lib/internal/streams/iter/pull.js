// natives: none
// pull() and pullSync(): sources through transforms, as lazily as the consumer reads. A transform is a function of a batch (null at the
// end) or an object whose transform() turns the whole stream into another.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { abortable } = require('internal/streams/iter/abortable');
const {
  asError,
  bytesOf,
  checkTransforms,
  isAsyncIterable,
  isBatch,
  isSyncIterable,
  isTransformObject,
  parseTransforms,
  whenAborted,
} = require('internal/streams/iter/chunks');
const { from, fromSync } = require('internal/streams/iter/from');
const { isPromise } = require('internal/util/types');
const { validateAbortSignal } = require('internal/util/validators');
const { AbortController } = require('internal/events/abort');
const { DOMException } = require('internal/errors/dom_exception');

const syncItems = ['Uint8Array', 'string', 'ArrayBuffer', 'ArrayBufferView', 'Iterable'];
const asyncItems = [...each(syncItems), 'AsyncIterable'];
const syncResults = ['null', 'Uint8Array', 'string', 'ArrayBuffer', 'ArrayBufferView', 'Array', 'Iterable'];
const asyncResults = [...each(syncResults), 'AsyncIterable', 'Promise'];

function flattenSync(value, chunks, types = syncItems, name = 'value') {
  const bytes = bytesOf(value);
  if (bytes !== undefined) {
    arrayPush.call(chunks, bytes);
  } else if (isSyncIterable(value)) {
    // the program's: what its transform made
    for (const item of value) flattenSync(item, chunks);
  } else {
    throw new ERR_INVALID_ARG_TYPE(name, types, value);
  }
}

async function flatten(value, chunks, types = asyncItems, name = 'value') {
  const bytes = bytesOf(value);
  if (bytes !== undefined) {
    arrayPush.call(chunks, bytes);
  } else if (isAsyncIterable(value)) {
    // the program's: what its transform made
    for await (const item of value) await flatten(item, chunks);
  } else if (isSyncIterable(value)) {
    flattenSync(value, chunks);
  } else {
    throw new ERR_INVALID_ARG_TYPE(name, types, value);
  }
}

// A function's result as a batch; null and nothing are none.
function batchSync(value) {
  if (value === null) return undefined;
  if (isBatch(value)) return value.length > 0 ? value : undefined;
  const chunks = [];
  flattenSync(value, chunks, syncResults, 'result');
  return chunks.length > 0 ? chunks : undefined;
}

async function batchOf(value) {
  if (isPromise(value)) value = await value;
  if (value === null) return undefined;
  if (isBatch(value)) return value.length > 0 ? value : undefined;
  const chunks = [];
  await flatten(value, chunks, asyncResults, 'result');
  return chunks.length > 0 ? chunks : undefined;
}

// Functions side by side: what one returns is the next one's argument as it is, and the last one's becomes a batch.
function* throughFunctionsSync(source, functions) {
  // the program's: it may be an iterable of its own
  for (const batch of source) {
    let current = batch;
    for (let i = 0; i < functions.length && current !== null; i++) current = functions[i](current);
    const made = batchSync(current);
    if (made !== undefined) yield made;
  }
  // At the end each is told, the first first; what it gives then goes through those after it.
  let last = [];
  for (let i = 0; i < functions.length; i++) {
    const made = [];
    for (const batch of each(last)) arrayPush.call(made, batchSync(functions[i](batch)));
    arrayPush.call(made, batchSync(functions[i](null)));
    last = arrayFilter.call(made, (batch) => batch !== undefined);
  }
  yield* each(last);
}

async function* throughFunctions(source, functions, signal) {
  const options = () => ({ __proto__: null, signal });
  // the program's: it may be an iterable of its own
  for await (const batch of source) {
    let current = batch;
    for (let i = 0; i < functions.length && current !== null; i++) {
      current = functions[i](current, options());
      if (isPromise(current)) current = await current;
    }
    const made = await batchOf(current);
    if (made !== undefined) yield made;
  }
  let last = [];
  for (let i = 0; i < functions.length; i++) {
    const made = [];
    for (const batch of each(last)) arrayPush.call(made, await batchOf(functions[i](batch, options())));
    arrayPush.call(made, await batchOf(functions[i](null, options())));
    last = arrayFilter.call(made, (batch) => batch !== undefined);
  }
  yield* each(last);
}

function* withEndSync(source) {
  // the program's: it may be an iterable of its own
  yield* source;
  yield null;
}

async function* withEnd(source) {
  // the program's: it may be an iterable of its own
  yield* source;
  yield null;
}

function* throughObjectSync(source, transform) {
  // the program's: what its transform made
  for (const item of transform.transform(withEndSync(source))) {
    if (item === null) continue;
    const chunks = [];
    flattenSync(item, chunks);
    if (chunks.length > 0) yield chunks;
  }
}

async function* throughObject(source, transform, signal) {
  // the program's: what its transform made
  for await (const item of transform.transform(withEnd(source), { __proto__: null, signal })) {
    if (item === null) continue;
    const chunks = [];
    await flatten(item, chunks);
    if (chunks.length > 0) yield chunks;
  }
}

// Transforms in order, functions that follow one another as one.
function chain(source, transforms, throughRun, throughOne) {
  let current = source;
  let run = [];
  for (const transform of each(transforms)) {
    if (!isTransformObject(transform)) {
      arrayPush.call(run, transform);
      continue;
    }
    if (run.length > 0) current = throughRun(current, run);
    run = [];
    current = throughOne(current, transform);
  }
  return run.length > 0 ? throughRun(current, run) : current;
}

const pipelineSync = (source, transforms) => chain(source, transforms, throughFunctionsSync, throughObjectSync);

async function* pipeline(source, transforms, signal) {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const forget = whenAborted(signal, () => controller.abort(signal.reason));
  const inner = controller.signal;
  const output = chain(
    abortable(source, signal),
    transforms,
    (current, run) => throughFunctions(current, run, inner),
    (current, transform) => throughObject(current, transform, inner),
  );
  let isDone = false;
  try {
    // the program's: it may be an iterable of its own
    for await (const batch of output) {
      inner.throwIfAborted();
      yield batch;
    }
    isDone = true;
  } catch (error) {
    if (!inner.aborted) controller.abort(asError(error));
    throw error;
  } finally {
    if (!isDone && !inner.aborted) controller.abort(new DOMException('Aborted', 'AbortError'));
    forget();
  }
}

function pullSync(source, ...transforms) {
  checkTransforms(transforms);
  return {
    __proto__: null,
    *[Symbol.iterator]() {
      // the program's: it may be an iterable of its own
      yield* pipelineSync(fromSync(source), transforms);
    },
  };
}

function pull(source, ...args) {
  const { transforms, options } = parseTransforms(args);
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  return {
    __proto__: null,
    async *[Symbol.asyncIterator]() {
      signal?.throwIfAborted();
      const batches = from(source);
      // the program's: it may be an iterable of its own
      yield* transforms.length === 0 ? abortable(batches, signal) : pipeline(batches, transforms, signal);
    },
  };
}

module.exports = { pipeline, pipelineSync, pull, pullSync };
