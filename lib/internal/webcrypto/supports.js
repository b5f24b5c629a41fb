// natives: none
//
// SubtleCrypto.supports(): whether an operation would be begun with this algorithm, without doing it.

'use strict';

const { normalize, long } = require('internal/webcrypto/algorithms');
const { slotsOf } = require('internal/webcrypto/crypto_key');

const operations = new Set([
  'decapsulateBits',
  'decapsulateKey',
  'decrypt',
  'deriveBits',
  'deriveKey',
  'digest',
  'encapsulateBits',
  'encapsulateKey',
  'encrypt',
  'exportKey',
  'generateKey',
  'getPublicKey',
  'importKey',
  'sign',
  'unwrapKey',
  'verify',
  'wrapKey',
]);
const curveBits = { __proto__: null, 'P-256': 256, 'P-384': 384, 'P-521': 528 };

function mostBits({ name, public: key }) {
  if (name === 'X25519') return 256;
  if (name === 'X448') return 448;
  return name === 'ECDH' ? curveBits[slotsOf(key).algorithm.namedCurve] : Infinity;
}

const digestBits = { 'SHA-1': 160, 'SHA-256': 256, 'SHA-384': 384, 'SHA-512': 512, 'SHA3-256': 256, 'SHA3-384': 384, 'SHA3-512': 512 };

// Of a public key of the same kind.
function hasPartner({ name, public: key }) {
  if (key === undefined) return true;
  const { type, algorithm } = slotsOf(key);
  return type === 'public' && algorithm.name === name;
}

function canDerive(algorithm, length) {
  const { name, hash } = algorithm;
  if (!hasPartner(algorithm)) return false;
  const isArgon2 = stringStartsWith.call(name, 'Argon2');
  if (!isArgon2 && name !== 'HKDF' && name !== 'PBKDF2') return length === null || length <= mostBits(algorithm);
  if (length === null || length % 8 !== 0) return false;
  if (isArgon2) return length >= 32;
  return name === 'PBKDF2' || length <= 255 * digestBits[hash.name];
}

function checkParameters(operation, wanted) {
  if (operation === 'digest') {
    if (wanted.outputLength !== undefined) require('internal/webcrypto/shake').check(wanted);
    return;
  }
  const part = require('internal/webcrypto/subtle').partFor(wanted.name);
  if (operation === 'generateKey') part.checkGeneration?.(wanted);
  if (operation === 'importKey') part.checkImport?.(wanted);
  if (operation === 'sign' || operation === 'verify') part.checkSign?.(wanted);
  if (operation === 'encrypt' || operation === 'decrypt') part.check?.(wanted);
}

function check(operation, algorithm, length = null) {
  const name = replaceMatches(operation, /^(en|de)capsulate(Bits|Key)$/, '$1capsulate');
  let wanted;
  try {
    wanted = normalize(algorithm, name);
  } catch {
    if (name === 'wrapKey') return check('encrypt', algorithm);
    if (name === 'unwrapKey') return check('decrypt', algorithm);
    return false;
  }
  try {
    checkParameters(name, wanted);
  } catch {
    return false;
  }
  if (name === 'deriveBits') return canDerive(wanted, length);
  if (name === 'generateKey')
    return wanted.name !== 'HMAC' || wanted.length !== undefined || !stringStartsWith.call(wanted.hash.name, 'SHA3-');
  return true;
}

function canDeriveKey(algorithm, derived) {
  if (!check('importKey', derived)) return false;
  try {
    const length = require('internal/webcrypto/subtle').lengthOf(normalize(derived, 'get key length'));
    return check('deriveBits', algorithm, length);
  } catch {
    return false;
  }
}

// Key types that may be made of the 32 bytes that an encapsulation gives.
function canHoldSecret(algorithm) {
  try {
    const { name, length } = normalize(algorithm, 'importKey');
    if (regexpTest.call(/^(HMAC|KMAC)/, name)) return length === undefined || Math.ceil(length / 8) === 32;
    return regexpTest.call(/^(AES|ChaCha|HKDF|PBKDF2|Argon2)/, name);
  } catch {
    return false;
  }
}

function hasPublicKey(algorithm) {
  try {
    return regexpTest.call(/^(RS|EC|Ed|X2|X4|ML)/, normalize(algorithm, 'exportKey').name);
  } catch {
    return false;
  }
}

function supports(operation, algorithm, additional) {
  if (!operations.has(operation)) return false;
  const { converters } = require('internal/webcrypto/subtle');
  const other = () => converters.algorithm(additional, "Failed to execute 'supports' on 'SubtleCrypto': 3rd argument");
  switch (operation) {
    case 'deriveKey':
      return canDeriveKey(algorithm, other());
    case 'wrapKey':
      return check('exportKey', other()) && check(operation, algorithm);
    case 'unwrapKey':
      return check('importKey', other()) && check(operation, algorithm);
    case 'deriveBits':
      return check(operation, algorithm, additional === null ? null : long(additional, '3rd argument'));
    case 'encapsulateKey':
    case 'decapsulateKey':
      return canHoldSecret(other()) && check(operation, algorithm);
    case 'getPublicKey':
      return hasPublicKey(algorithm);
    default:
      return check(operation, algorithm);
  }
}

module.exports = { supports };
