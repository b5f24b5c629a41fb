// natives: signals
//
// process.on('SIGINT', …): the native half watches a signal while it has listeners. Also the table of signal numbers for
// process.kill, node:os and child processes.

'use strict';

const { start, numbers } = native('signals');

// number → its native watch, and the names that have listeners: some signals have two (SIGABRT and SIGIOT, SIGIO and SIGPOLL).
const watched = new Map();

// Called before a listener is added.
function watch(name) {
  const number = numbers[name];
  if (number === undefined) return;
  const known = watched.get(number);
  if (known !== undefined) {
    known.names.add(name);
    return;
  }
  const names = new Set([name]);
  const handle = start(number, () => {
    for (const signal of each([...each(names)])) process.emit(signal, signal, number);
  });
  if (typeof handle === 'number') {
    const { ErrnoException } = require('internal/errors/coded');
    throw new ErrnoException(handle, 'uv_signal_start');
  }
  watched.set(number, { handle, names });
}

// Called after one was removed.
function unwatch(name) {
  const number = numbers[name];
  const known = watched.get(number);
  if (known === undefined || process.listenerCount(name) > 0) return;
  known.names.delete(name);
  if (known.names.size > 0) return;
  watched.delete(number);
  known.handle.stop();
}

module.exports = { watch, unwatch, numbers };
