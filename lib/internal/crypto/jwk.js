// natives: crypto_keys
//
// Keys as JSON Web Keys, to and from: RSA, elliptic curves, Edwards and Montgomery curves, those of pqNames, and bytes.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('crypto_keys');
const { failure, pqNames } = require('internal/crypto/util');

const curveNames = { __proto__: null, prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521', secp256k1: 'secp256k1' };
const ecCurves = ['P-256', 'secp256k1', 'P-384', 'P-521'];
const octetPairs = { __proto__: null, ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' };
const rsaNames = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];

function texts(numbers) {
  for (const name of each(Object.keys(numbers))) numbers[name] = numbers[name].toString('base64url');
  return numbers;
}

function toJwk(handle, isPrivate) {
  const type = handle.type();
  if (type === 'rsa') return { kty: 'RSA', ...texts(handle.numbers()) };
  if (type === 'ec') {
    const { namedCurve } = handle.details();
    const crv = curveNames[namedCurve];
    if (crv === undefined) throw failure('ERR_CRYPTO_JWK_UNSUPPORTED_CURVE', `Unsupported JWK EC curve: ${namedCurve}.`);
    const { x, y, d } = texts(handle.numbers());
    return { kty: 'EC', x, y, crv, ...(d === undefined ? {} : { d }) };
  }
  if (pqNames[type] !== undefined) return pqToJwk(handle, pqNames[type], isPrivate);
  const crv = octetPairs[type];
  if (crv === undefined) throw failure('ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE');
  const made = { crv, x: handle.toRaw(false).toString('base64url'), kty: 'OKP' };
  if (isPrivate) return { crv, d: handle.toRaw(true).toString('base64url'), x: made.x, kty: 'OKP' };
  return made;
}

// The private part is the seed, where a kind of key has one.
function pqToJwk(handle, alg, isPrivate) {
  const made = { kty: 'AKP', alg, pub: handle.toRaw(false).toString('base64url') };
  if (!isPrivate) return made;
  const seed = handle.toRaw(true);
  if (seed === undefined) throw failure('ERR_CRYPTO_OPERATION_FAILED', 'key does not have an available seed');
  return { ...made, priv: seed.toString('base64url') };
}

const secretToJwk = (handle) => ({ kty: 'oct', k: handle.bytes().toString('base64url') });

const part = (jwk, name) => Buffer.from(jwk[name], 'base64url');

const invalid = (jwk) => failure('ERR_CRYPTO_INVALID_JWK', `Invalid JWK ${jwk.kty} key`);
const withoutPrivate = () => failure('ERR_CRYPTO_INVALID_JWK', 'JWK does not contain private key material');

// The members must be texts; the private one, of this name, may be missing.
function checkTexts(jwk, names, privateName) {
  const isGood = arrayEvery.call(names, (name) => typeof jwk[name] === 'string');
  const other = jwk[privateName];
  if (!isGood || (other !== undefined && typeof other !== 'string')) throw invalid(jwk);
}

// Of a private key the private half too must be good, even where only the public one is wanted.
function rsaFromJwk(jwk, wantsPrivate) {
  const names = jwk.d === undefined ? arraySlice.call(rsaNames, 0, 2) : rsaNames;
  checkTexts(jwk, names, 'd');
  if (wantsPrivate && jwk.d === undefined) throw withoutPrivate();
  const made = binding.rsa(...each(arrayMap.call(names, (name) => part(jwk, name))));
  if (made === undefined) throw invalid(jwk);
  return made;
}

function ecFromJwk(jwk, wantsPrivate) {
  if (typeof jwk.crv === 'string' && !arrayIncludes.call(ecCurves, jwk.crv)) throw failure('ERR_CRYPTO_INVALID_CURVE');
  checkTexts(jwk, ['crv', 'x', 'y'], 'd');
  const made = binding.ec(jwk.crv, part(jwk, 'x'), part(jwk, 'y'), jwk.d === undefined ? undefined : part(jwk, 'd'));
  if (made === undefined) throw invalid(jwk);
  if (wantsPrivate && jwk.d === undefined) throw withoutPrivate();
  return made;
}

// A private key and the public half that stands beside it; → the one that is wanted
function rawFromJwk(jwk, type, publicName, privateName, wantsPrivate) {
  const publicKey = binding.fromRaw(false, type, part(jwk, publicName));
  if (publicKey === undefined) throw invalid(jwk);
  if (jwk[privateName] === undefined) {
    if (wantsPrivate) throw withoutPrivate();
    return publicKey;
  }
  const made = binding.fromRaw(true, type, part(jwk, privateName));
  if (made === undefined || !made.toRaw(false).equals(publicKey.toRaw(false))) throw invalid(jwk);
  return made;
}

function octetPairFromJwk(jwk, wantsPrivate) {
  checkTexts(jwk, ['crv', 'x'], 'd');
  const type = stringToLowerCase.call(jwk.crv);
  if (octetPairs[type] !== jwk.crv) throw invalid(jwk);
  return rawFromJwk(jwk, type, 'x', 'd', wantsPrivate);
}

const pqTypes = new Map(arrayMap.call(Object.keys(pqNames), (type) => [pqNames[type], type]));
function pqFromJwk(jwk, wantsPrivate) {
  const type = pqTypes.get(jwk.alg);
  if (type === undefined) throw failure('ERR_CRYPTO_INVALID_JWK', 'Unsupported JWK AKP "alg"');
  checkTexts(jwk, ['pub'], 'priv');
  return rawFromJwk(jwk, type, 'pub', 'priv', wantsPrivate);
}

// → a native key; for wantsPrivate: false one whose public half is there.
function fromJwk(jwk, wantsPrivate) {
  switch (jwk.kty) {
    case 'RSA':
      return rsaFromJwk(jwk, wantsPrivate);
    case 'EC':
      return ecFromJwk(jwk, wantsPrivate);
    case 'OKP':
      return octetPairFromJwk(jwk, wantsPrivate);
    case 'AKP':
      return pqFromJwk(jwk, wantsPrivate);
    default:
      throw failure('ERR_CRYPTO_INVALID_JWK', typeof jwk.kty === 'string' ? `${jwk.kty} is not a supported JWK key type` : undefined);
  }
}

module.exports = { fromJwk, secretToJwk, toJwk };
