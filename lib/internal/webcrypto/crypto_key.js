// natives: none
//
// CryptoKey of the Web Cryptography API. Its state is in private fields, so nothing a program does to the class reaches it.

'use strict';

const { codes } = require('internal/errors/coded');
const { kClone } = require('internal/symbols/messaging');

const brands = require('internal/util/key_brands');

const kMake = Symbol('made here');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kUsageOrder = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
  'encapsulateKey',
  'encapsulateBits',
  'decapsulateKey',
  'decapsulateBits',
];

let slotsOf;
let isCryptoKey;

// A program may change what `algorithm` gives; ours stays.
function copyOf(algorithm) {
  return {
    ...algorithm,
    ...(Object.hasOwn(algorithm, 'hash') ? { hash: { ...algorithm.hash } } : {}),
    ...(Object.hasOwn(algorithm, 'publicExponent') ? { publicExponent: new Uint8Array(algorithm.publicExponent) } : {}),
  };
}

class CryptoKey {
  #slots;

  constructor(token, slots) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#slots = slots;
    require('internal/messaging/structured_clone').markTransferMode(this, true, false);
  }

  get type() {
    return slotsOf(this).type;
  }
  get extractable() {
    return slotsOf(this).extractable;
  }
  get algorithm() {
    const slots = slotsOf(this);
    return (slots.shownAlgorithm ??= copyOf(slots.algorithm));
  }
  get usages() {
    const slots = slotsOf(this);
    return (slots.shownUsages ??= arraySlice.call(slots.usages));
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const { type, extractable, algorithm, usages } = slotsOf(this);
    const shown = { type, extractable, algorithm, usages };
    return `CryptoKey ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  static {
    isCryptoKey = (value) => typeof value === 'object' && value !== null && #slots in value;
    slotsOf = (key) => {
      if (!isCryptoKey(key)) throw new codes.ERR_INVALID_THIS('CryptoKey');
      return key.#slots;
    };
  }
}
for (const name of each(['type', 'extractable', 'algorithm', 'usages'])) {
  Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });
}
Object.defineProperty(CryptoKey.prototype, kInspect, { enumerable: false });
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { configurable: true, value: 'CryptoKey' });

// Keys have a prototype of their own below the public one, which carries what programs need not see.
class InternalCryptoKey extends CryptoKey {
  constructor(slots) {
    super(kMake, slots);
  }

  [kClone]() {
    const { type, extractable, algorithm, usages, handle } = slotsOf(this);
    const data = { key: require('internal/crypto/keys').dataOf(type, handle), extractable, algorithm, usages };
    return { data, deserializeInfo: 'internal/webcrypto/crypto_key:revived' };
  }
}
InternalCryptoKey.prototype.constructor = CryptoKey;
Object.defineProperty(InternalCryptoKey.prototype, 'constructor', { enumerable: false });

function revived({ key, extractable, algorithm, usages }) {
  return makeKey(key.type, require('internal/crypto/keys').handleFrom(key), algorithm, extractable, usages);
}

// Usages come in the Standard's order, each once.
function makeKey(type, handle, algorithm, extractable, usages) {
  return new InternalCryptoKey({
    type,
    handle,
    algorithm,
    extractable,
    usages: arrayFilter.call(kUsageOrder, (usage) => arrayIncludes.call(usages, usage)),
    shownAlgorithm: undefined,
    shownUsages: undefined,
  });
}

brands.isCryptoKey = (value) => isCryptoKey(value);
brands.areEqualCryptoKeys = (a, b) => {
  const one = slotsOf(a),
    other = slotsOf(b);
  const facts = ({ type, extractable, algorithm, usages }) => ({ type, extractable, algorithm, usages });
  const { isDeepStrictEqual } = require('internal/util/util');
  return isDeepStrictEqual(facts(one), facts(other)) && one.handle.equals(other.handle);
};

module.exports = {
  CryptoKey,
  handleOfCryptoKey: (key) => slotsOf(key).handle,
  isCryptoKey: (value) => isCryptoKey(value),
  kUsageOrder,
  makeKey,
  revived,
  slotsOf: (key) => slotsOf(key),
};
