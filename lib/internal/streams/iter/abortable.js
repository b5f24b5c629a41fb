// natives: none
// Reading that an AbortSignal cuts short, also while the source is still thinking.
'use strict';

const { whenAborted } = require('internal/streams/iter/chunks');

function ignore() {}

// The next result of the iterator, or a rejection as soon as the signal aborts.
function nextUnlessAborted(iterator, signal) {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const forget = whenAborted(signal, () => reject(signal.reason));
    promiseThen(
      Promise.resolve(iterator.next()),
      (value) => {
        forget();
        resolve(value);
      },
      (error) => {
        forget();
        reject(error);
      },
    );
  });
}

// The same source, whose pending reads the signal ends. Without a signal the source itself.
function abortable(source, signal) {
  if (signal === undefined) return source;
  return {
    __proto__: null,
    async *[Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      let isDone = false;
      try {
        for (;;) {
          const { done, value } = await nextUnlessAborted(iterator, signal);
          if (done) {
            isDone = true;
            return;
          }
          signal.throwIfAborted();
          yield value;
        }
      } finally {
        if (!isDone && typeof iterator.return === 'function') {
          const returned = iterator.return();
          // A source that never answers must not hold up the abort.
          if (signal.aborted) promiseThen(Promise.resolve(returned), ignore, ignore);
          else await returned;
        }
      }
    },
  };
}

module.exports = { abortable, ignore };
