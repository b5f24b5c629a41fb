// natives: crypto_keys
//
// Keys as JSON Web Keys, to and from: RSA, elliptic curves, Edwards and Montgomery curves, and bytes.

'use strict';

const { Buffer } = require('buffer');
const binding = native('crypto_keys');
const { codes } = require('internal/errors/coded');
const { failure } = require('internal/crypto/util');
const { validateOneOf, validateString } = require('internal/util/validators');

const curveNames = { __proto__: null, prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521', secp256k1: 'secp256k1' };
const octetPairs = { __proto__: null, ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' };
const rsaNames = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];

function texts(numbers) {
  for (const name of each(Object.keys(numbers))) numbers[name] = numbers[name].toString('base64url');
  return numbers;
}

function toJwk(handle, isPrivate) {
  const type = binding.type(handle);
  if (type === 'rsa') return { kty: 'RSA', ...texts(binding.numbers(handle)) };
  if (type === 'ec') {
    const { namedCurve } = binding.details(handle);
    const crv = curveNames[namedCurve];
    if (crv === undefined) throw failure('ERR_CRYPTO_JWK_UNSUPPORTED_CURVE', `Unsupported JWK EC curve: ${namedCurve}.`);
    const { x, y, d } = texts(binding.numbers(handle));
    return { kty: 'EC', x, y, crv, ...(d === undefined ? {} : { d }) };
  }
  const crv = octetPairs[type];
  if (crv === undefined) throw failure('ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE');
  const made = { crv, x: binding.toRaw(handle, false).toString('base64url'), kty: 'OKP' };
  if (isPrivate) return { crv, d: binding.toRaw(handle, true).toString('base64url'), x: made.x, kty: 'OKP' };
  return made;
}

const secretToJwk = (handle) => ({ kty: 'oct', k: binding.bytes(handle).toString('base64url') });

const part = (jwk, name, prefix) => {
  validateString(jwk[name], `${prefix}.${name}`);
  return Buffer.from(jwk[name], 'base64url');
};

function rsaFromJwk(jwk, wantsPrivate, prefix) {
  const isPrivate = jwk.d !== undefined;
  if (wantsPrivate && !isPrivate) throw failure('ERR_CRYPTO_INVALID_JWK', 'JWK does not contain private key material');
  const names = isPrivate && wantsPrivate ? rsaNames : rsaNames.slice(0, 2);
  const numbers = names.map((name) => {
    if (typeof jwk[name] !== 'string') throw failure('ERR_CRYPTO_INVALID_JWK', 'Invalid JWK RSA key');
    return part(jwk, name, prefix);
  });
  const made = binding.rsa(...each(numbers));
  if (made === undefined) throw failure('ERR_CRYPTO_INVALID_JWK', 'Invalid JWK RSA key');
  return made;
}

function ecFromJwk(jwk, wantsPrivate, prefix) {
  validateOneOf(jwk.crv, `${prefix}.crv`, ['P-256', 'secp256k1', 'P-384', 'P-521']);
  if (wantsPrivate) validateString(jwk.d, `${prefix}.d`);
  const made = binding.ec(
    jwk.crv, part(jwk, 'x', prefix), part(jwk, 'y', prefix), wantsPrivate ? part(jwk, 'd', prefix) : undefined);
  if (made === undefined) throw failure('ERR_CRYPTO_INVALID_JWK', 'Invalid JWK EC key');
  return made;
}

function octetPairFromJwk(jwk, wantsPrivate, prefix) {
  validateOneOf(jwk.crv, `${prefix}.crv`, ['Ed25519', 'Ed448', 'X25519', 'X448']);
  validateString(jwk.x, `${prefix}.x`);
  if (wantsPrivate) validateString(jwk.d, `${prefix}.d`);
  const made = binding.fromRaw(wantsPrivate, jwk.crv.toLowerCase(), part(jwk, wantsPrivate ? 'd' : 'x', prefix));
  if (made === undefined) throw failure('ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data');
  return made;
}

// → a native key. wantsPrivate: false gives the public half, whatever stands in the JWK.
function fromJwk(jwk, wantsPrivate, prefix = 'key') {
  switch (jwk.kty) {
    case 'RSA': return rsaFromJwk(jwk, wantsPrivate, prefix);
    case 'EC': return ecFromJwk(jwk, wantsPrivate, prefix);
    case 'OKP': return octetPairFromJwk(jwk, wantsPrivate, prefix);
    default: {
      const kinds = ['RSA', 'EC', 'OKP'];
      throw new codes.ERR_INVALID_ARG_VALUE(
        `${prefix}.kty`, jwk.kty, `must be one of: ${kinds.map((kind) => `'${kind}'`).join(', ')}`);
    }
  }
}

module.exports = { fromJwk, secretToJwk, toJwk };
