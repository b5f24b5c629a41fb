// natives: none
//
// Shared by the files of node:crypto: reading byte arguments, giving results in an encoding, numbers of any size.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { codes } = require('internal/errors/coded');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateEncoding } = require('internal/util/validators');

// Kinds of keys that outlast quantum computers: asymmetricKeyType → the name in a JWK.
const pqNames = { __proto__: null };
for (const type of each(['ml-kem-512', 'ml-kem-768', 'ml-kem-1024', 'ml-dsa-44', 'ml-dsa-65', 'ml-dsa-87']))
  pqNames[type] = stringToUpperCase.call(type);
for (const hash of each(['sha2', 'shake'])) {
  for (const size of each(['128', '192', '256'])) {
    for (const speed of each(['s', 'f']))
      pqNames[`slh-dsa-${hash}-${size}${speed}`] = `SLH-DSA-${stringToUpperCase.call(hash)}-${size}${speed}`;
  }
}

const kByteTypes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

const isBytes = (value) => ArrayBuffer.isView(value) || isAnyArrayBuffer(value);

// A string becomes a Buffer; 'buffer' as an encoding means UTF-8.
function bytesFrom(value, name, encoding) {
  if (typeof value === 'string') {
    validateEncoding(value, encoding);
    return Buffer.from(value, encoding === 'buffer' ? 'utf8' : encoding);
  }
  if (!isBytes(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  }
  return value;
}

// The same for input of a running digest, cipher or signature: views, but no ArrayBuffer. UTF-8 is left to the native.
function inputFrom(data, encoding, name = 'data') {
  if (typeof data === 'string') {
    validateEncoding(data, encoding);
    if (encoding === undefined || encoding === 'utf8' || encoding === 'buffer' || encoding === 'utf-8') return data;
    return Buffer.isEncoding(encoding) ? Buffer.from(data, encoding) : data; // an encoding that is none is UTF-8, as in Node
  }
  if (!ArrayBuffer.isView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  return data;
}

function encoded(bytes, encoding) {
  return encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes;
}

// The memory of a Buffer that a native made, and nothing else.
function arrayBufferOf(bytes) {
  const { buffer, byteOffset, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

function bigIntFrom(bytes) {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt(`0x${hex}`);
}

function bytesFromBigInt(number) {
  const hex = bigintToString.call(number, 16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

// An error as Node's own natives throw them: the plain class with a code. Sentences without arguments need not be told.
const kSentences = {
  ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS: [Error, 'The selected key encoding is incompatible with the key type'],
  ERR_CRYPTO_INVALID_CURVE: [TypeError, 'Invalid EC curve name'],
  ERR_CRYPTO_INVALID_DIGEST: [TypeError, 'Invalid digest'],
  ERR_CRYPTO_INVALID_JWK: [TypeError, 'Invalid JWK format'],
  ERR_CRYPTO_INVALID_KEYLEN: [RangeError, 'Invalid key length'],
  ERR_CRYPTO_INVALID_KEYTYPE: [RangeError, 'Invalid key type'],
  ERR_CRYPTO_JWK_UNSUPPORTED_CURVE: [Error, 'Unsupported JWK EC curve'],
  ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE: [Error, 'Unsupported JWK Key Type.'],
  ERR_CRYPTO_OPERATION_FAILED: [Error, 'Operation failed'],
  ERR_CRYPTO_UNKNOWN_DH_GROUP: [Error, 'Unknown DH group'],
  ERR_CRYPTO_UNSUPPORTED_OPERATION: [Error, 'Unsupported crypto operation'],
  ERR_INVALID_ARG_VALUE: [TypeError, 'Invalid argument'],
};
function failure(code, message) {
  const [Class, sentence] = each(kSentences[code]);
  return Object.assign(new Class(message ?? sentence), { code });
}

// Runs `start(callback)` and gives a promise of its answer.
function promised(start) {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}

// As in older programs, these classes may be called without `new`.
const callable = (Class) => new Proxy(Class, { __proto__: null, apply: (target, self, args) => new target(...each(args)) });

module.exports = {
  arrayBufferOf,
  bigIntFrom,
  bytesFrom,
  bytesFromBigInt,
  callable,
  encoded,
  failure,
  inputFrom,
  isBytes,
  kByteTypes,
  pqNames,
  promised,
};
