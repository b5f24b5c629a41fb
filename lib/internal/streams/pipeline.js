// natives: none
// pipeline(): joins streams, iterables, generator functions and WHATWG streams end
// to end, forwards the first error to all of them, and reports once. The parts that
// move the data are in pump.js.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE, ERR_MISSING_ARGS, ERR_STREAM_DESTROYED, ERR_STREAM_UNABLE_TO_PIPE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateFunction } = require('internal/util/validators');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const Duplex = require('internal/streams/duplex');
const { asAsyncIterable, pipeNodeStreams, pumpToNode, pumpToWeb } = require('internal/streams/pump');
const {
  isIterable,
  isNodeStream,
  isReadable,
  isReadableNodeStream,
  isReadableStream,
  isTransformStream,
  isWebStream,
} = require('internal/streams/utils');

function pipeline(...streams) {
  validateFunction(streams[streams.length - 1], 'streams[stream.length - 1]');
  const callback = arrayPop.call(streams);
  let called = false;
  return pipelineImpl(streams, (error, value) => {
    if (called) return;
    called = true;
    callback(error, value);
  });
}

function pipelineImpl(streams, callback, options) {
  if (streams.length === 1 && Array.isArray(streams[0])) streams = streams[0];
  if (streams.length < 2) throw new ERR_MISSING_ARGS('streams');
  validateAbortSignal(options?.signal, 'options.signal');
  return new Pipeline(streams, callback, options).build();
}

class Pipeline {
  constructor(streams, callback, options) {
    this.streams = streams;
    this.callback = callback;
    this.options = options;
    this.controller = null; // for the generator functions: see signal
    this.isDone = false;
    this.error = undefined;
    this.value = undefined; // what the last function's promise gave
    this.destroyers = [];
    this.cleanups = []; // listeners on a last stream that others go on reading
    this.pending = 0; // parts that have not reported yet
    this.finish = (error) => {
      this.onPartDone(error, --this.pending === 0);
    };
    this.fail = (error) => {
      this.onPartDone(error, false);
    };
    const outer = options?.signal;
    this.onAbort = () => {
      this.fail(new AbortError(undefined, { cause: outer?.reason }));
    };
    this.abortListener = outer ? require('internal/events/events').addAbortListener(outer, this.onAbort) : null;
  }

  // Arguments of functions in the pipeline; most pipelines have none.
  get signal() {
    if (this.controller === null) {
      const { AbortController } = require('internal/events/abort');
      this.controller = new AbortController();
      if (this.isDone) this.controller.abort();
    }
    return this.controller.signal;
  }

  build() {
    const { streams } = this;
    let tail;
    for (let i = 0; i < streams.length; i++) {
      this.watch(i);
      tail = i === 0 ? this.openSource(streams[0]) : this.join(tail, i);
    }
    if (this.isDone || this.options?.signal?.aborted) process.nextTick(this.onAbort);
    return tail;
  }

  endsAt(i) {
    return i < this.streams.length - 1 || this.options?.end !== false;
  }

  isLast(i) {
    return i === this.streams.length - 1;
  }

  // Errors of a stream, and how to destroy it should another one fail.
  watch(i) {
    const stream = this.streams[i];
    if (!isNodeStream(stream)) return;
    const next = this.streams[i + 1];
    if (next?.closed || next?.destroyed) throw new ERR_STREAM_UNABLE_TO_PIPE();
    const othersRead = this.isLast(i) && isReadable(stream);

    if (this.endsAt(i)) {
      const stop = this.addDestroyer(stream, !this.isLast(i), i > 0);
      if (othersRead) arrayPush.call(this.cleanups, stop);
    }
    const onError = (error) => {
      if (error && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
        this.fail(error);
      }
    };
    stream.on('error', onError);
    if (othersRead)
      arrayPush.call(this.cleanups, () => {
        stream.removeListener('error', onError);
      });
  }

  addDestroyer(stream, readable, writable) {
    let finished = false;
    stream.on('close', () => {
      finished = true;
    });
    const stop = eos(stream, { readable, writable }, (error) => {
      finished = !error;
    });
    arrayPush.call(this.destroyers, (error) => {
      if (finished) return;
      finished = true;
      destroyer(stream, error || new ERR_STREAM_DESTROYED('pipe'));
    });
    return stop;
  }

  openSource(source) {
    if (typeof source === 'function') {
      const made = source({ signal: this.signal });
      if (!isIterable(made)) {
        throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', made);
      }
      return made;
    }
    if (isIterable(source) || isReadableNodeStream(source) || isTransformStream(source)) return source;
    return Duplex.from(source);
  }

  join(tail, i) {
    const stream = this.streams[i];
    if (typeof stream === 'function') {
      const input = asAsyncIterable(isTransformStream(tail) ? tail?.readable : tail);
      const output = stream(input, { signal: this.signal });
      if (this.isLast(i)) return this.drainInto(output, this.endsAt(i));
      if (!isIterable(output, true)) {
        throw new ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${i - 1}]`, output);
      }
      return output;
    }
    if (isNodeStream(stream)) this.connectToNode(tail, stream, i);
    else if (isWebStream(stream)) this.connectToWeb(tail, stream, i);
    else return Duplex.from(stream);
    return stream;
  }

  connectToNode(tail, stream, i) {
    const end = this.endsAt(i);
    if (isReadableNodeStream(tail)) {
      this.pending += 2;
      const stop = pipeNodeStreams(tail, stream, this.finish, this.fail, end);
      if (this.isLast(i) && isReadable(stream)) arrayPush.call(this.cleanups, stop);
    } else if (isTransformStream(tail) || isReadableStream(tail)) {
      this.pending++;
      pumpToNode(tail.readable || tail, stream, this.finish, end);
    } else if (isIterable(tail)) {
      this.pending++;
      pumpToNode(tail, stream, this.finish, end);
    } else {
      throw notASource(tail);
    }
  }

  connectToWeb(tail, stream, i) {
    let source;
    if (isReadableNodeStream(tail)) source = asAsyncIterable(tail);
    else if (isReadableStream(tail) || isIterable(tail)) source = tail;
    else if (isTransformStream(tail)) source = tail.readable;
    else throw notASource(tail);
    this.pending++;
    pumpToWeb(source, stream, this.finish, this.endsAt(i));
  }

  // The last step is a function: its result flows into a stream of ours, so that
  // pipeline() always returns one.
  drainInto(output, end) {
    const PassThrough = require('internal/streams/passthrough');
    const stream = new PassThrough({ objectMode: true });
    const then = output?.then; // read once: it may be a getter
    if (typeof then === 'function') {
      this.pending++;
      call2(
        then,
        output,
        (value) => {
          this.value = value;
          if (value != null) stream.write(value);
          if (end) stream.end();
          process.nextTick(this.finish);
        },
        (error) => {
          stream.destroy(error);
          process.nextTick(this.finish, error);
        },
      );
    } else if (isIterable(output, true)) {
      this.pending++;
      pumpToNode(output, stream, this.finish, end);
    } else if (isReadableStream(output) || isTransformStream(output)) {
      this.pending++;
      pumpToNode(output.readable || output, stream, this.finish, end);
    } else {
      throw new ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', output);
    }
    arrayPush.call(this.cleanups, this.addDestroyer(stream, false, true));
    return stream;
  }

  // A premature close or an abort is often the echo of the error still to come.
  onPartDone(error, isLastPart) {
    const known = this.error;
    if (error && (!known || known.code === 'ERR_STREAM_PREMATURE_CLOSE' || known.name === 'AbortError')) {
      this.error = error;
    }
    if (!this.error && !isLastPart) return;
    while (this.destroyers.length > 0) arrayShift.call(this.destroyers)(this.error);
    this.abortListener?.[Symbol.dispose]();
    this.isDone = true;
    this.controller?.abort();
    if (!isLastPart) return;
    if (!this.error) for (const cleanup of each(this.cleanups)) cleanup();
    process.nextTick(this.callback, this.error, this.value);
  }
}

function notASource(value) {
  return new ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], value);
}

module.exports = { pipeline, pipelineImpl };
