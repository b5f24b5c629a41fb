// natives: none
// High-water marks: the process-wide defaults (stream.setDefaultHighWaterMark)
// and how a stream's options choose one.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateInteger } = require('internal/util/validators');

let defaultBytes = 64 * 1024;
let defaultObjects = 16;

function getDefaultHighWaterMark(objectMode) {
  return objectMode ? defaultObjects : defaultBytes;
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  if (objectMode) defaultObjects = value;
  else defaultBytes = value;
}

// `sideKey` is readableHighWaterMark or writableHighWaterMark; it counts only for
// a Duplex, and only where the common highWaterMark is not given.
function getHighWaterMark(state, options, sideKey, isDuplex) {
  const mark = options.highWaterMark ?? (isDuplex ? options[sideKey] : null);
  if (mark == null) return getDefaultHighWaterMark(state.objectMode);
  if (!Number.isInteger(mark) || mark < 0) {
    throw new ERR_INVALID_ARG_VALUE(isDuplex ? `options.${sideKey}` : 'options.highWaterMark', mark);
  }
  return mark;
}

module.exports = { getHighWaterMark, getDefaultHighWaterMark, setDefaultHighWaterMark };
