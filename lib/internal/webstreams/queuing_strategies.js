// natives: none
// ByteLengthQueuingStrategy and CountQueuingStrategy.
// https://streams.spec.whatwg.org/#qs
'use strict';

const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_OPTION },
} = require('internal/errors/coded');
const { validateObject } = require('internal/util/validators');
const { inspectAs, finishInterface, kInspect } = require('internal/webstreams/shared');

// One function each for all instances, as the standard asks.
const byteLengthSize = Object.defineProperty((chunk) => chunk.byteLength, 'name', { value: 'size' });
const countSize = Object.defineProperty(() => 1, 'name', { value: 'size' });

function convertInit(init) {
  validateObject(init, 'init');
  if (init.highWaterMark === undefined) throw new ERR_MISSING_OPTION('init.highWaterMark');
  return +init.highWaterMark;
}

class ByteLengthQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    this.#highWaterMark = convertInit(init);
  }

  get highWaterMark() {
    if (!(#highWaterMark in this)) throw new ERR_INVALID_THIS('ByteLengthQueuingStrategy');
    return this.#highWaterMark;
  }

  get size() {
    if (!(#highWaterMark in this)) throw new ERR_INVALID_THIS('ByteLengthQueuingStrategy');
    return byteLengthSize;
  }

  [kInspect](depth, options, inspect) {
    return inspectAs(this, depth, options, inspect, 'ByteLengthQueuingStrategy', { highWaterMark: this.highWaterMark });
  }
}
finishInterface(ByteLengthQueuingStrategy, ['highWaterMark', 'size']);

class CountQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    this.#highWaterMark = convertInit(init);
  }

  get highWaterMark() {
    if (!(#highWaterMark in this)) throw new ERR_INVALID_THIS('CountQueuingStrategy');
    return this.#highWaterMark;
  }

  get size() {
    if (!(#highWaterMark in this)) throw new ERR_INVALID_THIS('CountQueuingStrategy');
    return countSize;
  }

  [kInspect](depth, options, inspect) {
    return inspectAs(this, depth, options, inspect, 'CountQueuingStrategy', { highWaterMark: this.highWaterMark });
  }
}
finishInterface(CountQueuingStrategy, ['highWaterMark', 'size']);

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
