// natives: none
// TransformStream: a writable side whose chunks go through transform() into a
// readable side; the readable side's demand is the writable side's back-pressure.
// https://streams.spec.whatwg.org/#ts-class
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const {
  kRecord,
  kInternal,
  kInspect,
  kUndefinedPromise,
  upon,
  rejected,
  resolvedWith,
  recordOf,
  callbackOf,
  promiseCall,
  convertStrategy,
  extractHighWaterMark,
  inspectAs,
  markTransferable,
  finishInterface,
  kNothing,
} = require('internal/webstreams/shared');
const {
  canCloseOrEnqueue,
  closeController,
  enqueueChunk,
  errorController,
  desiredSizeOf,
} = require('internal/webstreams/default_controller');
const { createReadableStream, toObject: toReadable } = require('internal/webstreams/readable_stream');
const { errorWritableIfNeeded } = require('internal/webstreams/writable_core');
const { createWritableStream, toObject: toWritable } = require('internal/webstreams/writable_stream');

class TransformStreamRecord {
  constructor() {
    this.readable = null;
    this.writable = null;
    this.controller = null;
    this.backpressure = undefined;
    this.backpressureChange = null; // { promise, resolve }: until it next changes, once asked for
  }
}

class TransformControllerRecord {
  constructor(stream, transform, flush, cancel) {
    this.object = null;
    this.stream = stream;
    this.transform = transform;
    this.flush = flush;
    this.cancel = cancel;
    this.finish = null; // set once closing, aborting or cancelling began
  }
}

function clearAlgorithms(controller) {
  controller.transform = undefined;
  controller.flush = undefined;
  controller.cancel = undefined;
}

class TransformStream {
  constructor(transformer = kNothing, writableStrategy = kNothing, readableStrategy = kNothing) {
    if (transformer === null || (typeof transformer !== 'object' && typeof transformer !== 'function')) {
      throw new ERR_INVALID_ARG_TYPE('transformer', 'Object', transformer);
    }
    const writableQueuing = convertStrategy(writableStrategy);
    const readableQueuing = convertStrategy(readableStrategy);
    // In the order Web IDL reads them.
    const members = {
      cancel: callbackOf(transformer, 'cancel', 'transformer'),
      flush: callbackOf(transformer, 'flush', 'transformer'),
      readableType: transformer.readableType,
      start: callbackOf(transformer, 'start', 'transformer'),
      transform: callbackOf(transformer, 'transform', 'transformer'),
      writableType: transformer.writableType,
    };
    for (const name of each(['readableType', 'writableType'])) {
      if (members[name] !== undefined) {
        throw new ERR_INVALID_ARG_VALUE.RangeError(`transformer.${name}`, members[name]);
      }
    }
    const readableMark = extractHighWaterMark(readableQueuing, 0);
    const writableMark = extractHighWaterMark(writableQueuing, 1);
    const record = new TransformStreamRecord();
    this[kRecord] = record;
    const started = Promise.withResolvers();
    initialize(record, started.promise, writableMark, writableQueuing.size, readableMark, readableQueuing.size);
    const object = setUpController(record, transformer, members);
    started.resolve(members.start === undefined ? undefined : Reflect.apply(members.start, transformer, [object]));
  }

  get readable() {
    return toReadable(recordOf(this, TransformStreamRecord, 'TransformStream').readable);
  }

  get writable() {
    return toWritable(recordOf(this, TransformStreamRecord, 'TransformStream').writable);
  }

  [kInspect](depth, options, inspect) {
    const { backpressure } = recordOf(this, TransformStreamRecord, 'TransformStream');
    return inspectAs(this, depth, options, inspect, 'TransformStream', { readable: this.readable, writable: this.writable, backpressure });
  }
}
finishInterface(TransformStream, ['readable', 'writable']);
markTransferable(TransformStream);

// https://streams.spec.whatwg.org/#initialize-transform-stream
function initialize(stream, started, writableMark, writableSize, readableMark, readableSize) {
  const start = () => started;
  stream.writable = createWritableStream(
    start,
    (chunk) => sinkWrite(stream, chunk),
    () => sinkClose(stream),
    (reason) => sinkAbort(stream, reason),
    writableMark,
    writableSize,
  );
  stream.readable = createReadableStream(
    start,
    () => sourcePull(stream),
    (reason) => sourceCancel(stream, reason),
    readableMark,
    readableSize,
  );
  setBackpressure(stream, true);
}

// https://streams.spec.whatwg.org/#set-up-transform-stream-default-controller-from-transformer
function setUpController(stream, transformer, { transform, flush, cancel }) {
  const controller = new TransformControllerRecord(
    stream,
    transform === undefined ? (chunk) => passOn(controller, chunk) : (chunk) => promiseCall(transform, transformer, chunk, object),
    flush === undefined ? undefined : () => promiseCall(flush, transformer, object),
    cancel === undefined ? undefined : (reason) => resolvedWith(promiseCall(cancel, transformer, reason)),
  );
  const object = new TransformStreamDefaultController(kInternal, controller);
  stream.controller = controller;
  return object;
}

// Without a transform() chunks pass unchanged.
function passOn(controller, chunk) {
  try {
    enqueue(controller, chunk);
    return kUndefinedPromise;
  } catch (error) {
    return rejected(error);
  }
}

function setBackpressure(stream, backpressure) {
  stream.backpressureChange?.resolve();
  stream.backpressureChange = null;
  stream.backpressure = backpressure;
}

function backpressureChanged(stream) {
  stream.backpressureChange ??= Promise.withResolvers();
  return stream.backpressureChange.promise;
}

function errorTransform(stream, error) {
  errorController(stream.readable.controller, error);
  errorWritableAndUnblock(stream, error);
}

function errorWritableAndUnblock(stream, error) {
  clearAlgorithms(stream.controller);
  errorWritableIfNeeded(stream.writable.controller, error);
  unblockWrite(stream);
}

function unblockWrite(stream) {
  if (stream.backpressure) setBackpressure(stream, false);
}

// https://streams.spec.whatwg.org/#transform-stream-default-controller-enqueue
function enqueue(controller, chunk) {
  const { stream } = controller;
  const readable = stream.readable.controller;
  if (!canCloseOrEnqueue(readable)) throw new ERR_INVALID_STATE.TypeError('Unable to enqueue');
  try {
    enqueueChunk(readable, chunk);
  } catch (error) {
    errorWritableAndUnblock(stream, error);
    throw stream.readable.storedError;
  }
  if (!readable.shouldCallPull() && !stream.backpressure) setBackpressure(stream, true);
}

function terminate(controller) {
  const { stream } = controller;
  closeController(stream.readable.controller);
  errorWritableAndUnblock(stream, new ERR_INVALID_STATE.TypeError('TransformStream has been terminated'));
}

function performTransform(controller, chunk) {
  const { transform } = controller;
  if (transform === undefined) return kUndefinedPromise;
  return upon(transform(chunk), undefined, (error) => {
    errorTransform(controller.stream, error);
    throw error;
  });
}

// https://streams.spec.whatwg.org/#transform-stream-default-sink-write-algorithm
function sinkWrite(stream, chunk) {
  if (!stream.backpressure) return performTransform(stream.controller, chunk);
  // Settled without a promise of its own, which would come a microtask later.
  upon(backpressureChanged(stream), () => {
    const { state, storedError, controller } = stream.writable;
    if (state === 'erroring') upon(kUndefinedPromise, () => controller.onWriteFailed(storedError));
    else upon(performTransform(stream.controller, chunk), controller.onWritten, controller.onWriteFailed);
  });
  return null;
}

// Ends the stream once: runs `algorithm`, then one of the two outcomes.
function finishWith(controller, algorithm, onDone, onFailed) {
  if (controller.finish !== null) return controller.finish.promise;
  const finish = Promise.withResolvers();
  controller.finish = finish;
  const ended = algorithm === undefined ? kUndefinedPromise : algorithm();
  clearAlgorithms(controller);
  upon(
    ended,
    () => {
      const failure = onDone();
      if (failure === null) finish.resolve();
      else finish.reject(failure.error);
    },
    (error) => {
      onFailed(error);
      finish.reject(error);
    },
  );
  return finish.promise;
}

const failureOf = (stream) => (stream.state === 'errored' ? { error: stream.storedError } : null);

// https://streams.spec.whatwg.org/#transform-stream-default-sink-abort-algorithm
function sinkAbort(stream, reason) {
  const { controller, readable } = stream;
  const cancel = controller.cancel;
  return finishWith(
    controller,
    cancel && (() => cancel(reason)),
    () => {
      const failure = failureOf(readable);
      if (failure === null) errorController(readable.controller, reason);
      return failure;
    },
    (error) => {
      errorController(readable.controller, error);
    },
  );
}

// https://streams.spec.whatwg.org/#transform-stream-default-sink-close-algorithm
function sinkClose(stream) {
  const { controller, readable } = stream;
  return finishWith(
    controller,
    controller.flush,
    () => {
      const failure = failureOf(readable);
      if (failure === null) closeController(readable.controller);
      return failure;
    },
    (error) => {
      errorController(readable.controller, error);
    },
  );
}

// https://streams.spec.whatwg.org/#transform-stream-default-source-cancel
function sourceCancel(stream, reason) {
  const { controller, writable } = stream;
  const cancel = controller.cancel;
  return finishWith(
    controller,
    cancel && (() => cancel(reason)),
    () => {
      const failure = failureOf(writable);
      if (failure === null) {
        errorWritableIfNeeded(writable.controller, reason);
        unblockWrite(stream);
      }
      return failure;
    },
    (error) => {
      errorWritableIfNeeded(writable.controller, error);
      unblockWrite(stream);
    },
  );
}

function sourcePull(stream) {
  setBackpressure(stream, false);
  return backpressureChanged(stream);
}

class TransformStreamDefaultController {
  constructor(key = undefined, record = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this[kRecord] = record;
    record.object = this;
  }

  get desiredSize() {
    const { stream } = recordOf(this, TransformControllerRecord, 'TransformStreamDefaultController');
    return desiredSizeOf(stream.readable.controller);
  }

  enqueue(chunk = undefined) {
    enqueue(recordOf(this, TransformControllerRecord, 'TransformStreamDefaultController'), chunk);
  }

  error(reason = undefined) {
    errorTransform(recordOf(this, TransformControllerRecord, 'TransformStreamDefaultController').stream, reason);
  }

  terminate() {
    terminate(recordOf(this, TransformControllerRecord, 'TransformStreamDefaultController'));
  }

  [kInspect](depth, options, inspect) {
    recordOf(this, TransformControllerRecord, 'TransformStreamDefaultController');
    return inspectAs(this, depth, options, inspect, 'TransformStreamDefaultController', {});
  }
}
finishInterface(TransformStreamDefaultController, ['desiredSize', 'enqueue', 'error', 'terminate']);

module.exports = { TransformStream, TransformStreamDefaultController };
