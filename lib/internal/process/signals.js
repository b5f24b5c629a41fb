// natives: signals
//
// process.on('SIGINT', …): the native half watches a signal while it has listeners. Also the table of signal numbers for
// process.kill, node:os and child processes.

'use strict';

const { start, stop, numbers } = native('signals');

// number → names that have listeners: some signals have two (SIGABRT and SIGIOT, SIGIO and SIGPOLL).
const watched = new Map();

// Called before a listener is added.
function watch(name) {
  const number = numbers[name];
  if (number === undefined) return;
  const names = watched.get(number);
  if (names !== undefined) {
    names.add(name);
    return;
  }
  const error = start(number, () => {
    for (const each of [...watched.get(number) ?? []]) process.emit(each, each, number);
  });
  if (error) {
    const { ErrnoException } = require('internal/errors/coded');
    throw new ErrnoException(error, 'uv_signal_start');
  }
  watched.set(number, new Set([name]));
}

// Called after one was removed.
function unwatch(name) {
  const number = numbers[name];
  const names = watched.get(number);
  if (names === undefined || process.listenerCount(name) > 0) return;
  names.delete(name);
  if (names.size > 0) return;
  watched.delete(number);
  stop(number);
}

module.exports = { watch, unwatch, numbers };
