// natives: none
// finished(): tells once when a stream is no longer readable, writable, or has
// failed or closed too early. eos() is the callback form, with a function to stop
// listening; finished() the promise form. Knows foreign streams, HTTP messages and
// WHATWG streams.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/util/validators');
const {
  isClientRequest,
  isClosed,
  isNodeStream,
  isReadable,
  isReadableErrored,
  isReadableFinished,
  isReadableNodeStream,
  isReadableStream,
  isWritable,
  isWritableErrored,
  isWritableFinished,
  isWritableNodeStream,
  isWritableStream,
  kIsClosedPromise,
  willEmitClose,
} = require('internal/streams/utils');
const asyncContext = require('internal/async_hooks/context');

const kNoOptions = Object.freeze({ __proto__: null });
// Option for our own callers: a result known already is reported before eos() returns.
const kReportAtOnce = Symbol('kReportAtOnce');

function nop() {}

function eos(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = kNoOptions;
  } else if (options == null) {
    options = kNoOptions;
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  if (isReadableStream(stream) || isWritableStream(stream)) return watchWebStream(stream, options, callback);
  if (!isNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }

  // The callback belongs to its caller's async context, not to the code that ends the stream.
  if (asyncContext.active && !options[kReportAtOnce]) callback = asyncContext.bind(callback);
  const watch = new Watch(stream, options, callback);
  let result = watch.resultAtOnce();
  if (result !== undefined) {
    if (options.error !== false) watch.listen('error', nop);
  } else if (options.signal?.aborted) {
    result = new AbortError(undefined, { cause: options.signal.reason });
  }
  if (result !== undefined) {
    if (options[kReportAtOnce]) watch.report(result);
    else
      process.nextTick(() => {
        watch.report(result);
      });
    return () => {
      watch.stop();
    };
  }
  watch.listenToAll();
  if (options.signal) watch.listenToSignal(options.signal);
  return () => {
    watch.stop();
  };
}

// One stream being watched. `readable` and `writable`: which halves matter.
class Watch {
  constructor(stream, options, callback) {
    this.stream = stream;
    this.callback = callback;
    this.options = options;
    this.readable = options.readable ?? isReadableNodeStream(stream);
    this.writable = options.writable ?? isWritableNodeStream(stream);
    // Where 'close' is sure to come and all halves matter, it alone decides.
    this.waitsForClose =
      willEmitClose(stream) && isReadableNodeStream(stream) === this.readable && isWritableNodeStream(stream) === this.writable;
    this.readableFinished = isReadableFinished(stream, false);
    this.writableFinished = isWritableFinished(stream, false);
    this.listening = [];
    this.abortListener = null;
  }

  // An error or null when the stream has already come to an end; else undefined.
  resultAtOnce() {
    const { stream, readable, writable, waitsForClose } = this;
    const r = stream._readableState;
    const w = stream._writableState;
    if (isClosed(stream)) return this.errorOnClose();
    if (w?.errorEmitted || r?.errorEmitted) return waitsForClose ? undefined : errorOf(stream);
    if (!readable && (!waitsForClose || isReadable(stream)) && (this.writableFinished || isWritable(stream) === false) && !w?.pendingcb) {
      return errorOf(stream);
    }
    if (!writable && (!waitsForClose || isWritable(stream)) && (this.readableFinished || isReadable(stream) === false)) {
      return errorOf(stream);
    }
    return r && stream.req && stream.aborted ? errorOf(stream) : undefined;
  }

  errorOnClose() {
    const { stream } = this;
    const error = errorOf(stream);
    if (error) return error;
    const cutReading = this.readable && !this.readableFinished && isReadableNodeStream(stream, true) && !isReadableFinished(stream, false);
    const cutWriting = this.writable && !this.writableFinished && !isWritableFinished(stream, false);
    return cutReading || cutWriting ? new ERR_STREAM_PREMATURE_CLOSE() : null;
  }

  listen(event, listener, emitter = this.stream) {
    emitter.on(event, listener);
    arrayPush.call(this.listening, emitter, event, listener);
  }

  listenToAll() {
    const { stream } = this;
    const onFinish = () => {
      this.onFinish();
    };
    const onEnd = () => {
      this.onEnd();
    };
    const onClose = () => {
      this.report(this.errorOnClose());
    };

    if (isClientRequest(stream)) {
      const onRequest = () => {
        this.listen('finish', onFinish, stream.req);
      };
      this.listen('complete', onFinish);
      if (!this.waitsForClose) this.listen('abort', onClose);
      if (stream.req) onRequest();
      else this.listen('request', onRequest);
    } else if (this.writable && !stream._writableState) {
      // Streams of the first generation: no 'finish'.
      const onOldFinish = () => {
        if (!stream.writable) this.onFinish();
      };
      this.listen('end', onOldFinish);
      this.listen('close', onOldFinish);
    }
    if (!this.waitsForClose && typeof stream.aborted === 'boolean') this.listen('aborted', onClose);
    this.listen('end', onEnd);
    this.listen('finish', onFinish);
    if (this.options.error !== false)
      this.listen('error', (error) => {
        this.report(error);
      });
    this.listen('close', onClose);
  }

  onFinish() {
    const { stream } = this;
    this.writableFinished = true;
    // Destroyed before its 'finish': such a stream cannot be trusted about 'close'.
    if (stream.destroyed) this.waitsForClose = false;
    if (this.waitsForClose && (!stream.readable || this.readable)) return;
    if (!this.readable || this.readableFinished) this.report(null);
  }

  onEnd() {
    const { stream } = this;
    this.readableFinished = true;
    if (stream.destroyed) this.waitsForClose = false;
    if (this.waitsForClose && (!stream.writable || this.writable)) return;
    if (!this.writable || this.writableFinished) this.report(null);
  }

  listenToSignal(signal) {
    const { addAbortListener } = require('internal/events/events');
    this.abortListener = addAbortListener(signal, () => {
      const { callback } = this;
      this.stop();
      call1(callback, this.stream, new AbortError(undefined, { cause: signal.reason }));
    });
  }

  report(error) {
    const { callback, stream } = this;
    this.callback = nop;
    this.abortListener?.[Symbol.dispose]();
    this.abortListener = null;
    if (error === null) call0(callback, stream);
    else call1(callback, stream, error);
  }

  stop() {
    this.callback = nop;
    const list = this.listening;
    this.listening = [];
    for (let i = 0; i < list.length; i += 3) list[i].removeListener(list[i + 1], list[i + 2]);
  }
}

function errorOf(stream) {
  const error = isWritableErrored(stream) || isReadableErrored(stream);
  return (typeof error !== 'boolean' && error) || null;
}

function watchWebStream(stream, options, callback) {
  if (asyncContext.active) callback = asyncContext.bind(callback);
  let done = false;
  let abortListener = null;
  const report = (...args) => {
    if (done) return;
    done = true;
    abortListener?.[Symbol.dispose]();
    Reflect.apply(callback, stream, args);
  };
  if (options.signal) {
    const onAbort = () => {
      report(new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) process.nextTick(onAbort);
    else abortListener = require('internal/events/events').addAbortListener(options.signal, onAbort);
  }
  const onClosed = (...args) => {
    if (!done) process.nextTick(report, ...each(args));
  };
  promiseThen(stream[kIsClosedPromise].promise, onClosed, onClosed);
  return nop;
}

function finished(stream, options) {
  let cleanUp = false;
  if (options === null) options = kNoOptions;
  if (options?.cleanup) {
    validateBoolean(options.cleanup, 'cleanup');
    cleanUp = options.cleanup;
  }
  return new Promise((resolve, reject) => {
    const stop = eos(stream, options, (error) => {
      if (cleanUp) stop();
      if (error) reject(error);
      else resolve();
    });
  });
}

module.exports = { eos, finished, kReportAtOnce };
