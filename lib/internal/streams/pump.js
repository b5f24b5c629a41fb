// natives: none
// How pipeline() moves data from one part to the next: Node stream to Node stream
// by pipe(), an iterable into a Node stream or a WHATWG stream by a loop that
// respects back-pressure. Each reports to `finish(error)` once.
'use strict';

const {
  aggregateTwoErrors,
  codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE },
} = require('internal/errors/coded');
const { eos } = require('internal/streams/end_of_stream');
const { isIterable, isReadableFinished, isReadableNodeStream, isTransformStream } = require('internal/streams/utils');

function asAsyncIterable(value) {
  if (isIterable(value)) return value;
  if (isReadableNodeStream(value)) return iterateOldStream(value);
  throw new ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], value);
}

async function* iterateOldStream(stream) {
  const Readable = require('internal/streams/readable');
  yield* call0(Readable.prototype[Symbol.asyncIterator], stream);
}

async function pumpToNode(iterable, writable, finish, end) {
  let error;
  let wake = null;
  const onChange = (failure) => {
    if (failure) error = failure;
    const resume = wake;
    wake = null;
    if (resume) resume();
  };
  // Until 'drain', or the end of the stream.
  const changed = () =>
    new Promise((resolve, reject) => {
      const settle = () => {
        if (error) reject(error);
        else resolve();
      };
      if (error) settle();
      else wake = settle;
    });

  writable.on('drain', onChange);
  const stop = eos(writable, { readable: false }, onChange);
  try {
    if (writable.writableNeedDrain) await changed();
    for await (const chunk of iterable) {
      if (!writable.write(chunk)) await changed();
    }
    if (end) {
      writable.end();
      await changed();
    }
    finish();
  } catch (thrown) {
    finish(error !== thrown ? aggregateTwoErrors(error, thrown) : thrown);
  } finally {
    stop();
    writable.off('drain', onChange);
  }
}

async function pumpToWeb(iterable, stream, finish, end) {
  const writer = (isTransformStream(stream) ? stream.writable : stream).getWriter();
  try {
    for await (const chunk of iterable) {
      await writer.ready;
      promiseThen(writer.write(chunk), undefined, () => {}); // its error shows in `ready`
    }
    await writer.ready;
    if (end) await writer.close();
    finish();
  } catch (error) {
    try {
      await writer.abort(error);
      finish(error);
    } catch (abortError) {
      finish(abortError);
    }
  }
}

// Reports twice to `finish`: once for the source, once for the destination.
function pipeNodeStreams(source, dest, finish, fail, end) {
  let ended = false;
  const endDest = () => {
    ended = true;
    dest.end();
  };
  dest.on('close', () => {
    if (!ended) fail(new ERR_STREAM_PREMATURE_CLOSE());
  });
  // pipe() does not end stdout and stderr; a pipeline does.
  source.pipe(dest, { end: false });
  if (!end) finish();
  else if (isReadableFinished(source)) process.nextTick(endDest);
  else source.once('end', endDest);

  eos(source, { readable: true, writable: false }, (error) => {
    const state = source._readableState;
    if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE' && state?.ended && !state.errored && !state.errorEmitted) {
      // Closed before 'end' although all was pushed: 'end' is still to come.
      source.once('end', finish).once('error', finish);
    } else {
      finish(error);
    }
  });
  return eos(dest, { readable: false, writable: true }, finish);
}

module.exports = { asAsyncIterable, pipeNodeStreams, pumpToNode, pumpToWeb };
