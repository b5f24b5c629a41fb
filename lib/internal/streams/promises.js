// natives: none
// node:stream/promises: pipeline() and finished() as promises.
'use strict';

const { finished } = require('internal/streams/end_of_stream');
const { pipelineImpl } = require('internal/streams/pipeline');
const { isIterable, isNodeStream, isWebStream } = require('internal/streams/utils');

function isOptions(value) {
  return value && typeof value === 'object' && !isNodeStream(value) && !isIterable(value) && !isWebStream(value);
}

function pipeline(...streams) {
  return new Promise((resolve, reject) => {
    const options = isOptions(streams[streams.length - 1]) ? arrayPop.call(streams) : undefined;
    pipelineImpl(
      streams,
      (error, value) => {
        if (error) reject(error);
        else resolve(value);
      },
      { signal: options?.signal, end: options?.end },
    );
  });
}

module.exports = { finished, pipeline };
