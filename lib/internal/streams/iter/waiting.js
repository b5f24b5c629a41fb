// natives: none
// Promises that wait in a line: writes for room, readers for data, drains. An AbortSignal takes its entry out of the line.
'use strict';

const { whenAborted } = require('internal/streams/iter/chunks');

class Waiting {
  #entries = [];

  get length() {
    return this.#entries.length;
  }

  // A promise that resolve(), reject() or the signal settles.
  wait(value, signal) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const entry = { __proto__: null, value, resolve, reject, forget: () => {} };
    arrayPush.call(this.#entries, entry);
    entry.forget = whenAborted(signal, () => {
      const at = arrayIndexOf.call(this.#entries, entry);
      if (at >= 0) arraySplice.call(this.#entries, at, 1);
      reject(signal.reason);
    });
    return promise;
  }

  first() {
    return this.#entries[0]?.value;
  }

  #take() {
    const entry = arrayShift.call(this.#entries);
    entry.forget();
    return entry;
  }

  resolveFirst(value) {
    this.#take().resolve(value);
  }
  resolveAll(make) {
    while (this.#entries.length > 0) this.#take().resolve(make());
  }
  rejectAll(reason) {
    while (this.#entries.length > 0) this.#take().reject(reason);
  }
}

module.exports = { Waiting };
