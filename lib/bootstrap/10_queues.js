// natives: runtime
// First at start-up: the tick, rejection, timer and immediate queues, and the global functions over them.
'use strict';

const { queueMicrotask: enqueueMicrotask, reportUncaught, captureStackTrace } = native('runtime');
require('internal/ticks');
require('internal/rejections');
const timers = require('internal/timers');

function define(target, name, value, enumerable) {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
}

// The engine drops what a plain microtask throws; it is an uncaught exception.
function runReported(callback) {
  try {
    callback();
  } catch (error) {
    reportUncaught(error, false);
  }
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  enqueueMicrotask(runReported, callback);
}

define(globalThis, 'global', globalThis, true);
for (const name of ['clearImmediate', 'setImmediate', 'clearInterval', 'clearTimeout', 'setInterval', 'setTimeout']) {
  define(globalThis, name, timers[name], true);
}
define(globalThis, 'queueMicrotask', queueMicrotask, true);
define(Error, 'captureStackTrace', captureStackTrace, false);
