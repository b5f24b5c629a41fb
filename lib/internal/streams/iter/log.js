// natives: none
// Batches for several readers, each with a place of its own; a batch that all have read is forgotten. Used by broadcast() and share().
'use strict';

const { sizeOf } = require('internal/streams/iter/chunks');

class BatchLog {
  #batches = [];
  #start = 0; // the number of the first batch that is kept
  size = 0;
  readers = new Set(); // objects with a `place`

  get count() {
    return this.#batches.length;
  }
  get end() {
    return this.#start + this.#batches.length;
  }

  // A reader of everything that is kept.
  addReader(reader) {
    reader.place = this.#start;
    this.readers.add(reader);
  }

  append(batch) {
    arrayPush.call(this.#batches, batch);
    this.size += sizeOf(batch);
  }

  has(reader) {
    return reader.place < this.end;
  }
  take(reader) {
    return this.#batches[reader.place++ - this.#start];
  }

  // Forgets what all have read; whether that was anything.
  forgetRead() {
    let least = this.end;
    for (const reader of each(this.readers)) least = Math.min(least, reader.place);
    if (least === this.#start) return false;
    while (this.#start < least) this.#drop();
    return true;
  }

  // Forgets the oldest until fewer bytes than the budget are kept; readers that were there go on with the next.
  dropOldest(budget) {
    while (this.size >= budget && this.#batches.length > 0) this.#drop();
    for (const reader of each(this.readers)) reader.place = Math.max(reader.place, this.#start);
  }

  #drop() {
    this.size -= sizeOf(arrayShift.call(this.#batches));
    this.#start++;
  }
}

module.exports = { BatchLog };
