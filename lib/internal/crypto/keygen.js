// natives: crypto_dh, crypto_hash, crypto_keygen
//
// generateKeyPair, generateKey and their synchronous forms.

'use strict';

const binding = native('crypto_keygen');
const { codes } = require('internal/errors/coded');
const { encodingFrom } = require('internal/crypto/key_options');
const { keyObjectOn } = require('internal/crypto/keys');
const { toJwk } = require('internal/crypto/jwk');
const { failure, pqNames } = require('internal/crypto/util');
const { customPromisifyArgs } = require('internal/util/helpers');
const {
  validateBuffer,
  validateFunction,
  validateInt32,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/util/validators');

const curveTypes = ['ed25519', 'ed448', 'x25519', 'x448'];

function knownDigest(name, what = 'digest') {
  if (name === undefined) return '';
  if (typeof native('crypto_hash').newDigest(name) !== 'object') throw failure('ERR_CRYPTO_INVALID_DIGEST', `Invalid ${what}: ${name}`);
  return name;
}

function rsaArguments(type, options) {
  validateObject(options, 'options');
  const { modulusLength, publicExponent = 0x10001 } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  validateUint32(publicExponent, 'options.publicExponent');
  if (type === 'rsa') return [modulusLength, publicExponent];
  const { hashAlgorithm, mgf1HashAlgorithm, saltLength } = options;
  if (saltLength !== undefined) validateInt32(saltLength, 'options.saltLength', 0);
  if (hashAlgorithm !== undefined) validateString(hashAlgorithm, 'options.hashAlgorithm');
  if (mgf1HashAlgorithm !== undefined) validateString(mgf1HashAlgorithm, 'options.mgf1HashAlgorithm');
  for (const name of each(['hash', 'mgf1Hash'])) {
    if (options[name] !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is no longer supported');
    }
  }
  return [modulusLength, publicExponent, knownDigest(hashAlgorithm), knownDigest(mgf1HashAlgorithm, 'MGF1 digest'), saltLength];
}

function dsaArguments(options) {
  validateObject(options, 'options');
  const { modulusLength, divisorLength } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  if (divisorLength !== undefined) validateInt32(divisorLength, 'options.divisorLength', 0);
  return [modulusLength, divisorLength ?? -1];
}

function ecArguments(options) {
  validateObject(options, 'options');
  const { namedCurve, paramEncoding } = options;
  validateString(namedCurve, 'options.namedCurve');
  if (paramEncoding != null && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
    throw new codes.ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
  }
  if (!binding.isCurve(namedCurve)) throw failure('ERR_CRYPTO_INVALID_CURVE');
  return [0, 0, namedCurve, paramEncoding ?? 'named'];
}

function dhArguments(options) {
  validateObject(options, 'options');
  const { group, primeLength, prime, generator } = options;
  if (group != null) {
    for (const other of each(['prime', 'primeLength', 'generator'])) {
      if (options[other] != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('group', other);
    }
    validateString(group, 'options.group');
    const found = native('crypto_dh').groupPrime(group);
    if (found === undefined) throw failure('ERR_CRYPTO_UNKNOWN_DH_GROUP');
    return [0, 2, '', '', -1, found];
  }
  if (prime != null) {
    if (primeLength != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
    validateBuffer(prime, 'options.prime');
  } else if (primeLength != null) {
    validateInt32(primeLength, 'options.primeLength', 0);
  } else {
    throw new codes.ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
  }
  if (generator != null) validateInt32(generator, 'options.generator', 0);
  return [primeLength ?? 0, generator ?? 2, '', '', -1, prime ?? undefined];
}

function argumentsFor(type, options) {
  switch (type) {
    case 'rsa':
    case 'rsa-pss':
      return rsaArguments(type, options);
    case 'dsa':
      return dsaArguments(options);
    case 'ec':
      return ecArguments(options);
    case 'dh':
      return dhArguments(options);
    default:
      if (arrayIncludes.call(curveTypes, type) || pqNames[type] !== undefined) return [];
      throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
}

// Eight arguments for the native, and what makes of its answer what the program asked for.
function jobFor(type, options) {
  validateString(type, 'type');
  if (options !== undefined) validateObject(options, 'options');
  const encodings = arrayMap.call(['public', 'private'], (half) => {
    const name = `${half}KeyEncoding`;
    const wanted = options?.[name];
    if (wanted == null) return undefined;
    if (typeof wanted !== 'object') throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, wanted);
    return encodingFrom(wanted, type, half === 'public', `options.${name}`);
  });
  const args = [type, ...each(argumentsFor(type, options))];
  while (args.length < 7) arrayPush.call(args, undefined);
  return { args, finish: (pair) => [written(pair[0], 'public', encodings[0]), written(pair[1], 'private', encodings[1])] };
}

function written(handle, half, encoding) {
  if (encoding === undefined) return keyObjectOn(half, handle);
  if (encoding.format === 'jwk') return toJwk(handle, half === 'private');
  if (stringStartsWith.call(encoding.format, 'raw-')) {
    const type = encoding.type === undefined ? {} : { type: encoding.type };
    return keyObjectOn(half, handle).export({ format: encoding.format, ...type });
  }
  return handle.encode(half === 'public', encoding.format, encoding.type, encoding.cipher, encoding.passphrase);
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const { args, finish } = jobFor(type, options);
  binding.pair(...each(args), (error, pair) => {
    let made;
    try {
      if (!error) made = finish(pair);
    } catch (failed) {
      error = failed;
    }
    if (error) callback(error);
    else callback(null, made[0], made[1]);
  });
}
Object.defineProperty(generateKeyPair, customPromisifyArgs, { value: ['publicKey', 'privateKey'], enumerable: false });

function generateKeyPairSync(type, options) {
  const { args, finish } = jobFor(type, options);
  const [publicKey, privateKey] = each(finish(binding.pair(...each(args))));
  return { publicKey, privateKey };
}

function lengthFor(type, options) {
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options;
  if (type === 'hmac') validateInteger(length, 'options.length', 8, 2 ** 31 - 1);
  else if (type === 'aes') validateOneOf(length, 'options.length', [128, 192, 256]);
  else throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  return Math.floor(length / 8);
}

function generateKey(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  binding.secret(lengthFor(type, options), (error, handle) => {
    if (error) callback(error);
    else callback(null, keyObjectOn('secret', handle));
  });
}

function generateKeySync(type, options) {
  return keyObjectOn('secret', binding.secret(lengthFor(type, options)));
}

// Asked for once, then a copy of the list.
let curves;
function getCurves() {
  return arraySlice.call((curves ??= arraySort.call(binding.curves())));
}

module.exports = { generateKey, generateKeyPair, generateKeyPairSync, generateKeySync, getCurves };
