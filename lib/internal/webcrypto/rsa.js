// natives: crypto_keygen, crypto_keys, crypto_sign
//
// RSA for crypto.subtle: both kinds of signatures, and encryption.

'use strict';

const keygen = native('crypto_keygen');
const keys = native('crypto_keys');
const signs = native('crypto_sign');
const { fromJwk, toJwk } = require('internal/crypto/jwk');
const { bigIntFrom } = require('internal/crypto/util');
const { makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const {
  attempt,
  checkJwk,
  checkNotEmpty,
  checkUsages,
  dataError,
  digestOf,
  failure,
  notSupported,
  operation,
  operationError,
} = require('internal/webcrypto/support');

const { kPublicEncrypt, kPrivateDecrypt, kPkcs1Padding, kOaepPadding, kPssPadding } = signs;
const isOaep = (name) => name === 'RSA-OAEP';
const publicUsages = (name) => (isOaep(name) ? ['encrypt', 'wrapKey'] : ['verify']);
const privateUsages = (name) => (isOaep(name) ? ['decrypt', 'unwrapKey'] : ['sign']);

function jwkName({ name, hash }) {
  const bits = stringReplace.call(hash.name, 'SHA-', '');
  if (stringStartsWith.call(hash.name, 'SHA3')) return undefined;
  if (isOaep(name)) return bits === '1' ? 'RSA-OAEP' : `RSA-OAEP-${bits}`;
  return `${name === 'RSA-PSS' ? 'PS' : 'RS'}${bits}`;
}

function described({ name, hash }, handle) {
  const { modulusLength, publicExponent } = handle.details();
  return { name, modulusLength, publicExponent: new Uint8Array(publicExponent), hash };
}

function checkGeneration({ modulusLength, publicExponent }) {
  if (modulusLength < 4) throw operationError('Invalid modulusLength');
  const exponent = bigIntFrom(publicExponent);
  if (exponent < 3n || exponent % 2n === 0n || exponent > 0x7fffffffn) throw operationError('Invalid publicExponent');
  return exponent;
}

function generateKey(algorithm, extractable, usages) {
  const { name, modulusLength } = algorithm;
  checkUsages(usages, [...each(publicUsages(name)), ...each(privateUsages(name))], name);
  const exponent = checkGeneration(algorithm);
  const forPrivate = arrayFilter.call(usages, (usage) => arrayIncludes.call(privateUsages(name), usage));
  checkNotEmpty(forPrivate);
  const start = (done) => keygen.pair('rsa', modulusLength, Number(exponent), undefined, undefined, undefined, undefined, done);
  return promiseThen(operation(start), (pair) => {
    const shape = described(algorithm, pair[0]);
    return {
      publicKey: makeKey(
        'public',
        pair[0],
        shape,
        true,
        arrayFilter.call(usages, (usage) => arrayIncludes.call(publicUsages(name), usage)),
      ),
      privateKey: makeKey('private', pair[1], shape, extractable, forPrivate),
    };
  });
}

function handleFrom(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const unreadable = (error) => dataError('Invalid keyData', error);
  switch (format) {
    case 'spki':
      checkUsages(usages, publicUsages(name), name);
      return ['public', attempt(() => keys.parse(false, data, 'der', 'spki'), unreadable)];
    case 'pkcs8':
      checkUsages(usages, privateUsages(name), name);
      return ['private', attempt(() => keys.parse(true, data, 'der', 'pkcs8'), unreadable)];
    case 'jwk': {
      const type = data?.d === undefined ? 'public' : 'private';
      checkUsages(usages, type === 'public' ? publicUsages(name) : privateUsages(name), name);
      checkJwk(data, 'RSA', isOaep(name) ? 'enc' : 'sig', extractable, usages);
      if (data.alg !== undefined && data.alg !== jwkName(algorithm)) throw dataError('JWK "alg" does not match the requested algorithm');
      if (data.oth !== undefined) throw notSupported('Keys with more than two primes are not supported');
      return [type, attempt(() => fromJwk(data, type === 'private'), unreadable)];
    }
    default:
      throw notSupported(`Unable to import ${name} using ${format} format`);
  }
}

function importKey(format, data, algorithm, extractable, usages) {
  const [type, handle] = each(handleFrom(format, data, algorithm, extractable, usages));
  if (handle.type() !== 'rsa') throw dataError('Invalid key type');
  if (type === 'private') checkNotEmpty(usages, 'importing a private key');
  return makeKey(type, handle, described(algorithm, handle), extractable, usages);
}

function exportKey(format, key) {
  const { type, handle, algorithm } = slotsOf(key);
  if (format === 'spki' && type === 'public') return handle.encode(true, 'der', 'spki');
  if (format === 'pkcs8' && type === 'private') return handle.encode(false, 'der', 'pkcs8');
  if (format !== 'jwk') return undefined;
  const alg = jwkName(algorithm);
  return { ...toJwk(handle, type === 'private'), ...(alg === undefined ? {} : { alg }) };
}

function manner(algorithm) {
  return algorithm.name === 'RSA-PSS' ? [kPssPadding, algorithm.saltLength, false] : [kPkcs1Padding, undefined, false];
}

function sign(algorithm, key, data) {
  const { type, handle, algorithm: own } = slotsOf(key);
  if (type !== 'private') throw failure('Key must be a private key', 'InvalidAccessError');
  return operation((done) => signs.once(true, handle, data, digestOf(own.hash), ...each(manner(algorithm)), undefined, done));
}

function verify(algorithm, key, signature, data) {
  const { type, handle, algorithm: own } = slotsOf(key);
  if (type !== 'public') throw failure('Key must be a public key', 'InvalidAccessError');
  return operation((done) => signs.once(false, handle, data, digestOf(own.hash), ...each(manner(algorithm)), signature, done));
}

function encrypt(algorithm, key, data) {
  const { type, handle, algorithm: own } = slotsOf(key);
  if (type !== 'public') throw failure('The requested operation is not valid for the provided key', 'InvalidAccessError');
  return operation((done) => signs.rsa(kPublicEncrypt, handle, data, kOaepPadding, digestOf(own.hash), algorithm.label, done));
}

function decrypt(algorithm, key, data) {
  const { type, handle, algorithm: own } = slotsOf(key);
  if (type !== 'private') throw failure('The requested operation is not valid for the provided key', 'InvalidAccessError');
  return operation((done) => signs.rsa(kPrivateDecrypt, handle, data, kOaepPadding, digestOf(own.hash), algorithm.label, done));
}

module.exports = { checkGeneration, decrypt, encrypt, exportKey, generateKey, importKey, sign, verify };
