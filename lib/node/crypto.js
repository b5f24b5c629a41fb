// natives: crypto
//
// node:crypto, its part that needs no keys or certificates: random values, digests, HMAC, comparison in constant time.

'use strict';

const binding = native('crypto');
const { codes } = require('internal/errors/coded');
const random = require('internal/crypto/random');
const hashes = require('internal/crypto/hash');

function checkBytes(value, name) {
  if (ArrayBuffer.isView(value) || require('util').types.isAnyArrayBuffer(value)) return;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
}

function timingSafeEqual(first, second) {
  checkBytes(first, 'buf1');
  checkBytes(second, 'buf2');
  if (first.byteLength !== second.byteLength) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  return binding.equal(first, second);
}

// As in older programs, both may be called without `new`.
const callable = (Class) => new Proxy(Class, { apply: (target, self, args) => new target(...each(args)) });

module.exports = {
  constants: require('internal/crypto/constants'),
  createHash: hashes.createHash,
  createHmac: hashes.createHmac,
  getHashes: hashes.getHashes,
  ...random,
  timingSafeEqual,
  hash: hashes.hash,
  Hash: callable(hashes.Hash),
  Hmac: callable(hashes.Hmac),
};
Object.defineProperties(module.exports, {
  webcrypto: { configurable: false, enumerable: true, get: () => require('internal/crypto/web').crypto },
  getRandomValues: {
    configurable: false,
    enumerable: true,
    get: () => {
      const { crypto } = require('internal/crypto/web');
      return (array) => crypto.getRandomValues(array);
    },
  },
});
