// natives: none
//
// A histogram as bytes and back (histogram.export, perf_hooks.importHistogram):
// a CBOR map of numbered fields, in which counts stand as pairs of "how many
// empty buckets further" and "how many values".

'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');

const kVersion = 1;
const kNoMinimum = 0x7fffffffffffffffn;
const fields = { version: 0, lowest: 1, highest: 2, figures: 3, count: 4, min: 5, max: 6, exceeds: 7, ratio: 8, length: 9, counts: 10 };
const kFieldCount = Object.keys(fields).length;
const kUnsigned = 0;
const kArray = 4;
const kMap = 5;
const kDouble = 0xfb;

function writeHead(bytes, major, value) {
  const number = BigInt(value);
  const write = (code, size) => {
    arrayPush.call(bytes, (major << 5) | code);
    for (let i = size - 1; i >= 0; i--) arrayPush.call(bytes, Number((number >> BigInt(8 * i)) & 0xffn));
  };
  if (number < 24n) arrayPush.call(bytes, (major << 5) | Number(number));
  else if (number < 0x100n) write(24, 1);
  else if (number < 0x10000n) write(25, 2);
  else if (number < 0x100000000n) write(26, 4);
  else write(27, 8);
}

// Buckets are numbered as in HDR histograms: each next group of them is half as many, of double width.
function shapeOf({ lowest, highest, figures }) {
  const unit = Math.floor(Math.log2(lowest));
  const subBits = Math.ceil(Math.log2(2 * 10 ** figures));
  let groups = 1;
  for (let limit = 2 ** (subBits + unit); limit <= highest; limit *= 2) groups++;
  return { unit, half: 2 ** (subBits - 1), subBits, length: (groups + 1) * 2 ** (subBits - 1) };
}

function bitLength(value) {
  return value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 2 ** 32));
}

function indexOf(value, { unit, half, subBits }) {
  const group = Math.max(0, bitLength(value) - unit - subBits);
  return (group + 1) * half + (Math.floor(value / 2 ** (group + unit)) - half);
}

function valueAt(index, { unit, half }) {
  const group = Math.floor(index / half) - 1;
  const within = (index % half) + half;
  return group < 0 ? (within - half) * 2 ** unit : within * 2 ** (group + unit);
}

function exportStore(store) {
  const shape = shapeOf(store);
  const bytes = [];
  const put = (name, value) => {
    writeHead(bytes, kUnsigned, fields[name]);
    writeHead(bytes, kUnsigned, value);
  };
  writeHead(bytes, kMap, kFieldCount);
  put('version', kVersion);
  for (const name of each(['lowest', 'highest', 'figures', 'count'])) put(name, store[name]);
  put('min', store.min === Infinity ? kNoMinimum : store.min);
  put('max', store.max);
  put('exceeds', store.exceeds);
  writeHead(bytes, kUnsigned, fields.ratio);
  arrayPush.call(bytes, kDouble, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0);
  put('length', shape.length);
  const pairs = arrayMap.call(store.sorted(), (count) => [indexOf(count[0], shape), count[1]]);
  writeHead(bytes, kUnsigned, fields.counts);
  writeHead(bytes, kArray, pairs.length * 2);
  let last = 0;
  for (const [index, times] of eachEntry(pairs)) {
    writeHead(bytes, kUnsigned, index - last);
    writeHead(bytes, kUnsigned, times);
    last = index;
  }
  return new Uint8Array(bytes);
}

function invalid() {
  return Object.assign(new ERR_INVALID_ARG_VALUE('data', undefined), { message: 'Invalid histogram export data' });
}

class Reader {
  #bytes;
  #at = 0;
  constructor(bytes) {
    this.#bytes = bytes;
  }

  #byte() {
    if (this.#at >= this.#bytes.length) throw invalid();
    return this.#bytes[this.#at++];
  }

  head(major) {
    const first = this.#byte();
    if (first >> 5 !== major) throw invalid();
    const code = first & 31;
    if (code < 24) return code;
    if (code > 27) throw invalid();
    let value = 0n;
    for (let i = 2 ** (code - 24); i > 0; i--) value = (value << 8n) | BigInt(this.#byte());
    return value === kNoMinimum ? Infinity : Number(value);
  }

  double() {
    if (this.#byte() !== kDouble) throw invalid();
    this.#at += 8;
  }

  get isAtEnd() {
    return this.#at === this.#bytes.length;
  }
}

function readCounts(reader, shape) {
  const counts = new Map();
  let index = 0;
  for (let left = reader.head(kArray); left > 0; left -= 2) {
    index += reader.head(kUnsigned);
    if (index >= shape.length) throw invalid();
    counts.set(valueAt(index, shape), reader.head(kUnsigned));
  }
  return counts;
}

// → { lowest, highest, figures, count, min, max, exceeds, counts }
function readExport(data) {
  if (!require('internal/util/types').isUint8Array(data)) throw new ERR_INVALID_ARG_TYPE('data', 'Uint8Array', data);
  const reader = new Reader(data);
  if (reader.head(kMap) !== kFieldCount) throw invalid();
  const found = {};
  for (const name of each(Object.keys(fields))) {
    if (reader.head(kUnsigned) !== fields[name]) throw invalid();
    if (name === 'ratio') reader.double();
    else if (name === 'counts') found.counts = readCounts(reader, shapeOf(found));
    else found[name] = reader.head(kUnsigned);
    if (name === 'figures' && (found.version !== kVersion || found.lowest < 1 || found.figures < 1 || found.figures > 5)) throw invalid();
  }
  if (!reader.isAtEnd || found.length !== shapeOf(found).length) throw invalid();
  return found;
}

module.exports = { exportStore, readExport };
