// natives: none
// socket.setTimeout: 'timeout' after a time without traffic. Never keeps the loop alive.
'use strict';

const { kLastQueueSize, kTimeout } = require('internal/net/symbols');

const kLongest = 2 ** 31 - 1;

function duration(msecs, name) {
  const {
    codes: { ERR_OUT_OF_RANGE },
  } = require('internal/errors/coded');
  require('internal/util/validators').validateNumber(msecs, name);
  if (msecs < 0 || !Number.isFinite(msecs)) throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  if (msecs <= kLongest) return msecs;
  process.emitWarning(
    `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${kLongest}.`,
    'TimeoutOverflowWarning',
  );
  return kLongest;
}

function setSocketTimeout(socket, msecs, callback) {
  if (socket.destroyed) return socket;
  socket.timeout = msecs;
  const time = duration(msecs, 'msecs');
  clearTimeout(socket[kTimeout]);
  const check = () => require('internal/util/validators').validateFunction(callback, 'callback');
  if (time === 0) {
    if (callback !== undefined) {
      check();
      socket.removeListener('timeout', callback);
    }
  } else {
    socket[kTimeout] = setTimeout(() => socket._onTimeout(), time).unref();
    if (callback !== undefined) {
      check();
      socket.once('timeout', callback);
    }
  }
  return socket;
}

// A write that still moves is traffic.
function onTimeout(socket) {
  const last = socket[kLastQueueSize];
  if (last > 0 && socket._handle) {
    const now = socket._handle.writeQueueSize;
    if (last !== now) {
      socket[kLastQueueSize] = now;
      socket._unrefTimer();
      return;
    }
  }
  socket.emit('timeout');
}

module.exports = { duration, setTimeout: setSocketTimeout, onTimeout };
