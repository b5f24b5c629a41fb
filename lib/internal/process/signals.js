// natives: signals
//
// process.on('SIGINT', …): the native half watches a signal while it has listeners. Also the table of signal numbers for
// process.kill, node:os and child processes.

'use strict';

const { start, stop, numbers } = native('signals');

const watched = new Set();

// Called before a listener is added.
function watch(name) {
  const number = numbers[name];
  if (number === undefined || watched.has(name)) return;
  const error = start(number, () => process.emit(name, name, number));
  if (error) {
    const { ErrnoException } = require('internal/errors');
    throw new ErrnoException(error, 'uv_signal_start');
  }
  watched.add(name);
}

// Called after one was removed.
function unwatch(name) {
  if (!watched.has(name) || process.listenerCount(name) > 0) return;
  watched.delete(name);
  stop(numbers[name]);
}

module.exports = { watch, unwatch, numbers };
