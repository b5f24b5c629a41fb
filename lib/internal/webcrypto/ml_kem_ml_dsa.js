// natives: crypto_dh, crypto_keygen, crypto_keys, crypto_sign
//
// Lattices for crypto.subtle: ML-DSA signs, ML-KEM sends a secret under a public key. A private key stands and falls with its seed.

'use strict';

const dh = native('crypto_dh');
const keygen = native('crypto_keygen');
const keys = native('crypto_keys');
const signs = native('crypto_sign');
const { fromJwk, toJwk } = require('internal/crypto/jwk');
const { arrayBufferOf } = require('internal/crypto/util');
const { makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const {
  attempt,
  checkJwk,
  checkNotEmpty,
  checkUsages,
  dataError,
  failure,
  notSupported,
  operation,
  operationError,
} = require('internal/webcrypto/support');

const isSigning = (name) => stringStartsWith.call(name, 'ML-DSA');
const publicUsages = (name) => (isSigning(name) ? ['verify'] : ['encapsulateKey', 'encapsulateBits']);
const privateUsages = (name) => (isSigning(name) ? ['sign'] : ['decapsulateKey', 'decapsulateBits']);
const unreadable = (error) => dataError('Invalid keyData', error);

function generateKey({ name }, extractable, usages) {
  checkUsages(usages, [...each(publicUsages(name)), ...each(privateUsages(name))], name);
  const forPrivate = arrayFilter.call(usages, (usage) => arrayIncludes.call(privateUsages(name), usage));
  checkNotEmpty(forPrivate);
  const start = (done) => keygen.pair(stringToLowerCase.call(name), 0, 0, undefined, undefined, undefined, undefined, done);
  return promiseThen(operation(start), (pair) => ({
    publicKey: makeKey(
      'public',
      pair[0],
      { name },
      true,
      arrayFilter.call(usages, (usage) => arrayIncludes.call(publicUsages(name), usage)),
    ),
    privateKey: makeKey('private', pair[1], { name }, extractable, forPrivate),
  }));
}

function checkHalf(type, usages, name) {
  checkUsages(usages, type === 'public' ? publicUsages(name) : privateUsages(name), name);
}

function fromJson(data, { name }, extractable, usages) {
  checkJwk(data, 'AKP', isSigning(name) ? 'sig' : 'enc', extractable, usages);
  if (data.alg === undefined || data.pub === undefined) throw dataError('Invalid keyData');
  if (data.alg !== name) throw dataError('JWK "alg" Parameter and algorithm name mismatch');
  const type = data.priv === undefined ? 'public' : 'private';
  checkHalf(type, usages, name);
  return [type, attempt(() => fromJwk(data, type === 'private'), unreadable)];
}

function fromRaw(type, data, { name }, usages) {
  checkHalf(type, usages, name);
  const handle = keys.fromRaw(type === 'private', stringToLowerCase.call(name), data);
  if (handle === undefined) throw dataError('Invalid keyData');
  return [type, handle];
}

function fromDer(type, data, { name }, usages) {
  checkHalf(type, usages, name);
  const isPrivate = type === 'private';
  const handle = attempt(() => keys.parse(isPrivate, data, 'der', isPrivate ? 'pkcs8' : 'spki'), unreadable);
  if (isPrivate && handle.type() === stringToLowerCase.call(name) && handle.toRaw(true) === undefined) {
    throw notSupported(`Importing an ${stringSlice.call(name, 0, 6)} PKCS#8 key without a seed is not supported`);
  }
  return [type, handle];
}

function handleFrom(format, data, algorithm, extractable, usages) {
  switch (format) {
    case 'spki':
      return fromDer('public', data, algorithm, usages);
    case 'pkcs8':
      return fromDer('private', data, algorithm, usages);
    case 'raw-public':
      return fromRaw('public', data, algorithm, usages);
    case 'raw-seed':
      return fromRaw('private', data, algorithm, usages);
    case 'jwk':
      return fromJson(data, algorithm, extractable, usages);
    default:
      throw notSupported(`Unable to import ${algorithm.name} using ${format} format`);
  }
}

function made(type, handle, { name }, extractable, usages) {
  if (handle.type() !== stringToLowerCase.call(name)) throw dataError('Invalid key type');
  if (type === 'private') checkNotEmpty(usages, 'importing a private key');
  return makeKey(type, handle, { name }, extractable, usages);
}

function importKey(format, data, algorithm, extractable, usages) {
  const [type, handle] = each(handleFrom(format, data, algorithm, extractable, usages));
  return made(type, handle, algorithm, extractable, usages);
}

// A KeyObject becomes a CryptoKey even without a seed.
function adopt(handle, type, algorithm, extractable, usages) {
  checkHalf(type, usages, algorithm.name);
  return made(type, handle, algorithm, extractable, usages);
}

function seedOf(handle) {
  const seed = handle.toRaw(true);
  if (seed === undefined) throw operationError();
  return seed;
}

function exportKey(format, key) {
  const { type, handle } = slotsOf(key);
  if (format === 'jwk')
    return attempt(
      () => toJwk(handle, type === 'private'),
      (error) => operationError(undefined, error),
    );
  if (type === 'public') {
    if (format === 'raw-public') return handle.toRaw(false);
    return format === 'spki' ? handle.encode(true, 'der', 'spki') : undefined;
  }
  if (format === 'raw-seed') return seedOf(handle);
  if (format !== 'pkcs8') return undefined;
  seedOf(handle);
  return handle.encode(false, 'der', 'pkcs8');
}

function checkSign({ context }) {
  if (!(context?.byteLength > 255)) return;
  const cause = Object.assign(new RangeError('context string must be at most 255 bytes'), { code: 'ERR_OUT_OF_RANGE' });
  throw operationError('ContextParams.context must be at most 255 bytes', cause);
}

function once(isSigner, algorithm, key, data, signature) {
  checkSign(algorithm);
  const { type, handle } = slotsOf(key);
  const wanted = isSigner ? 'private' : 'public';
  if (type !== wanted) throw failure(`Key must be a ${wanted} key`, 'InvalidAccessError');
  return operation((done) =>
    signs.once(isSigner, handle, data, undefined, undefined, undefined, false, signature, done, algorithm.context),
  );
}

function encapsulate(key) {
  const { type, handle } = slotsOf(key);
  if (type !== 'public') throw failure('Key must be a public key', 'InvalidAccessError');
  return promiseThen(
    operation((done) => dh.encapsulate(handle, done)),
    (pair) => ({ sharedKey: arrayBufferOf(pair[0]), ciphertext: arrayBufferOf(pair[1]) }),
  );
}

function decapsulate(key, ciphertext) {
  const { type, handle } = slotsOf(key);
  if (type !== 'private') throw failure('Key must be a private key', 'InvalidAccessError');
  return operation((done) => dh.decapsulate(handle, ciphertext, done));
}

module.exports = {
  adopt,
  checkSign,
  decapsulate,
  encapsulate,
  exportKey,
  generateKey,
  importKey,
  sign: (algorithm, key, data) => once(true, algorithm, key, data),
  verify: (algorithm, key, signature, data) => once(false, algorithm, key, data, signature),
};
