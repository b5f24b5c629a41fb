// natives: none
// Ties a stream, Node's or WHATWG's, to an AbortSignal: abort destroys it.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/streams/utils');

function looksLikeSignal(signal) {
  return typeof signal === 'object' && 'aborted' in signal;
}

function addAbortSignal(signal, stream) {
  if (!looksLikeSignal(signal)) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  if (!isNodeStream(stream) && !isWebStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return addAbortSignalNoValidate(signal, stream);
}

function addAbortSignalNoValidate(signal, stream) {
  if (!looksLikeSignal(signal)) return stream;
  const onAbort = () => {
    const error = new AbortError(undefined, { cause: signal.reason });
    if (isNodeStream(stream)) stream.destroy(error);
    else stream[kControllerErrorFunction](error);
  };
  if (signal.aborted) {
    onAbort();
  } else {
    const { addAbortListener } = require('internal/events/events');
    const { eos } = require('internal/streams/end_of_stream');
    const listening = addAbortListener(signal, onAbort);
    eos(stream, () => {
      listening[Symbol.dispose]();
    });
  }
  return stream;
}

module.exports = { addAbortSignal, addAbortSignalNoValidate };
