// natives: crypto_kdf
//
// pbkdf2, scrypt, hkdf and argon2 of node:crypto, and its primes: each at once, or on the pool.

'use strict';

const binding = native('crypto_kdf');
const { codes } = require('internal/errors/coded');
const { arrayBufferOf, bigIntFrom, bytesFrom, bytesFromBigInt, failure, isBytes, kByteTypes } = require('internal/crypto/util');
const {
  validateBoolean,
  validateFunction,
  validateInt32,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/util/validators');

function pbkdf2Arguments(password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  const secret = bytesFrom(password, 'password');
  const grains = bytesFrom(salt, 'salt');
  // OpenSSL counts with a signed number.
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  return [secret, grains, iterations, keylen, digest];
}

function runPbkdf2(args, callback) {
  const made = binding.pbkdf2(...each(args), callback);
  if (made === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(args[4]);
  return made;
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const args = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  validateFunction(callback, 'callback');
  runPbkdf2(args, callback);
}

function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  return runPbkdf2(pbkdf2Arguments(password, salt, iterations, keylen, digest));
}

const kScryptDefaults = { N: 16384, r: 8, p: 1, maxmem: 32 << 20 };
const kScryptNames = [
  ['N', 'cost'],
  ['r', 'blockSize'],
  ['p', 'parallelization'],
];

function scryptArguments(password, salt, keylen, options) {
  const secret = bytesFrom(password, 'password');
  const grains = bytesFrom(salt, 'salt');
  validateInt32(keylen, 'keylen', 0);
  const chosen = { ...kScryptDefaults };
  if (options && options !== kScryptDefaults) {
    for (const [short, long] of eachEntry(kScryptNames)) {
      // Each is read once: a getter may change its mind.
      const value = options[short];
      const other = options[long];
      if (value !== undefined) {
        validateUint32(value, short);
        chosen[short] = value;
      }
      if (other !== undefined) {
        if (value !== undefined) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR(short, long);
        validateUint32(other, long);
        chosen[short] = other;
      }
    }
    const { maxmem } = options;
    if (maxmem !== undefined) {
      validateInteger(maxmem, 'maxmem', 0);
      chosen.maxmem = maxmem;
    }
    for (const name of each(['N', 'r', 'p', 'maxmem'])) if (chosen[name] === 0) chosen[name] = kScryptDefaults[name];
  }
  return [secret, grains, chosen.N, chosen.r, chosen.p, chosen.maxmem, keylen];
}

function scrypt(password, salt, keylen, options, callback = kScryptDefaults) {
  if (callback === kScryptDefaults) {
    callback = options;
    options = kScryptDefaults;
  }
  const args = scryptArguments(password, salt, keylen, options);
  validateFunction(callback, 'callback');
  binding.scrypt(...each(args), callback);
}

function scryptSync(password, salt, keylen, options = kScryptDefaults) {
  return binding.scrypt(...each(scryptArguments(password, salt, keylen, options)));
}

const kMostInfo = 1024;

function hkdfArguments(hash, key, salt, info, length) {
  validateString(hash, 'digest');
  const secret = require('internal/crypto/keys').secretFrom(key, 'ikm');
  const grains = bytesFrom(salt, 'salt');
  const about = bytesFrom(info, 'info');
  validateInteger(length, 'length', 0, 2 ** 31 - 1);
  if (about.byteLength > kMostInfo) {
    throw new codes.ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', about.byteLength);
  }
  return [hash, secret, grains, about, length];
}

function runHkdf(args, callback) {
  const made = binding.hkdf(...each(args), callback);
  if (made === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(args[0]);
  if (made === false) throw failure('ERR_CRYPTO_INVALID_KEYLEN');
  return made;
}

function hkdf(hash, key, salt, info, length, callback) {
  const args = hkdfArguments(hash, key, salt, info, length);
  validateFunction(callback, 'callback');
  runHkdf(args, (error, bytes) => {
    if (error) callback(error);
    else callback(null, arrayBufferOf(bytes));
  });
}

function hkdfSync(hash, key, salt, info, length) {
  return arrayBufferOf(runHkdf(hkdfArguments(hash, key, salt, info, length)));
}

// --- argon2

const kArgon2Types = ['argon2d', 'argon2i', 'argon2id'];
const kMostUint32 = 2 ** 32 - 1;

function argon2Bytes(parameters, name, least, isOptional) {
  if (isOptional && parameters[name] === undefined) return undefined;
  const bytes = bytesFrom(parameters[name], `parameters.${name}`);
  validateInteger(bytes.byteLength, `parameters.${name}.byteLength`, least, kMostUint32);
  return bytes;
}

function argon2Arguments(algorithm, parameters) {
  validateString(algorithm, 'algorithm');
  validateOneOf(algorithm, 'algorithm', kArgon2Types);
  validateObject(parameters, 'parameters');
  const { parallelism, tagLength, memory, passes } = parameters;
  const message = argon2Bytes(parameters, 'message', 0);
  const nonce = argon2Bytes(parameters, 'nonce', 8);
  validateInteger(parallelism, 'parameters.parallelism', 1, 2 ** 24 - 1);
  validateInteger(tagLength, 'parameters.tagLength', 4, kMostUint32);
  validateInteger(memory, 'parameters.memory', 8 * parallelism, kMostUint32);
  validateUint32(passes, 'parameters.passes', true);
  const secret = argon2Bytes(parameters, 'secret', 0, true);
  const associatedData = argon2Bytes(parameters, 'associatedData', 0, true);
  return [arrayIndexOf.call(kArgon2Types, algorithm), message, nonce, parallelism, tagLength, memory, passes, secret, associatedData];
}

// Other sentences than the others'.
function argon2Failure(error) {
  error.message = 'Argon2 derivation failed';
  return error;
}

function argon2(algorithm, parameters, callback) {
  const args = argon2Arguments(algorithm, parameters);
  validateFunction(callback, 'callback');
  binding.argon2(...each(args), (error, bytes) => {
    if (error) callback(argon2Failure(error));
    else callback(null, bytes);
  });
}

function argon2Sync(algorithm, parameters) {
  const args = argon2Arguments(algorithm, parameters);
  try {
    return binding.argon2(...each(args));
  } catch (error) {
    throw argon2Failure(error);
  }
}

// --- primes

function numberBytes(value, name) {
  if (typeof value === 'bigint') {
    if (value < 0n) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
    return bytesFromBigInt(value);
  }
  if (!isBytes(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, [...each(kByteTypes), 'bigint'], value);
  return value;
}

function primeArguments(size, options) {
  validateInt32(size, 'size', 1);
  validateObject(options, 'options');
  const { safe = false, bigint = false, add, rem } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  const step = add === undefined ? undefined : numberBytes(add, 'options.add');
  const rest = rem === undefined ? undefined : numberBytes(rem, 'options.rem');
  return { args: [size, safe, step, rest], finish: (bytes) => (bigint ? bigIntFrom(bytes) : arrayBufferOf(bytes)) };
}

function generatePrime(size, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const { args, finish } = primeArguments(size, options);
  binding.generatePrime(...each(args), (error, bytes) => {
    if (error) callback(error);
    else callback(undefined, finish(bytes));
  });
}

function generatePrimeSync(size, options = {}) {
  const { args, finish } = primeArguments(size, options);
  return finish(binding.generatePrime(...each(args)));
}

function checkArguments(candidate, options) {
  const bytes = numberBytes(candidate, 'candidate');
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
  return [bytes, checks];
}

function checkPrime(candidate, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const args = checkArguments(candidate, options ?? {});
  binding.checkPrime(...each(args), (error, isPrime) => {
    if (error) callback(error);
    else callback(undefined, isPrime);
  });
}

function checkPrimeSync(candidate, options = {}) {
  return binding.checkPrime(...each(checkArguments(candidate, options)));
}

module.exports = {
  argon2,
  argon2Sync,
  checkPrime,
  checkPrimeSync,
  generatePrime,
  generatePrimeSync,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  scrypt,
  scryptSync,
};
