// natives: crypto_cipher, crypto_keygen, crypto_keys
//
// AES in all its modes, and ChaCha20-Poly1305, for crypto.subtle.

'use strict';

const cipher = native('crypto_cipher');
const keygen = native('crypto_keygen');
const keys = native('crypto_keys');
const { makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const {
  checkJwk,
  checkNotEmpty,
  checkUsages,
  dataError,
  fromBase64url,
  notSupported,
  operation,
  operationError,
} = require('internal/webcrypto/support');
const { bigIntFrom, bytesFromBigInt } = require('internal/crypto/util');
const { Buffer } = require('internal/buffer/buffer');

const kUsages = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const usagesOf = (name) => (name === 'AES-KW' ? ['wrapKey', 'unwrapKey'] : kUsages);
const lengths = [128, 192, 256];
const isChacha = (name) => name === 'ChaCha20-Poly1305';
// Names of JSON Web Algorithms end in the mode: A128GCM.
const jwkName = (name, length) => (isChacha(name) ? 'C20P' : `A${length}${stringSlice.call(name, 4)}`);

function lengthOf(algorithm) {
  if (isChacha(algorithm.name)) return 256;
  if (!arrayIncludes.call(lengths, algorithm.length)) throw operationError('Invalid key length');
  return algorithm.length;
}

const described = (name, length) => (isChacha(name) ? { name } : { name, length });

function generateKey(algorithm, extractable, usages) {
  const { name } = algorithm;
  checkUsages(usages, usagesOf(name), name);
  const length = lengthOf(algorithm);
  checkNotEmpty(usages);
  return promiseThen(
    operation((done) => keygen.secret(length / 8, done)),
    (handle) => makeKey('secret', handle, described(name, length), extractable, usages),
  );
}

function importKey(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  checkUsages(usages, usagesOf(name), name);
  // These two came when the name of the format was settled.
  const isNew = name === 'AES-OCB' || isChacha(name);
  let bytes;
  if (format === 'raw-secret' || (format === 'raw' && !isNew)) {
    bytes = data;
  } else if (format === 'jwk') {
    checkJwk(data, 'oct', 'enc', extractable, usages);
    bytes = fromBase64url(data.k);
  } else {
    throw notSupported(`Unable to import ${name} using ${format} format`);
  }
  const length = bytes.byteLength * 8;
  if (isChacha(name) ? length !== 256 : !arrayIncludes.call(lengths, length)) throw dataError('Invalid key length');
  if (format === 'jwk' && data.alg !== undefined && data.alg !== jwkName(name, length)) {
    throw dataError('JWK "alg" does not match the requested algorithm');
  }
  checkNotEmpty(usages, 'importing a secret key');
  return makeKey('secret', keys.secret(bytes), described(name, length), extractable, usages);
}

function exportKey(format, key) {
  const {
    handle,
    algorithm: { name, length },
  } = slotsOf(key);
  const isNew = name === 'AES-OCB' || isChacha(name);
  if (format === 'raw-secret' || (format === 'raw' && !isNew)) return handle.bytes();
  if (format === 'jwk') return { kty: 'oct', k: handle.bytes().toString('base64url'), alg: jwkName(name, length) };
  return undefined;
}

// The counter is the last `length` bits of the block and wraps round within them; OpenSSL's is the whole block.
async function counterMode(encrypts, handle, bits, algorithm, data) {
  const { counter, length } = algorithm;
  const name = `aes-${bits}-ctr`;
  const block = Buffer.from(bytesIn(counter));
  const range = 1n << BigInt(length);
  const blocks = BigInt(Math.ceil(data.byteLength / 16));
  if (blocks > range) throw operationError('Too much data for the counter');
  const start = bigIntFrom(block) % range;
  const untilWrap = range - start;
  const run = (iv, part) => operation((done) => cipher.once(encrypts, name, handle, iv, part, 0, undefined, done));
  if (blocks <= untilWrap) return run(block, data);
  const bytes = bytesIn(data);
  const split = Number(untilWrap) * 16;
  const text = bytesFromBigInt(bigIntFrom(block) - start);
  const wrapped = Buffer.concat([Buffer.alloc(16 - text.length), text]);
  const [first, second] = each(
    await Promise.all([run(block, bytesSubarray.call(bytes, 0, split)), run(wrapped, bytesSubarray.call(bytes, split))]),
  );
  const joined = Buffer.concat([Buffer.from(first), Buffer.from(second)]);
  return new Uint8Array(joined).buffer;
}

function bytesIn(source) {
  return ArrayBuffer.isView(source) ? Buffer.from(source.buffer, source.byteOffset, source.byteLength) : Buffer.from(source);
}

const tagLengths = { 'AES-GCM': [32, 64, 96, 104, 112, 120, 128], 'AES-OCB': [64, 96, 128], 'ChaCha20-Poly1305': [128] };

// Throws when nothing can be encrypted with these parameters, whatever the key and the data.
function check(algorithm) {
  const { name, iv, counter, length, tagLength = 128 } = algorithm;
  if (name === 'AES-CTR') {
    if (counter.byteLength !== 16) throw operationError('algorithm.counter must contain exactly 16 bytes');
    if (length === 0 || length > 128) throw operationError('AES-CTR algorithm.length must be between 1 and 128');
  }
  if (name === 'AES-CBC' && iv.byteLength !== 16) throw operationError('algorithm.iv must contain exactly 16 bytes');
  if (tagLengths[name] === undefined) return;
  if (!arrayIncludes.call(tagLengths[name], tagLength)) throw operationError(`${tagLength} is not a valid ${name} tag length`);
  if (name === 'AES-OCB' && (iv.byteLength === 0 || iv.byteLength > 15))
    throw operationError('AES-OCB algorithm.iv must have 1 to 15 bytes');
  if (isChacha(name) && iv.byteLength !== 12) throw operationError('ChaCha20-Poly1305 algorithm.iv must contain exactly 12 bytes');
}

function authenticated(encrypts, handle, bits, algorithm, data) {
  const { name, iv, additionalData, tagLength = 128 } = algorithm;
  if (!encrypts && data.byteLength < tagLength / 8) throw operationError('The provided data is too small.');
  const native = isChacha(name) ? 'chacha20-poly1305' : `aes-${bits}-${stringToLowerCase.call(stringSlice.call(name, 4))}`;
  return operation((done) => cipher.once(encrypts, native, handle, iv, data, tagLength / 8, additionalData, done));
}

function wrap(encrypts, handle, bits, data) {
  const size = data.byteLength;
  if (size % 8 !== 0 || size < (encrypts ? 16 : 24)) throw operationError('The provided data has a wrong length');
  return operation((done) => cipher.once(encrypts, `id-aes${bits}-wrap`, handle, undefined, data, 0, undefined, done));
}

function run(encrypts, algorithm, key, data) {
  const {
    handle,
    algorithm: { length: bits },
  } = slotsOf(key);
  check(algorithm);
  switch (algorithm.name) {
    case 'AES-CTR':
      return counterMode(encrypts, handle, bits, algorithm, data);
    case 'AES-KW':
      return wrap(encrypts, handle, bits, data);
    case 'AES-CBC':
      if (!encrypts && (data.byteLength === 0 || data.byteLength % 16 !== 0)) throw operationError();
      return operation((done) => cipher.once(encrypts, `aes-${bits}-cbc`, handle, algorithm.iv, data, 0, undefined, done));
    default:
      return authenticated(encrypts, handle, bits, algorithm, data);
  }
}

module.exports = {
  check,
  checkGeneration: lengthOf,
  decrypt: (algorithm, key, data) => run(false, algorithm, key, data),
  encrypt: (algorithm, key, data) => run(true, algorithm, key, data),
  exportKey,
  generateKey,
  importKey,
  lengthOf,
};
