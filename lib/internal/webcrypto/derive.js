// natives: crypto_kdf, crypto_keys
//
// HKDF, PBKDF2 and Argon2 for crypto.subtle.

'use strict';

const kdf = native('crypto_kdf');
const keys = native('crypto_keys');
const { makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const { checkNotEmpty, checkUsages, digestOf, failure, notSupported, operation, operationError } = require('internal/webcrypto/support');

const isArgon2 = (name) => stringStartsWith.call(name, 'Argon2');

function importKey(format, data, { name }, extractable, usages) {
  if (format !== 'raw-secret' && (format !== 'raw' || isArgon2(name)))
    throw notSupported(`Unable to import ${name} using ${format} format`);
  checkUsages(usages, ['deriveKey', 'deriveBits'], `a ${name}`);
  if (extractable) throw failure(`${name} keys are not extractable`, 'SyntaxError');
  checkNotEmpty(usages, 'importing a secret key');
  return makeKey('secret', keys.secret(data), { name }, false, usages);
}

const argon2Types = ['Argon2d', 'Argon2i', 'Argon2id'];
function argon2(algorithm, handle, length) {
  const { name, nonce, parallelism, memory, passes, secretValue, associatedData } = algorithm;
  if (length < 32) throw operationError('length must be >= 32');
  return operation((done) =>
    kdf.argon2(
      arrayIndexOf.call(argon2Types, name),
      handle,
      nonce,
      parallelism,
      length / 8,
      memory,
      passes,
      secretValue,
      associatedData,
      done,
    ),
  );
}

// The native says "no such length" by false.
function deriveBits(algorithm, baseKey, length) {
  const { handle } = slotsOf(baseKey);
  if (length === null) throw operationError('length cannot be null');
  if (length % 8 !== 0) throw operationError('length must be a multiple of 8');
  if (isArgon2(algorithm.name)) return argon2(algorithm, handle, length);
  const size = length / 8;
  const digest = digestOf(algorithm.hash);
  if (algorithm.info?.byteLength > 1024) throw operationError('algorithm.info must be at most 1024 bytes');
  if (algorithm.name === 'PBKDF2') {
    if (algorithm.iterations === 0 || algorithm.iterations > 2 ** 31 - 1) throw operationError('iterations cannot be zero');
    if (size === 0) return Promise.resolve(new ArrayBuffer(0));
    return operation((done) => kdf.pbkdf2(handle, algorithm.salt, algorithm.iterations, size, digest, done));
  }
  if (size === 0) return Promise.resolve(new ArrayBuffer(0));
  return operation((done) => {
    if (kdf.hkdf(digest, handle, algorithm.salt, algorithm.info, size, done) === false) done(new RangeError('Invalid key length'));
  });
}

module.exports = { deriveBits, importKey };
