// natives: none
// ReadableStream.prototype.pipeTo: reads as long as the destination has room, and
// passes closing, errors and aborts in the direction they must go. Chunks that are
// already queued are moved without a promise for each.
// https://streams.spec.whatwg.org/#readable-stream-pipe-to
'use strict';

const { DOMException } = require('internal/errors/dom_exception');
const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { kUndefinedPromise, nop, upon, rejected } = require('internal/webstreams/shared');
const { acquireDefaultReader, readFromDefaultReader, readableStreamCancel, releaseReader } = require('internal/webstreams/readable_core');
const { DefaultControllerRecord } = require('internal/webstreams/default_controller');
const {
  WriterRecord,
  isCloseQueuedOrInFlight,
  releaseWriter,
  setUpWriter,
  writableStreamAbort,
  writableStreamClose,
  writerDesiredSize,
  writerWrite,
} = require('internal/webstreams/writable_core');

class Pipe {
  constructor(source, dest, options) {
    this.source = source;
    this.dest = dest;
    this.options = options;
    this.reader = acquireDefaultReader(source);
    this.writer = new WriterRecord();
    setUpWriter(this.writer, dest);
    source.disturbed = true;
    this.shuttingDown = false;
    this.done = Promise.withResolvers();
    this.removeAbort = nop;
    this.pendingWrites = 0;
    this.onWritesDone = null;
    this.step = () => {
      this.run();
    };
    this.onRoom = () => {
      this.writer.onRoom = null;
      this.run();
    };
    const settle = () => {
      this.onWriteSettled();
    };
    this.writeRequest = { resolve: settle, reject: settle };
  }

  start() {
    const { signal } = this.options;
    if (signal !== undefined) {
      if (signal.aborted) {
        this.onAbort(signal);
        return this.done.promise;
      }
      const listening = require('internal/events/events').addAbortListener(signal, () => {
        this.onAbort(signal);
      });
      this.removeAbort = () => {
        listening[Symbol.dispose]();
      };
    }
    this.watch();
    this.run();
    return this.done.promise;
  }

  onAbort(signal) {
    const { source, dest, options } = this;
    const error = abortReasonOf(signal);
    this.shutdown(
      () => {
        const actions = [];
        if (!options.preventAbort) {
          arrayPush.call(actions, dest.state === 'writable' ? writableStreamAbort(dest, error) : kUndefinedPromise);
        }
        if (!options.preventCancel) {
          arrayPush.call(actions, source.state === 'readable' ? readableStreamCancel(source, error) : kUndefinedPromise);
        }
        return Promise.all(actions);
      },
      true,
      error,
    );
  }

  // The four ways it ends by itself, in the standard's order.
  watch() {
    const { source, dest, reader, writer } = this;
    if (source.state === 'errored') this.onSourceError();
    else
      upon(reader.closed.promise, undefined, () => {
        this.onSourceError();
      });
    if (dest.state === 'errored') this.onDestError();
    else
      upon(writer.closed.promise, undefined, () => {
        this.onDestError();
      });
    if (source.state === 'closed') this.onSourceClose();
    else
      upon(
        reader.closed.promise,
        () => {
          this.onSourceClose();
        },
        nop,
      );
    if (isCloseQueuedOrInFlight(dest) || dest.state === 'closed') this.onDestClosed();
  }

  onSourceError() {
    const { source, dest, options } = this;
    const error = source.storedError;
    this.shutdown(options.preventAbort ? null : () => writableStreamAbort(dest, error), true, error);
  }

  onDestError() {
    const { source, dest, options } = this;
    const error = dest.storedError;
    this.shutdown(options.preventCancel ? null : () => readableStreamCancel(source, error), true, error);
  }

  onSourceClose() {
    const close = () => closeWithErrorPropagation(this.writer);
    this.shutdown(this.options.preventClose ? null : close, false, undefined);
  }

  onDestClosed() {
    const { source, options } = this;
    const error = new ERR_INVALID_STATE.TypeError('Destination WritableStream is closed');
    this.shutdown(options.preventCancel ? null : () => readableStreamCancel(source, error), true, error);
  }

  // Moves what can be moved now, then waits for room or for a chunk.
  run() {
    if (this.shuttingDown) return;
    const { source, writer } = this;
    const { controller } = source;
    const room = writerDesiredSize(writer);
    if (room === null) return; // the destination fails: watch() sees to it
    if (room <= 0) {
      writer.onRoom = this.onRoom;
    } else if (source.state === 'readable') {
      if (controller instanceof DefaultControllerRecord && controller.queue.length > 0) this.moveQueued(controller);
      else readFromDefaultReader(this.reader, this);
    }
  }

  // The source is asked for more after all of them, and the next ones are moved a microtask later: events and signals come between.
  moveQueued(controller) {
    const { source, writer } = this;
    while (controller.queue.length > 0 && !this.shuttingDown) {
      this.write(controller.takeWithoutPull());
      if (!(writerDesiredSize(writer) > 0)) break;
    }
    controller.callPullIfNeeded();
    if (source.state === 'closed') return;
    if (writerDesiredSize(writer) > 0) upon(kUndefinedPromise, this.step);
    else this.run();
  }

  write(chunk) {
    this.pendingWrites++;
    if (writerWrite(this.writer, chunk, this.writeRequest) !== null) this.onWriteSettled();
  }

  onWriteSettled() {
    if (--this.pendingWrites === 0 && this.onWritesDone !== null) this.onWritesDone();
  }

  // The pipe is its own read request. On a microtask: the source's enqueue() is on
  // the stack, and a close or error may follow it.
  chunkSteps(chunk) {
    this.pendingWrites++;
    upon(kUndefinedPromise, () => {
      this.write(chunk);
      this.onWriteSettled();
      this.run();
    });
  }

  closeSteps() {}
  errorSteps() {}

  // `action`, if any, runs when all chunks that were read have been written.
  shutdown(action, hasError, error) {
    if (this.shuttingDown) return;
    this.shuttingDown = true;
    const { dest } = this;
    const act = () => {
      if (action === null) {
        this.finalize(hasError, error);
        return;
      }
      upon(
        action(),
        () => {
          this.finalize(hasError, error);
        },
        (newError) => {
          this.finalize(true, newError);
        },
      );
    };
    if (dest.state !== 'writable' || isCloseQueuedOrInFlight(dest)) act();
    else if (this.pendingWrites > 0)
      this.onWritesDone = () => {
        upon(kUndefinedPromise, act);
      };
    else upon(kUndefinedPromise, act);
  }

  finalize(hasError, error) {
    releaseWriter(this.writer);
    releaseReader(this.reader);
    this.removeAbort();
    if (hasError) this.done.reject(error);
    else this.done.resolve();
  }
}

// An AbortError that is not a DOMException becomes one.
function abortReasonOf({ reason }) {
  if (reason instanceof Error && reason.name === 'AbortError' && !(reason instanceof DOMException)) {
    return new DOMException(reason.message, 'AbortError');
  }
  return reason;
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-close-with-error-propagation
function closeWithErrorPropagation({ stream }) {
  if (isCloseQueuedOrInFlight(stream) || stream.state === 'closed') return kUndefinedPromise;
  if (stream.state === 'errored') return rejected(stream.storedError);
  return writableStreamClose(stream);
}

function readableStreamPipeTo(source, dest, options) {
  return new Pipe(source, dest, options).start();
}

module.exports = { readableStreamPipeTo };
