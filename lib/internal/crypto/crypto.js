// natives: crypto
//
// node:crypto: the list of what it has. Each part is loaded when it is first touched, so a program that only hashes pays for no keys.

'use strict';

const { lazyValuesOn } = require('internal/util/lazy_property');

const ownFunctions = {
  timingSafeEqual(buf1, buf2) {
    checkBytes(buf1, 'buf1');
    checkBytes(buf2, 'buf2');
    const { codes } = require('internal/errors/coded');
    if (buf1.byteLength !== buf2.byteLength) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
    return native('crypto').equal(buf1, buf2);
  },
  // Functions, not methods: programs call some of them with `new`.
  createSign: function (algorithm, options) {
    return new (signs().Sign)(algorithm, options);
  },
  createVerify: function (algorithm, options) {
    return new (signs().Verify)(algorithm, options);
  },
  createCipheriv: function (cipher, key, iv, options) {
    return new (ciphers().Cipheriv)(cipher, key, iv, options);
  },
  createDecipheriv: function (cipher, key, iv, options) {
    return new (ciphers().Decipheriv)(cipher, key, iv, options);
  },
  createDiffieHellman: function (sizeOrKey, keyEncoding, generator, generatorEncoding) {
    return new (agreements().DiffieHellman)(sizeOrKey, keyEncoding, generator, generatorEncoding);
  },
  createDiffieHellmanGroup: function (name) {
    return new (agreements().DiffieHellmanGroup)(name);
  },
  createECDH: function (curve) {
    return new (agreements().ECDH)(curve);
  },
  getRandomValues(array) {
    return require('internal/crypto/web').crypto.getRandomValues(array);
  },
};
const signs = () => require('internal/crypto/sign');
const ciphers = () => require('internal/crypto/cipher');
const agreements = () => require('internal/crypto/dh');

function checkBytes(value, name) {
  const { isBytes, kByteTypes } = require('internal/crypto/util');
  if (!isBytes(value)) throw new (require('internal/errors/coded').codes.ERR_INVALID_ARG_TYPE)(name, kByteTypes, value);
}

// As in older programs, both may be called without `new`.
const oldClass = (name, code) => () => {
  const { callable } = require('internal/crypto/util');
  const { deprecate } = require('internal/util/helpers');
  return deprecate(callable(require('internal/crypto/hash')[name]), `crypto.${name} constructor is deprecated.`, code);
};
const callableClass = (id, name) => () => require('internal/crypto/util').callable(require(id)[name]);

const parts = {
  'internal/crypto/kdf': [
    'checkPrime',
    'checkPrimeSync',
    'generatePrime',
    'generatePrimeSync',
    'hkdf',
    'hkdfSync',
    'pbkdf2',
    'pbkdf2Sync',
    'scrypt',
    'scryptSync',
    'argon2',
    'argon2Sync',
  ],
  'internal/crypto/hash': ['createHash', 'createHmac', 'getHashes', 'hash'],
  'internal/crypto/mac': ['createMac', 'getMacs'],
  'internal/crypto/pkcs12': ['parsePKCS12'],
  'internal/crypto/keys': ['createPrivateKey', 'createPublicKey', 'createSecretKey', 'KeyObject'],
  'internal/crypto/keygen': ['generateKeyPair', 'generateKeyPairSync', 'generateKey', 'generateKeySync', 'getCurves'],
  'internal/crypto/cipher': ['getCiphers', 'getCipherInfo'],
  'internal/crypto/sign': ['privateDecrypt', 'privateEncrypt', 'publicDecrypt', 'publicEncrypt', 'sign', 'verify', 'Sign', 'Verify'],
  'internal/crypto/dh': ['diffieHellman', 'DiffieHellman', 'DiffieHellmanGroup', 'ECDH'],
  'internal/crypto/kem': ['encapsulate', 'decapsulate'],
  'internal/crypto/x509': ['Certificate', 'X509Certificate'],
  'internal/crypto/random': ['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'randomUUIDv7'],
  'internal/crypto/state': ['getFips', 'setFips', 'setEngine', 'secureHeapUsed'],
};

const addLazy = lazyValuesOn(module.exports);
for (const id of each(Object.keys(parts))) {
  for (const name of each(parts[id])) addLazy(name, () => require(id)[name], true);
}
addLazy('Hash', oldClass('Hash', 'DEP0179'), true);
addLazy('Hmac', oldClass('Hmac', 'DEP0181'), true);
addLazy('Cipheriv', callableClass('internal/crypto/cipher', 'Cipheriv'), true);
addLazy('Decipheriv', callableClass('internal/crypto/cipher', 'Decipheriv'), true);
for (const name of each(['prng', 'pseudoRandomBytes', 'rng'])) {
  addLazy(
    name,
    () => {
      const { pendingDeprecate } = require('internal/util/helpers');
      return pendingDeprecate(require('internal/crypto/random').randomBytes, `crypto.${name} is deprecated.`, 'DEP0115');
    },
    false,
  );
}
const { getRandomValues, ...others } = ownFunctions;
Object.assign(module.exports, others, { getDiffieHellman: others.createDiffieHellmanGroup });

const fips = (name) =>
  function deprecated(value) {
    const { deprecate } = require('internal/util/helpers');
    const state = require('internal/crypto/state');
    return deprecate(state[name], `The crypto.fips is deprecated. Please use crypto.${name}()`, 'DEP0093')(value);
  };
Object.defineProperties(module.exports, {
  fips: { configurable: false, enumerable: false, get: fips('getFips'), set: fips('setFips') },
  constants: { configurable: false, enumerable: true, writable: false, value: require('internal/crypto/constants') },
  webcrypto: { configurable: false, enumerable: true, get: () => require('internal/crypto/web').crypto, set: undefined },
  subtle: { configurable: false, enumerable: true, get: () => require('internal/crypto/web').crypto.subtle, set: undefined },
  getRandomValues: { configurable: false, enumerable: true, get: () => getRandomValues, set: undefined },
});
