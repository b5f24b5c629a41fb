// natives: crypto_dh, crypto_keygen, crypto_keys, crypto_sign
//
// Elliptic curves for crypto.subtle: ECDSA and ECDH on the curves of NIST, Ed25519, Ed448, X25519 and X448.

'use strict';

const dh = native('crypto_dh');
const keygen = native('crypto_keygen');
const keys = native('crypto_keys');
const signs = native('crypto_sign');
const { Buffer } = require('internal/buffer/buffer');
const { bigIntFrom } = require('internal/crypto/util');
const { fromJwk, toJwk } = require('internal/crypto/jwk');
const { makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const {
  attempt,
  checkJwk,
  checkNotEmpty,
  checkUsages,
  dataError,
  digestOf,
  failure,
  firstBits,
  notSupported,
  operation,
  operationError,
} = require('internal/webcrypto/support');

const curves = { __proto__: null, 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const jwkNames = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const isNist = (name) => stringStartsWith.call(name, 'EC');
const isSigning = (name) => name === 'ECDSA' || stringStartsWith.call(name, 'Ed');
const publicUsages = (name) => (isSigning(name) ? ['verify'] : []);
const privateUsages = (name) => (isSigning(name) ? ['sign'] : ['deriveKey', 'deriveBits']);
const described = ({ name, namedCurve }) => (isNist(name) ? { name, namedCurve } : { name });

function checkCurve(algorithm) {
  if (isNist(algorithm.name) && curves[algorithm.namedCurve] === undefined) throw notSupported('Unrecognized namedCurve');
}

function generateKey(algorithm, extractable, usages) {
  const { name } = algorithm;
  checkCurve(algorithm);
  checkUsages(usages, [...each(publicUsages(name)), ...each(privateUsages(name))], name);
  const forPrivate = arrayFilter.call(usages, (usage) => arrayIncludes.call(privateUsages(name), usage));
  checkNotEmpty(forPrivate);
  const start = (done) =>
    isNist(name)
      ? keygen.pair('ec', 0, 0, curves[algorithm.namedCurve], 'named', undefined, undefined, done)
      : keygen.pair(stringToLowerCase.call(name), 0, 0, undefined, undefined, undefined, undefined, done);
  return promiseThen(operation(start), (pair) => {
    const shape = described(algorithm);
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

function checkJwkName(data, { name, namedCurve }) {
  if (data.crv === undefined) throw dataError('Invalid keyData');
  if (data.crv !== (isNist(name) ? namedCurve : name)) {
    throw dataError(`JWK "crv" ${isNist(name) ? 'does not match the requested algorithm' : 'Parameter and algorithm name mismatch'}`);
  }
  if (data.alg === undefined || !isSigning(name)) return;
  const isGood = isNist(name) ? data.alg === jwkNames[namedCurve] : data.alg === name || data.alg === 'EdDSA';
  if (!isGood) throw dataError('JWK "alg" does not match the requested algorithm');
}

const unreadable = (error) => dataError('Invalid keyData', error);

function fromJson(data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const type = data?.d === undefined ? 'public' : 'private';
  checkUsages(usages, type === 'public' ? publicUsages(name) : privateUsages(name), name);
  checkJwk(data, isNist(name) ? 'EC' : 'OKP', isSigning(name) ? 'sig' : 'enc', extractable, usages);
  checkJwkName(data, algorithm);
  return [type, attempt(() => fromJwk(data, type === 'private'), unreadable)];
}

function handleFrom(format, data, algorithm, extractable, usages) {
  const { name, namedCurve } = algorithm;
  switch (format) {
    case 'spki':
      checkUsages(usages, publicUsages(name), name);
      return ['public', attempt(() => keys.parse(false, data, 'der', 'spki'), unreadable)];
    case 'pkcs8':
      checkUsages(usages, privateUsages(name), name);
      return ['private', attempt(() => keys.parse(true, data, 'der', 'pkcs8'), unreadable)];
    case 'jwk':
      return fromJson(data, algorithm, extractable, usages);
    case 'raw':
    case 'raw-public': {
      checkUsages(usages, publicUsages(name), name);
      const handle = keys.fromRaw(false, isNist(name) ? 'ec' : stringToLowerCase.call(name), data, namedCurve);
      if (handle === undefined) throw dataError('Invalid keyData');
      return ['public', handle];
    }
    default:
      throw notSupported(`Unable to import ${name} using ${format} format`);
  }
}

function importKey(format, data, algorithm, extractable, usages) {
  const { name, namedCurve } = algorithm;
  checkCurve(algorithm);
  const [type, handle] = each(handleFrom(format, data, algorithm, extractable, usages));
  if (handle.type() !== (isNist(name) ? 'ec' : stringToLowerCase.call(name))) throw dataError('Invalid key type');
  if (isNist(name) && handle.details().namedCurve !== curves[namedCurve]) throw dataError('Named curve mismatch');
  // A key that came with a short point is written with a long one.
  const isPrivate = type === 'private';
  const whole = isNist(name) ? keys.fromRaw(isPrivate, 'ec', handle.toRaw(isPrivate, false), namedCurve) : handle;
  // OpenSSL reads private keys that the curve does not have, and pairs that are none.
  if (whole === undefined || (isPrivate && !whole.equals(handle))) throw dataError('Invalid keyData');
  if (isPrivate) checkNotEmpty(usages, 'importing a private key');
  return makeKey(type, whole, described(algorithm), extractable, usages);
}

function exportKey(format, key) {
  const { type, handle, algorithm } = slotsOf(key);
  if (format === 'spki' && type === 'public') return handle.encode(true, 'der', 'spki');
  if (format === 'pkcs8' && type === 'private') return handle.encode(false, 'der', 'pkcs8');
  if ((format === 'raw' || format === 'raw-public') && type === 'public') return handle.toRaw(false, false);
  if (format !== 'jwk') return undefined;
  const jwk = toJwk(handle, type === 'private');
  return stringStartsWith.call(algorithm.name, 'Ed') ? { ...jwk, alg: algorithm.name } : jwk;
}

// Points that many keys would "sign" for: those whose order divides the cofactor. Of Ed25519 the Standard refuses them, and RFC 8032
// says the same of Ed448.
const primes = { Ed25519: 2n ** 255n - 19n, Ed448: 2n ** 448n - 2n ** 224n - 1n };
const kOrderEight = [
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
];
function isSmallOrder(name, point) {
  const prime = primes[name];
  // The last bit is the sign of x.
  const y = (bigIntFrom(bytesReverse.call(Buffer.from(point))) & ((1n << BigInt(point.length * 8 - 1)) - 1n)) % prime;
  return y === 0n || y === 1n || y === prime - 1n || (name === 'Ed25519' && arrayIncludes.call(kOrderEight, y));
}

function isRefused(name, handle, signature) {
  const key = handle.toRaw(false);
  // The program may have transferred it meanwhile.
  if (signature.byteLength === 0) return true;
  const view = ArrayBuffer.isView(signature)
    ? new Uint8Array(signature.buffer, signature.byteOffset, signature.byteLength)
    : new Uint8Array(signature);
  return isSmallOrder(name, key) || isSmallOrder(name, bytesSubarray.call(view, 0, key.length));
}

function checkSign({ context }) {
  if (context !== undefined && context.byteLength > 0) throw notSupported('Non zero-length Ed448 context is not supported');
}

function once(isSigner, algorithm, key, data, signature) {
  const { type, handle } = slotsOf(key);
  const wanted = isSigner ? 'private' : 'public';
  if (type !== wanted) throw failure(`Key must be a ${wanted} key`, 'InvalidAccessError');
  checkSign(algorithm);
  if (!isSigner && primes[algorithm.name] !== undefined && isRefused(algorithm.name, handle, signature)) return Promise.resolve(false);
  const digest = algorithm.hash === undefined ? undefined : digestOf(algorithm.hash);
  return operation((done) => signs.once(isSigner, handle, data, digest, undefined, undefined, digest !== undefined, signature, done));
}

async function deriveBits(algorithm, baseKey, length) {
  const own = slotsOf(baseKey),
    other = slotsOf(algorithm.public);
  if (own.type !== 'private') throw failure('baseKey must be a private key', 'InvalidAccessError');
  if (other.type !== 'public') throw failure('algorithm.public must be a public key', 'InvalidAccessError');
  if (other.algorithm.name !== own.algorithm.name) throw failure('key algorithm mismatch', 'InvalidAccessError');
  if (other.algorithm.namedCurve !== own.algorithm.namedCurve) throw failure('Named curve mismatch', 'InvalidAccessError');
  const bits = await operation((done) => dh.agree(own.handle, other.handle, done));
  if (length === null) return bits;
  if (bits.byteLength < Math.ceil(length / 8)) throw operationError('derived bit length is too small');
  return firstBits(bits, length);
}

module.exports = {
  checkGeneration: checkCurve,
  checkImport: checkCurve,
  checkSign,
  deriveBits,
  exportKey,
  generateKey,
  importKey,
  publicUsages,
  sign: (algorithm, key, data) => once(true, algorithm, key, data),
  verify: (algorithm, key, signature, data) => once(false, algorithm, key, data, signature),
};
