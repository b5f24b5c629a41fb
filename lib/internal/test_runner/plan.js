// natives: none
// t.plan(): how many assertions and subtests a test expects, and the wait for those that come later.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateNumber, validateObject, validateUint32 } = require('internal/util/validators');
const { failure, types } = require('internal/test_runner/failures');

const kMaxTimeout = 2 ** 31 - 1;

class TestPlan {
  #expected;
  #count = 0;
  #wait; // false, true (for ever), or milliseconds
  #waiting = null;
  #timer;

  constructor(expected, options) {
    validateUint32(expected, 'count');
    validateObject(options, 'options');
    const { wait } = options;
    if (typeof wait === 'number') validateNumber(wait, 'options.wait', 0, kMaxTimeout);
    else if (wait !== undefined && typeof wait !== 'boolean') throw new ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
    this.#expected = expected;
    this.#wait = wait ?? false;
  }

  count() {
    this.#count++;
    if (this.#waiting !== null && this.#isMet()) {
      clearTimeout(this.#timer);
      this.#waiting.resolve();
      this.#waiting = null;
    }
  }

  #isMet() {
    return this.#count === this.#expected;
  }

  // undefined: it is met. A promise: it may still be. Throws when it cannot be.
  check() {
    if (this.#isMet()) return undefined;
    if (this.#wait === false) {
      throw failure(`plan expected ${this.#expected} assertions but received ${this.#count}`, types.testCode);
    }
    if (this.#waiting === null) {
      this.#waiting = Promise.withResolvers();
      if (this.#wait !== true) this.#timer = setTimeout(() => this.#giveUp(), this.#wait);
    }
    return this.#waiting.promise;
  }

  #giveUp() {
    const counts = `${this.#count} assertions when expecting ${this.#expected}`;
    this.#waiting.reject(failure(`plan timed out after ${this.#wait}ms with ${counts}`, types.timeout));
  }
}

module.exports = { TestPlan, kMaxTimeout };
