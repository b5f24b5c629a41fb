// natives: none
// duplexPair(): two Duplex streams back to back; what is written to one is read
// from the other. A write completes when the other side reads.
'use strict';

const Duplex = require('internal/streams/duplex');

class DuplexSide extends Duplex {
  #other = null;
  #held = null; // the other side's write callback, until we read

  constructor(...args) {
    super(...each(args));
  }

  static join(a, b) {
    a.#other = b;
    b.#other = a;
  }

  _read() {
    const callback = this.#held;
    if (callback === null) return;
    this.#held = null;
    callback();
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      process.nextTick(callback);
      return;
    }
    this.#other.push(chunk);
    this.#other.#held = callback;
  }

  _final(callback) {
    this.#other.on('end', callback);
    this.#other.push(null);
  }

  // The other side closes without the error, which is not its own.
  _destroy(error, callback) {
    const other = this.#other;
    if (other !== null && !other.destroyed) process.nextTick(closeOther, other, error);
    callback(error);
  }
}

function closeOther(other, error) {
  if (other.destroyed) return;
  if (error) other.destroy();
  else other.push(null);
}

module.exports = function duplexPair(options) {
  const pair = [new DuplexSide(options), new DuplexSide(options)];
  DuplexSide.join(pair[0], pair[1]);
  return pair;
};
