// natives: none
//
// Which algorithm crypto.subtle has for which operation, and how a program's description of one is read: Web IDL's conversion of the
// dictionary that the operation wants (https://w3c.github.io/webcrypto/#algorithm-normalization).

'use strict';

const { isAnyArrayBuffer, isSharedArrayBuffer, isUint8Array } = require('internal/util/types');
const { isCryptoKey } = require('internal/webcrypto/crypto_key');
const { notSupported, operationError } = require('internal/webcrypto/support');

function typeFailure(message, code = 'ERR_INVALID_ARG_TYPE') {
  return Object.assign(new TypeError(message), { code });
}

const bufferOf = (view) => view.buffer;
function bufferSource(value, name) {
  const isView = ArrayBuffer.isView(value);
  if (!isView && !isAnyArrayBuffer(value)) throw typeFailure(`${name} is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.`);
  const memory = isView ? bufferOf(value) : value;
  if (isSharedArrayBuffer(memory)) throw typeFailure(`${name} is a view on a SharedArrayBuffer, which is not allowed.`);
  if (memory.resizable) throw typeFailure(`${name} is backed by a resizable ArrayBuffer, which is not allowed.`);
  return value;
}

// [EnforceRange]
function integer(bits) {
  const most = 2 ** bits - 1;
  return (value, name) => {
    if (typeof value === 'bigint' || typeof value === 'symbol') throw typeFailure(`${name} is not a number.`);
    const number = Math.trunc(+value);
    if (!Number.isFinite(number)) throw typeFailure(`${name} is not a finite number.`, 'ERR_OUT_OF_RANGE');
    if (number < 0 || number > most) {
      throw typeFailure(`${name} is outside the expected range of 0 to ${most}.`, 'ERR_OUT_OF_RANGE');
    }
    return number + 0;
  };
}
const octet = integer(8);
const short = integer(16);
const long = integer(32);

function text(value, name) {
  if (typeof value === 'symbol') throw typeFailure(`${name} is a Symbol and cannot be converted to a string.`);
  return `${value}`;
}

function bigInteger(value, name) {
  if (!isUint8Array(value)) throw typeFailure(`${name} is not instance of Uint8Array.`);
  return bufferSource(value, name);
}

function cryptoKey(value, name) {
  if (!isCryptoKey(value)) throw typeFailure(`${name} is not of type CryptoKey.`);
  return value;
}

const kBegin = 'Failed to normalize algorithm: ';
const hash = (value, name) => normalize(value, 'digest', stringSlice.call(name, kBegin.length));

// --- Argon2Params: what cannot be is refused while it is read.

function argon2Nonce(value, name) {
  if (bufferSource(value, name).byteLength < 8) throw operationError('nonce must be at least 8 bytes');
  return value;
}
function argon2Lanes(value, name) {
  const lanes = long(value, name);
  if (lanes === 0 || lanes > 2 ** 24 - 1) throw operationError('parallelism must be > 0 and <= 16777215');
  return lanes;
}
function argon2Memory(value, name, { parallelism }) {
  const memory = long(value, name);
  if (memory < 8 * parallelism) throw operationError('memory must be at least 8 times the degree of parallelism');
  return memory;
}
function argon2Passes(value, name) {
  const passes = long(value, name);
  if (passes === 0) throw operationError('passes must be > 0');
  return passes;
}
function argon2Version(value, name) {
  const version = octet(value, name);
  if (version !== 0x13) throw operationError(`${version} is not a valid Argon2 version`);
  return version;
}

// Members in the Standard's order: [name, converter, is required].
const kinds = {
  AesCbcParams: [['iv', bufferSource, true]],
  AesCtrParams: [
    ['counter', bufferSource, true],
    ['length', octet, true],
  ],
  AesKeyGenParams: [['length', short, true]],
  AeadParams: [
    ['additionalData', bufferSource],
    ['iv', bufferSource, true],
    ['tagLength', octet],
  ],
  CShakeParams: [
    ['customization', bufferSource],
    ['functionName', bufferSource],
    ['outputLength', long, true],
  ],
  TurboShakeParams: [
    ['domainSeparation', octet],
    ['outputLength', long, true],
  ],
  Argon2Params: [
    ['nonce', argon2Nonce, true],
    ['parallelism', argon2Lanes, true],
    ['memory', argon2Memory, true],
    ['passes', argon2Passes, true],
    ['version', argon2Version],
    ['secretValue', bufferSource],
    ['associatedData', bufferSource],
  ],
  ContextParams: [['context', bufferSource]],
  EcKeyParams: [['namedCurve', text, true]],
  EcdhKeyDeriveParams: [['public', cryptoKey, true]],
  EcdsaParams: [['hash', hash, true]],
  HkdfParams: [
    ['hash', hash, true],
    ['info', bufferSource, true],
    ['salt', bufferSource, true],
  ],
  HmacParams: [
    ['hash', hash, true],
    ['length', long],
  ],
  KangarooTwelveParams: [
    ['customization', bufferSource],
    ['outputLength', long, true],
  ],
  KmacKeyParams: [['length', long]],
  KmacParams: [
    ['customization', bufferSource],
    ['outputLength', long, true],
  ],
  Pbkdf2Params: [
    ['hash', hash, true],
    ['iterations', long, true],
    ['salt', bufferSource, true],
  ],
  RsaHashedImportParams: [['hash', hash, true]],
  RsaHashedKeyGenParams: [
    ['modulusLength', long, true],
    ['publicExponent', bigInteger, true],
    ['hash', hash, true],
  ],
  RsaOaepParams: [['label', bufferSource]],
  RsaPssParams: [['saltLength', long, true]],
};

const all = (names, kind) => Object.fromEntries(arrayMap.call(names, (name) => [name, kind]));
const plain = null;
const rsa = ['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP'];
const ec = ['ECDSA', 'ECDH'];
const okp = ['Ed25519', 'Ed448', 'X25519', 'X448'];
const agreeing = ['ECDH', 'X25519', 'X448'];
const aes = ['AES-CTR', 'AES-CBC', 'AES-GCM', 'AES-KW', 'AES-OCB'];
const aead = ['AES-GCM', 'AES-OCB', 'ChaCha20-Poly1305'];
const kmac = ['KMAC128', 'KMAC256'];
const mlDsa = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];
const mlKem = ['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024'];
const argon2 = ['Argon2d', 'Argon2i', 'Argon2id'];

const signing = {
  'RSASSA-PKCS1-v1_5': plain,
  'RSA-PSS': 'RsaPssParams',
  ECDSA: 'EcdsaParams',
  HMAC: plain,
  Ed25519: plain,
  Ed448: 'ContextParams',
  ...all(kmac, 'KmacParams'),
  ...all(mlDsa, 'ContextParams'),
};
const ciphering = {
  'RSA-OAEP': 'RsaOaepParams',
  'AES-CTR': 'AesCtrParams',
  'AES-CBC': 'AesCbcParams',
  ...all(aead, 'AeadParams'),
};
const deriving = { HKDF: 'HkdfParams', PBKDF2: 'Pbkdf2Params', ...all(agreeing, 'EcdhKeyDeriveParams'), ...all(argon2, 'Argon2Params') };
const wrapping = { 'AES-KW': plain };

const operations = {
  __proto__: null,
  digest: {
    ...all(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512'], plain),
    ...all(['cSHAKE128', 'cSHAKE256'], 'CShakeParams'),
    ...all(['TurboSHAKE128', 'TurboSHAKE256'], 'TurboShakeParams'),
    ...all(['KT128', 'KT256'], 'KangarooTwelveParams'),
  },
  generateKey: {
    ...all(rsa, 'RsaHashedKeyGenParams'),
    ...all(ec, 'EcKeyParams'),
    HMAC: 'HmacParams',
    ...all(aes, 'AesKeyGenParams'),
    ...all(okp, plain),
    'ChaCha20-Poly1305': plain,
    ...all(kmac, 'KmacKeyParams'),
    ...all(mlDsa, plain),
    ...all(mlKem, plain),
  },
  importKey: {
    ...all(rsa, 'RsaHashedImportParams'),
    ...all(ec, 'EcKeyParams'),
    HMAC: 'HmacParams',
    ...all(aes, plain),
    ...all(okp, plain),
    'ChaCha20-Poly1305': plain,
    HKDF: plain,
    PBKDF2: plain,
    ...all(kmac, 'KmacKeyParams'),
    ...all(argon2, plain),
    ...all(mlDsa, plain),
    ...all(mlKem, plain),
  },
  exportKey: {
    ...all(rsa, plain),
    ...all(ec, plain),
    HMAC: plain,
    ...all(aes, plain),
    ...all(okp, plain),
    'ChaCha20-Poly1305': plain,
    ...all(kmac, plain),
    ...all(mlDsa, plain),
    ...all(mlKem, plain),
  },
  sign: signing,
  verify: signing,
  encrypt: ciphering,
  decrypt: ciphering,
  deriveBits: deriving,
  wrapKey: wrapping,
  unwrapKey: wrapping,
  'get key length': {
    ...all(aes, 'AesKeyGenParams'),
    HMAC: 'HmacParams',
    HKDF: plain,
    PBKDF2: plain,
    'ChaCha20-Poly1305': plain,
    ...all(kmac, 'KmacKeyParams'),
    ...all(argon2, plain),
  },
  encapsulate: all(mlKem, plain),
  decapsulate: all(mlKem, plain),
};

// Letters beyond ASCII are not those that they look like (U+212A is not a K).
const small = (name) => (regexpTest.call(/^[\0-\x7f]*$/, name) ? stringToLowerCase.call(name) : name);

// operation → small letters → the Standard's name
const known = { __proto__: null };
for (const operation of each(Object.keys(operations))) {
  known[operation] = new Map(arrayMap.call(Object.keys(operations[operation]), (name) => [stringToLowerCase.call(name), name]));
}

// Algorithms of drafts, for which Node warns once each.
const kExperimental = new Set([
  'AES-OCB',
  'Argon2d',
  'Argon2i',
  'Argon2id',
  'ChaCha20-Poly1305',
  'Ed448',
  'KMAC128',
  'KMAC256',
  'KT128',
  'KT256',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
  'ML-KEM-512',
  'ML-KEM-768',
  'ML-KEM-1024',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
  'TurboSHAKE128',
  'TurboSHAKE256',
  'X448',
  'cSHAKE128',
  'cSHAKE256',
]);

// → a new object with `name` and the converted members
function normalize(algorithm, operation, where = 'passed algorithm') {
  const isText = typeof algorithm === 'string';
  // Everything that is no object is a name.
  if (!isText && (algorithm === null || (typeof algorithm !== 'object' && typeof algorithm !== 'function'))) {
    return normalize(text(algorithm, where), operation, where);
  }
  const given = isText ? algorithm : algorithm.name;
  if (given === undefined)
    throw typeFailure(
      `${kBegin}${where} cannot be converted to 'Algorithm' because 'name' is required in 'Algorithm'.`,
      'ERR_MISSING_OPTION',
    );
  const name = known[operation].get(small(text(given, 'name')));
  if (name === undefined) throw notSupported('Unrecognized algorithm name');
  if (kExperimental.has(name)) require('internal/util/helpers').emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
  const made = { name };
  const kind = operations[operation][name];
  if (kind === null) return made;
  for (const [member, convert, isRequired] of eachEntry(kinds[kind])) {
    const value = isText ? undefined : algorithm[member];
    if (value !== undefined) made[member] = convert(value, `${kBegin}${member} in ${where}`, made);
    else if (isRequired)
      throw typeFailure(
        `${kBegin}${where} cannot be converted to '${kind}' because '${member}' is required in '${kind}'.`,
        'ERR_MISSING_OPTION',
      );
  }
  return made;
}

const isKnown = (algorithm, operation) => known[operation].has(small(`${algorithm?.name ?? algorithm}`));

module.exports = { bufferSource, cryptoKey, isKnown, long, normalize, text, typeFailure };
