// natives: none
// The writing half that push() and broadcast() share: chunks go into a buffer { canWrite, drains, offer(batch), offerSync(batch),
// write(batch, signal) }. How a writer ends is its class's own.
'use strict';

const { chunkOf, chunksOf, drainableProtocol, signalOf } = require('internal/streams/iter/chunks');

const kResolved = Promise.resolve();

class BufferWriter {
  #buffer;

  constructor(buffer) {
    this.#buffer = buffer;
  }

  get canWrite() {
    return this.#buffer.canWrite;
  }

  [drainableProtocol]() {
    const { canWrite } = this.#buffer;
    if (canWrite === null) return null;
    return canWrite ? Promise.resolve(true) : this.#buffer.drains.wait();
  }

  #write(batch, signal) {
    if (signal === undefined && this.#buffer.canWrite) {
      this.#buffer.offer(batch);
      return kResolved;
    }
    return this.#buffer.write(batch, signal);
  }
  write(chunk, options) {
    const signal = signalOf(options);
    return this.#write([chunkOf(chunk)], signal);
  }
  writev(chunks, options) {
    const batch = chunksOf(chunks);
    return this.#write(batch, signalOf(options));
  }
  writeSync(chunk) {
    return this.#buffer.offerSync([chunkOf(chunk)]);
  }
  writevSync(chunks) {
    return this.#buffer.offerSync(chunksOf(chunks));
  }

  [Symbol.dispose]() {
    this.fail();
  }
}

// Why a strict buffer refuses a second write that would wait.
const kTooManyWrites = 'Backpressure violation: too many pending writes. Await each write() call to respect backpressure.';

module.exports = { BufferWriter, kTooManyWrites };
