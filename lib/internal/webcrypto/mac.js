// natives: crypto, crypto_hash, crypto_keygen, crypto_keys
//
// HMAC and KMAC for crypto.subtle.

'use strict';

const hashes = native('crypto_hash');
const keygen = native('crypto_keygen');
const keys = native('crypto_keys');
const { makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const {
  checkJwk,
  checkNotEmpty,
  checkUsages,
  dataError,
  digestOf,
  firstBits,
  fromBase64url,
  notSupported,
  operation,
  operationError,
} = require('internal/webcrypto/support');

const kUsages = ['sign', 'verify'];
const isKmac = (name) => name !== 'HMAC';
// Without a word the key is as long as a block of the hash; of SHA-3 nobody has said how long that is.
const blockBits = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

function lengthOf(algorithm) {
  const { name, hash, length } = algorithm;
  if (length === undefined && !isKmac(name) && blockBits[hash.name] === undefined)
    throw notSupported(`Explicit algorithm length member is required for ${hash.name}`);
  if (length === undefined) return isKmac(name) ? Number(stringSlice.call(name, 4)) : blockBits[hash.name];
  if (length === 0 && !isKmac(name))
    throw Object.assign(new TypeError('Zero-length key is not supported'), { code: 'ERR_INVALID_ARG_VALUE' });
  return length;
}

const described = ({ name, hash }, length) => (isKmac(name) ? { name, length } : { name, length, hash });

function checkGeneration({ name, length }) {
  if (length === 0 && !isKmac(name)) throw operationError('Zero-length key is not supported');
}

function generateKey(algorithm, extractable, usages) {
  checkUsages(usages, kUsages, algorithm.name);
  checkGeneration(algorithm);
  const length = lengthOf(algorithm);
  checkNotEmpty(usages);
  return promiseThen(
    operation((done) => keygen.secret(Math.ceil(length / 8), done)),
    (handle) => makeKey('secret', handle, described(algorithm, length), extractable, usages),
  );
}

function jwkName({ name, hash }) {
  if (isKmac(name)) return `K${stringSlice.call(name, 4)}`;
  return stringStartsWith.call(hash.name, 'SHA3-') ? `HS3-${stringSlice.call(hash.name, 5)}` : `HS${stringSlice.call(hash.name, 4)}`;
}

function importKey(format, data, algorithm, extractable, usages) {
  checkUsages(usages, kUsages, algorithm.name);
  let bytes;
  if (format === 'raw-secret' || (format === 'raw' && !isKmac(algorithm.name))) {
    bytes = data;
  } else if (format === 'jwk') {
    checkJwk(data, 'oct', 'sig', extractable, usages);
    bytes = fromBase64url(data.k);
    if (data.alg !== undefined && data.alg !== jwkName(algorithm)) throw dataError('JWK "alg" does not match the requested algorithm');
  } else {
    throw notSupported(`Unable to import ${algorithm.name} using ${format} format`);
  }
  const size = bytes.byteLength * 8;
  if (size === 0 && !isKmac(algorithm.name)) throw dataError('Zero-length key is not supported');
  const { length = size } = algorithm;
  if (algorithm.length !== undefined && (length > size || length <= size - 8)) throw dataError('Invalid key length');
  checkNotEmpty(usages, 'importing a secret key');
  return makeKey('secret', keys.secret(bytes), described(algorithm, length), extractable, usages);
}

function exportKey(format, key) {
  const { handle, algorithm } = slotsOf(key);
  if (format === 'raw-secret' || (format === 'raw' && !isKmac(algorithm.name))) return handle.bytes();
  if (format === 'jwk') return { kty: 'oct', k: handle.bytes().toString('base64url'), alg: jwkName(algorithm) };
  return undefined;
}

function sign(algorithm, key, data) {
  const { handle, algorithm: own } = slotsOf(key);
  if (!isKmac(own.name)) return operation((done) => hashes.hmacLater(digestOf(own.hash), handle, data, done));
  const { outputLength, customization } = algorithm;
  if (outputLength === 0) return Promise.resolve(new ArrayBuffer(0));
  const size = Math.ceil(outputLength / 8);
  return promiseThen(
    operation((done) => hashes.kmacLater(`KMAC-${stringSlice.call(own.name, 4)}`, handle, data, customization, size, done)),
    (made) => firstBits(made, outputLength),
  );
}

async function verify(algorithm, key, signature, data) {
  const given = copyOf(signature); // the program may change it meanwhile
  const made = await sign(algorithm, key, data);
  return made.byteLength === given.byteLength && native('crypto').equal(made, given);
}

// Empty when a getter of the algorithm has transferred it.
function copyOf(source) {
  const isView = ArrayBuffer.isView(source);
  if ((isView ? source.buffer : source).byteLength === 0) return new Uint8Array(0);
  return new Uint8Array(isView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source));
}

module.exports = { checkGeneration, checkImport: checkGeneration, exportKey, generateKey, importKey, lengthOf, sign, verify };
