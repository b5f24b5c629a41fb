// natives: none
// perf_hooks' histograms. Values fall into buckets whose width grows with the value, so that `figures` significant
// digits are kept; counts, mean and deviation are of the bucketed values, as in the HDR histogram Node uses.
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { validateInteger, validateNumber, validateObject } = require('internal/util/validators');
const { kClone, kDeserialize } = require('internal/symbols/messaging');

const kMake = Symbol('make');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kEmptyMin = 9223372036854776000;
const kMaxDefault = Number.MAX_SAFE_INTEGER;

class Store {
  constructor(lowest = 1, highest = kMaxDefault, figures = 3) {
    this.lowest = lowest;
    this.highest = highest;
    this.figures = figures;
    // Sub-buckets: enough that neighbours differ in the last significant figure.
    this.subBits = Math.ceil(Math.log2(2 * 10 ** figures));
    this.unitBits = Math.floor(Math.log2(lowest));
    this.clear();
  }

  clear() {
    this.counts = new Map();
    this.count = 0;
    this.exceeds = 0;
    this.min = Infinity;
    this.max = 0;
    this.last = 0;
  }

  // The lowest value that shares a bucket with `value`, and the bucket's width.
  bucketOf(value) {
    const length = value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 2 ** 32));
    const bits = Math.max(this.unitBits, length - this.subBits);
    const width = 2 ** bits;
    return { low: Math.floor(value / width) * width, width };
  }

  record(value, times = 1) {
    if (value < this.lowest || value > this.highest) {
      this.exceeds += times;
      return;
    }
    const { low } = this.bucketOf(value);
    this.counts.set(low, (this.counts.get(low) ?? 0) + times);
    this.count += times;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  merge(other) {
    for (const [low, times] of eachEntry(other.counts)) this.counts.set(low, (this.counts.get(low) ?? 0) + times);
    this.count += other.count;
    this.exceeds += other.exceeds;
    this.min = Math.min(this.min, other.min);
    this.max = Math.max(this.max, other.max);
  }

  highestEquivalent(value) {
    const { low, width } = this.bucketOf(value);
    return low + width - 1;
  }

  sorted() {
    return arraySort.call([...each(this.counts)], (a, b) => a[0] - b[0]);
  }

  middle(low) {
    const { width } = this.bucketOf(low);
    return low + Math.floor(width / 2);
  }

  mean() {
    let sum = 0;
    for (const [low, times] of eachEntry(this.sorted())) sum += this.middle(low) * times;
    return sum / this.count;
  }

  stddev() {
    const mean = this.mean();
    let sum = 0;
    for (const [low, times] of eachEntry(this.sorted())) sum += (this.middle(low) - mean) ** 2 * times;
    return Math.sqrt(sum / this.count);
  }

  percentile(percent) {
    const wanted = Math.max(1, Math.floor((Math.min(percent, 100) / 100) * this.count + 0.5));
    let seen = 0;
    for (const [low, times] of eachEntry(this.sorted())) {
      seen += times;
      if (seen >= wanted) return this.highestEquivalent(low);
    }
    return 0;
  }

  // Each halving of the distance to 100 %, as HDR's percentile iterator steps: several levels may fall to one bucket, and
  // the last bucket has only one before 100.
  percentiles() {
    const result = new program.Map();
    const put = (percent, value) => Reflect.apply(Map.prototype.set, result, [percent, value]);
    if (this.count === 0) return put(100, 0);
    let seen = 0;
    let level = 0;
    let last = 0;
    for (const [low, times] of eachEntry(this.sorted())) {
      seen += times;
      last = low;
      const reached = (seen / this.count) * 100;
      const isLast = seen >= this.count;
      while (level <= reached) {
        put(level, low);
        level += 100 / 2 ** (Math.log2(100 / (100 - level)) + 1);
        if (isLast) break;
      }
    }
    return put(100, last);
  }
}

let storeOf, setStore;

class Histogram {
  #store;

  constructor(token, store) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#store = store;
    require('internal/messaging/structured_clone').markTransferMode(this, true, false);
  }

  static {
    storeOf = (histogram) => {
      if (typeof histogram !== 'object' || histogram === null || !(#store in histogram)) {
        throw new ERR_INVALID_THIS('Histogram');
      }
      const store = histogram.#store;
      store.refresh?.();
      return store;
    };
    setStore = (histogram, store) => {
      histogram.#store = store;
    };
  }

  get count() {
    return storeOf(this).count;
  }

  get countBigInt() {
    return BigInt(storeOf(this).count);
  }

  get min() {
    const store = storeOf(this);
    return store.min === Infinity ? kEmptyMin : store.bucketOf(store.min).low;
  }

  get minBigInt() {
    return storeOf(this).min === Infinity ? 9223372036854775807n : BigInt(this.min);
  }

  get max() {
    const store = storeOf(this);
    return store.max === 0 ? 0 : store.highestEquivalent(store.max);
  }

  get maxBigInt() {
    return BigInt(this.max);
  }

  get mean() {
    return storeOf(this).mean();
  }

  get exceeds() {
    return storeOf(this).exceeds;
  }

  get exceedsBigInt() {
    return BigInt(storeOf(this).exceeds);
  }

  get stddev() {
    return storeOf(this).stddev();
  }

  percentile(percentile) {
    const store = storeOf(this);
    validateNumber(percentile, 'percentile');
    if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) {
      throw new ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
    }
    return store.percentile(percentile);
  }

  percentileBigInt(percentile) {
    return BigInt(this.percentile(percentile));
  }

  get percentiles() {
    return storeOf(this).percentiles();
  }

  get percentilesBigInt() {
    const result = new program.Map();
    for (const [percent, value] of eachEntry(storeOf(this).percentiles())) {
      Reflect.apply(Map.prototype.set, result, [percent, BigInt(value)]);
    }
    return result;
  }

  reset() {
    storeOf(this).clear();
  }

  export() {
    return require('internal/perf/histogram_export').exportStore(storeOf(this));
  }

  toJSON() {
    return {
      count: this.count,
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: this.exceeds,
      stddev: this.stddev,
      percentiles: Object.fromEntries(each(this.percentiles)),
    };
  }

  [kInspect](depth, options) {
    if (depth < 0) return options.stylize(`[${this.constructor.name}]`, 'special');
    const { inspect } = require('internal/util/inspect');
    return `Histogram ${inspect(
      {
        min: this.min,
        max: this.max,
        mean: this.mean,
        exceeds: this.exceeds,
        stddev: this.stddev,
        count: this.count,
        percentiles: this.percentiles,
      },
      { ...options, depth: options.depth == null ? null : options.depth - 1 },
    )}`;
  }

  [kClone]() {
    const { lowest, highest, figures, counts, count, exceeds, min, max } = storeOf(this);
    return {
      data: { lowest, highest, figures, counts, count, exceeds, min, max },
      deserializeInfo: `internal/perf/histogram:${this instanceof RecordableHistogram ? 'ClonedRecordable' : 'ClonedHistogram'}`,
    };
  }

  [kDeserialize](data) {
    const store = new Store(data.lowest, data.highest, data.figures);
    const { counts, count, exceeds, min, max } = data;
    setStore(this, Object.assign(store, { counts, count, exceeds, min, max }));
  }
}

class RecordableHistogram extends Histogram {
  constructor(...args) {
    super(...each(args));
  }

  record(value) {
    const store = storeOf(this);
    if (typeof value === 'bigint') {
      if (value < 1n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ERR_OUT_OF_RANGE('val', '>= 1 && <= 9007199254740991', value);
      store.record(Number(value));
      return;
    }
    validateInteger(value, 'val', 1);
    store.record(value);
  }

  // Nanoseconds since the previous call.
  recordDelta() {
    const store = storeOf(this);
    const time = Math.round(require('internal/perf/clock').now() * 1e6);
    if (store.last > 0 && time > store.last) store.record(time - store.last);
    store.last = time;
  }

  add(other) {
    const store = storeOf(this);
    if (!(other instanceof RecordableHistogram)) throw new ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    for (const [low, times] of eachEntry(storeOf(other).counts)) store.record(low, times);
    store.exceeds += storeOf(other).exceeds;
  }
}

// min and max of an event-loop delay histogram come from C++ with its buckets.
class IntervalHistogram extends Histogram {
  #binding;
  #resolution;
  #sampler; // its number while it is enabled

  constructor(token, store, binding, resolution) {
    super(token, store);
    this.#binding = binding;
    this.#resolution = resolution;
  }

  enable() {
    if (this.#sampler !== undefined) return false;
    const sampler = (this.#sampler = this.#binding.startDelays(this.#resolution));
    const store = storeOf(this);
    store.refresh = () => {
      for (const value of each(this.#binding.takeDelays(sampler))) store.record(Math.max(1, value));
    };
    return true;
  }

  disable() {
    if (this.#sampler === undefined) return false;
    const store = storeOf(this);
    store.refresh();
    store.refresh = undefined;
    this.#binding.stopDelays(this.#sampler);
    this.#sampler = undefined;
    return true;
  }

  [Symbol.dispose]() {
    this.disable();
  }
}

function ClonedHistogram() {
  return new Histogram(kMake, new Store());
}

function ClonedRecordable() {
  return new RecordableHistogram(kMake, new Store());
}

function bound(value, name) {
  if (typeof value !== 'bigint') validateNumber(value, `options.${name}`);
  if (typeof value === 'number' && !Number.isInteger(value)) throw new ERR_OUT_OF_RANGE(`options.${name}`, 'an integer', value);
  return Number(value);
}

function checkBounds(lowest, highest, figures) {
  const low = bound(lowest, 'lowest'),
    high = bound(highest, 'highest');
  if (low < 1 || low > Number.MAX_SAFE_INTEGER) {
    throw new ERR_OUT_OF_RANGE('options.lowest', '>= 1 && <= 9007199254740991', lowest);
  }
  if (high < 2 * low) throw new ERR_OUT_OF_RANGE('options.highest', `>= 2 * options.lowest (${2 * low}n)`, highest);
  validateInteger(figures, 'options.figures', 1, 5);
  return [low, high, figures];
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = kMaxDefault, figures = 3 } = options;
  return new RecordableHistogram(kMake, new Store(...each(checkBounds(lowest, highest, figures))));
}

function importHistogram(data) {
  const { lowest, highest, figures, ...recorded } = require('internal/perf/histogram_export').readExport(data);
  return new RecordableHistogram(kMake, Object.assign(new Store(lowest, highest, figures), recorded));
}

const makeHistogram = (store) => new Histogram(kMake, store);

function makeDelayHistogram(binding, resolution) {
  return new IntervalHistogram(kMake, new Store(), binding, resolution);
}

module.exports = {
  Histogram,
  RecordableHistogram,
  ClonedHistogram,
  ClonedRecordable,
  Store,
  checkBounds,
  createHistogram,
  importHistogram,
  makeDelayHistogram,
  makeHistogram,
};
