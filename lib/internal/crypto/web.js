// natives: crypto
// The global `crypto` of the Web Cryptography API. Its `subtle` part (internal/webcrypto) is loaded when first used.
'use strict';

const binding = native('crypto');
const {
  codes: { ERR_INVALID_THIS, ERR_ILLEGAL_CONSTRUCTOR },
} = require('internal/errors/coded');
const { randomUUID } = require('internal/crypto/random');

const kQuota = 65536;
const kMake = Symbol('make');
const integerKinds = new Set([
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
]);
const kindOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

function failure(message, name) {
  return new (require('internal/errors/dom_exception').DOMException)(message, name);
}

function noArgument() {
  const error = new TypeError("Failed to execute 'getRandomValues' on 'Crypto': 1 argument required, but only 0 present.");
  return Object.assign(error, { code: 'ERR_MISSING_ARGS' });
}

class Crypto {
  constructor(token) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  getRandomValues(array) {
    if (this !== crypto) throw new ERR_INVALID_THIS('Crypto');
    if (arguments.length === 0) throw noArgument();
    if (!integerKinds.has(call0(kindOf, array))) throw failure('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    if (array.byteLength > kQuota) {
      const { QuotaExceededError } = require('internal/errors/dom_exception');
      throw new QuotaExceededError('The requested length exceeds 65,536 bytes');
    }
    binding.fill(array, 0, array.byteLength);
    return array;
  }

  get subtle() {
    if (this !== crypto) throw new ERR_INVALID_THIS('Crypto');
    return requireLater('internal/webcrypto/subtle').subtle;
  }

  randomUUID(options) {
    if (this !== crypto) throw new ERR_INVALID_THIS('Crypto');
    return randomUUID(options);
  }
}
for (const name of each(['getRandomValues', 'randomUUID', 'subtle'])) Object.defineProperty(Crypto.prototype, name, { enumerable: true });
Object.defineProperty(Crypto.prototype, Symbol.toStringTag, { configurable: true, value: 'Crypto' });

const crypto = new Crypto(kMake);

module.exports = { Crypto, crypto };
