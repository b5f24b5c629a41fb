// natives: none
//
// perf_hooks.createSlidingWindowHistogram: a histogram of the latest values
// only. Values go into the newest of a ring of chunks; after a time, or after
// so many values, the oldest chunk is forgotten and becomes the newest.

'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { validateInteger, validateObject } = require('internal/util/validators');
const { Store, makeHistogram, checkBounds } = require('internal/perf/histogram');

const kMake = Symbol('make');
const kMaxChunks = 1024;
const kMaxDuration = 18446744073709;

class Ring {
  #chunks;
  #make;
  #duration;
  #perChunk;
  #began = 0;

  constructor(count, make, duration, perChunk) {
    this.#chunks = Array.from({ length: count }, make);
    this.#make = make;
    this.#duration = duration;
    this.#perChunk = perChunk;
    this.#began = require('internal/perf/clock').now();
  }

  #rotate(times) {
    for (let i = Math.min(times, this.#chunks.length); i > 0; i--) {
      arrayShift.call(this.#chunks);
      arrayPush.call(this.#chunks, this.#make());
    }
  }

  #catchUp() {
    if (this.#duration === undefined) return;
    const passed = Math.floor((require('internal/perf/clock').now() - this.#began) / this.#duration);
    this.#began += passed * this.#duration;
    this.#rotate(passed);
  }

  record(value) {
    this.#catchUp();
    const newest = arrayAt.call(this.#chunks, -1);
    if (this.#perChunk !== undefined && newest.count + newest.exceeds >= this.#perChunk) this.#rotate(1);
    arrayAt.call(this.#chunks, -1).record(value);
  }

  reset() {
    this.#rotate(this.#chunks.length);
    this.#began = require('internal/perf/clock').now();
  }

  merged() {
    this.#catchUp();
    const all = this.#make();
    for (const chunk of each(this.#chunks)) all.merge(chunk);
    return all;
  }
}

class SlidingWindowHistogram {
  #ring;

  constructor(token, ring) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#ring = ring;
  }

  static #of(self) {
    if (typeof self !== 'object' || self === null || !(#ring in self)) throw new ERR_INVALID_THIS('SlidingWindowHistogram');
    return self.#ring;
  }

  record(val) {
    const ring = SlidingWindowHistogram.#of(this);
    if (typeof val === 'bigint') {
      if (val < 1n || val > BigInt(Number.MAX_SAFE_INTEGER)) throw new ERR_OUT_OF_RANGE('val', '>= 1 && <= 9007199254740991', val);
    } else {
      validateInteger(val, 'val', 1);
    }
    ring.record(Number(val));
  }

  snapshot() {
    return makeHistogram(SlidingWindowHistogram.#of(this).merged());
  }

  reset() {
    SlidingWindowHistogram.#of(this).reset();
  }
}

function createSlidingWindowHistogram(options) {
  validateObject(options, 'options');
  const { chunks, chunkDuration, recordsPerChunk, lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  validateInteger(chunks, 'options.chunks', 1, kMaxChunks);
  const bounds = checkBounds(lowest, highest, figures);
  if ((chunkDuration === undefined) === (recordsPerChunk === undefined)) {
    throw new ERR_INVALID_ARG_VALUE('options', options, 'must specify exactly one of "chunkDuration" or "recordsPerChunk"');
  }
  if (chunkDuration !== undefined) validateInteger(chunkDuration, 'options.chunkDuration', 1, kMaxDuration);
  else validateInteger(recordsPerChunk, 'options.recordsPerChunk', 1);
  const ring = new Ring(chunks, () => new Store(...each(bounds)), chunkDuration, recordsPerChunk);
  return new SlidingWindowHistogram(kMake, ring);
}

module.exports = { createSlidingWindowHistogram };
