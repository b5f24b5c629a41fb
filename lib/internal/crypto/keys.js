// natives: crypto_keygen, crypto_keys
//
// KeyObject of node:crypto, and how every other function of it reads a key that a program gives: as an object, PEM, DER, JWK or raw
// bytes. A key itself is a native object (src/modules/crypto/keys.h) and never changes.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('crypto_keys');
const { codes } = require('internal/errors/coded');
const { kClone } = require('internal/symbols/messaging');
const { bigIntFrom, bytesFrom, failure, isBytes, kByteTypes, pqNames } = require('internal/crypto/util');
const brands = require('internal/util/key_brands');
const { encodingFrom, isText } = require('internal/crypto/key_options');
const { fromJwk, secretToJwk, toJwk } = require('internal/crypto/jwk');
const { hrefOf } = require('internal/url/url_class');
const { validateObject, validateOneOf, validateString } = require('internal/util/validators');

const kInternal = Symbol('made here');
// Set by the class, which alone can read its fields.
let isKeyObject;
let handleOf;
let typeOf;
let kind;
let cached;

class KeyObject {
  #type;
  #handle;
  #keyType;
  #details;

  constructor(type, handle, token) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('type', type);
    if (token !== kInternal) throw new codes.ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    this.#type = type;
    this.#handle = handle;
    require('internal/messaging/structured_clone').markTransferMode(this, true, false);
  }

  get type() {
    if (!isKeyObject(this)) throw new codes.ERR_INVALID_THIS('KeyObject');
    return this.#type;
  }

  static from(key) {
    const { isCryptoKey, slotsOf } = requireLater('internal/webcrypto/crypto_key');
    if (!isCryptoKey(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    const { type, extractable, handle } = slotsOf(key);
    if (!extractable) warn('DEP0204', 'Passing a non-extractable CryptoKey to KeyObject.from() is deprecated.');
    return keyObjectOn(type, handle);
  }

  equals(other) {
    if (!isKeyObject(other)) throw new codes.ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', other);
    if (!isKeyObject(this)) throw new codes.ERR_INVALID_THIS('KeyObject');
    return this.#type === other.#type && this.#handle.equals(other.#handle);
  }

  static {
    isKeyObject = (value) => typeof value === 'object' && value !== null && #handle in value;
    handleOf = (key) => key.#handle;
    typeOf = (key) => key.#type;
    kind = (key, name, wanted) => {
      if (!isKeyObject(key) || (key.#type === 'secret') !== (wanted === 'secret')) throw new codes.ERR_INVALID_THIS(name);
      return key.#handle;
    };
    cached = {
      keyType: (key) => (key.#keyType ??= key.#handle.type()),
      details: (key) => {
        if (key.#details !== undefined) return key.#details;
        const details = key.#handle.details();
        const has = Object.hasOwn(details, 'publicExponent');
        return (key.#details = has ? { ...details, publicExponent: bigIntFrom(details.publicExponent) } : details);
      },
    };
  }
}
Object.defineProperty(KeyObject.prototype, Symbol.toStringTag, { configurable: true, value: 'KeyObject' });

// Another thread makes the same key anew, out of its standard encoding.
Object.defineProperty(KeyObject.prototype, kClone, {
  configurable: true,
  writable: true,
  value() {
    return { data: dataOf(typeOf(this), handleOf(this)), deserializeInfo: 'internal/crypto/keys:revived' };
  },
});

function dataOf(type, handle) {
  if (type === 'secret') return { type, bytes: handle.bytes() };
  const isPublic = type === 'public';
  return { type, bytes: handle.encode(isPublic, 'der', isPublic ? 'spki' : 'pkcs8') };
}

function handleFrom({ type, bytes }) {
  if (type === 'secret') return binding.secret(bytes);
  return binding.parse(type === 'private', bytes, 'der', type === 'private' ? 'pkcs8' : 'spki');
}

function revived(data) {
  return keyObjectOn(data.type, handleFrom(data));
}

class SecretKeyObject extends KeyObject {
  constructor(handle) {
    super('secret', handle, kInternal);
  }

  get symmetricKeySize() {
    return kind(this, 'SecretKeyObject', 'secret').bytes().byteLength;
  }

  export(options) {
    const handle = kind(this, 'SecretKeyObject', 'secret');
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') return secretToJwk(handle);
    }
    return handle.bytes();
  }

  toCryptoKey(algorithm, extractable, usages) {
    return requireLater('internal/webcrypto/subtle').cryptoKeyFrom(this, 'secret', algorithm, extractable, usages);
  }
}

class AsymmetricKeyObject extends KeyObject {
  constructor(type, handle) {
    super(type, handle, kInternal);
  }

  get asymmetricKeyType() {
    kind(this, 'AsymmetricKeyObject', 'asymmetric');
    return cached.keyType(this);
  }

  get asymmetricKeyDetails() {
    kind(this, 'AsymmetricKeyObject', 'asymmetric');
    return { ...cached.details(this) };
  }

  toCryptoKey(algorithm, extractable, usages) {
    return requireLater('internal/webcrypto/subtle').cryptoKeyFrom(this, typeOf(this), algorithm, extractable, usages);
  }
}

const rawTypes = new Set(['ec', 'ed25519', 'ed448', 'x25519', 'x448']);
// ML-KEM and ML-DSA keys are made of a seed.
const hasSeed = (type) => pqNames[type] !== undefined && stringStartsWith.call(type, 'ml-');
function rawOf(key, isPrivate, isCompressed) {
  const type = cached.keyType(key);
  if (!rawTypes.has(type) && (pqNames[type] === undefined || (isPrivate && hasSeed(type))))
    throw failure('ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS');
  return handleOf(key).toRaw(isPrivate, isCompressed);
}

function seedOf(key) {
  if (!hasSeed(cached.keyType(key))) throw failure('ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS');
  const seed = handleOf(key).toRaw(true);
  if (seed === undefined) throw failure('ERR_CRYPTO_OPERATION_FAILED', 'Failed to get raw seed');
  return seed;
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('public', handle);
  }

  export(options) {
    const handle = kind(this, 'PublicKeyObject', 'asymmetric');
    const keyType = cached.keyType(this);
    if (options?.format === 'jwk') return toJwk(handle, false);
    if (options?.format === 'raw-public') {
      const { type = 'uncompressed' } = options;
      if (keyType === 'ec') validateOneOf(type, 'options.type', ['compressed', 'uncompressed']);
      return rawOf(this, false, type === 'compressed');
    }
    const { format, type } = encodingFrom(options, keyType, true);
    return handle.encode(true, format, type);
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('private', handle);
  }

  export(options) {
    const handle = kind(this, 'PrivateKeyObject', 'asymmetric');
    if (options?.passphrase !== undefined && options.format !== 'pem' && options.format !== 'der') {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(options.format, 'does not support encryption');
    }
    if (options?.format === 'jwk') return toJwk(handle, true);
    if (options?.format === 'raw-private') return rawOf(this, true);
    if (options?.format === 'raw-seed') return seedOf(this);
    const { format, type, cipher, passphrase } = encodingFrom(options, cached.keyType(this), false);
    return handle.encode(false, format, type, cipher, passphrase);
  }
}

function keyObjectOn(type, handle) {
  if (type === 'secret') return new SecretKeyObject(handle);
  return type === 'public' ? new PublicKeyObject(handle) : new PrivateKeyObject(handle);
}

// --- reading keys

// Of the uses below: objects are keys already, and a URL names a private key.
const kindsFor = (use) => [
  ...each(kByteTypes),
  'string',
  ...each(use === 'create private' ? [] : ['KeyObject', 'CryptoKey']),
  ...each(use === 'private' || use === 'create private' ? ['URL'] : []),
];

// 'create private' | 'create public' | 'private' | 'public'
function checkObject(key, type, use) {
  if (use === 'create private') throw new codes.ERR_INVALID_ARG_TYPE('key', kindsFor(use), key);
  if (type === 'private') return;
  if (use !== 'public') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private');
  if (type !== 'public') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private or public');
}

function rawKey(key, isPrivate, name) {
  const { key: data, format, asymmetricKeyType, namedCurve } = key;
  if (isPrivate && format === 'raw-public') throw new codes.ERR_INVALID_ARG_VALUE(`${name}.format`, format);
  if (!isBytes(data)) throw new codes.ERR_INVALID_ARG_TYPE(`${name}.key`, kByteTypes, data);
  validateString(asymmetricKeyType, `${name}.asymmetricKeyType`);
  if (asymmetricKeyType === 'ec') validateString(namedCurve, `${name}.namedCurve`);
  if (arrayIncludes.call(['rsa', 'rsa-pss', 'dsa', 'dh'], asymmetricKeyType)) throw failure('ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS');
  if (pqNames[asymmetricKeyType] === undefined && !rawTypes.has(asymmetricKeyType)) {
    throw failure('ERR_INVALID_ARG_VALUE', `Invalid asymmetricKeyType: ${asymmetricKeyType}`);
  }
  if (format === (hasSeed(asymmetricKeyType) ? 'raw-private' : 'raw-seed')) throw failure('ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS');
  if (asymmetricKeyType === 'ec' && !native('crypto_keygen').isCurve(namedCurve)) throw failure('ERR_CRYPTO_INVALID_CURVE');
  const made = binding.fromRaw(format !== 'raw-public', asymmetricKeyType, data, namedCurve);
  if (made === undefined) throw failure('ERR_INVALID_ARG_VALUE', 'Invalid key data');
  return made;
}

const warned = new Set();
function warn(code, message) {
  if (warned.has(code)) return;
  warned.add(code);
  process.emitWarning(message, 'DeprecationWarning', code);
}

// The slots of a CryptoKey, which node:crypto still takes; undefined when it is none.
function slotsOfCryptoKey(value) {
  if (typeof value !== 'object' || value === null) return undefined;
  const { isCryptoKey, slotsOf } = requireLater('internal/webcrypto/crypto_key');
  if (!isCryptoKey(value)) return undefined;
  warn('DEP0203', 'Passing a CryptoKey to node:crypto functions is deprecated.');
  return slotsOf(value);
}

function handleOfObject(value, use) {
  if (isKeyObject(value)) {
    checkObject(value, typeOf(value), use);
    return handleOf(value);
  }
  const slots = isText(value) ? undefined : slotsOfCryptoKey(value);
  if (slots === undefined) return undefined;
  checkObject(value, slots.type, use);
  return slots.handle;
}

// A C string ends at its first zero.
function checkZeros(text, name, value, kind) {
  if (stringIncludes.call(text, '\0')) throw new codes.ERR_INVALID_ARG_VALUE(name, value, `must be a ${kind} without null bytes`);
}

// The private key that one of OpenSSL's loaders finds under a URL.
function storedKey(url, { passphrase, encoding, properties }, name) {
  const href = hrefOf(url);
  const uri = stringStartsWith.call(href, 'file:') ? require('internal/url/url').fileURLToPath(href) : href;
  checkZeros(uri, name, url, 'URL');
  if (passphrase !== undefined && !isText(passphrase)) throw new codes.ERR_INVALID_ARG_VALUE(`${name}.passphrase`, passphrase);
  if (properties !== undefined) {
    validateString(properties, `${name}.properties`);
    checkZeros(properties, `${name}.properties`, properties, 'string');
  }
  const secret = passphrase === undefined ? undefined : bytesFrom(passphrase, `${name}.passphrase`, encoding);
  return binding.stored(uri, properties ?? '', secret);
}

// → a native key: the private one, or, for public uses, one whose public half is there
function asymmetricFrom(key, use, name = 'key') {
  const wantsPrivate = use === 'private' || use === 'create private';
  const whole = handleOfObject(key, use);
  if (whole !== undefined) return whole;
  if (wantsPrivate && hrefOf(key) !== undefined) return storedKey(key, {}, name);
  if (isText(key)) return binding.parse(wantsPrivate, bytesFrom(key, name), 'pem');
  if (typeof key !== 'object' || key === null) throw new codes.ERR_INVALID_ARG_TYPE(name, kindsFor(use), key);
  const { key: data, encoding, format } = key;
  const inner = handleOfObject(data, use);
  if (inner !== undefined) return inner;
  if (wantsPrivate && hrefOf(data) !== undefined) return storedKey(data, key, name);
  if (format === 'jwk') {
    validateObject(data, `${name}.key`);
    return fromJwk(data, wantsPrivate);
  }
  if (format === 'raw-public' || format === 'raw-private' || format === 'raw-seed') return rawKey(key, wantsPrivate, name);
  if (!isText(data)) throw new codes.ERR_INVALID_ARG_TYPE(`${name}.key`, kindsFor(use), data);
  const bytes = bytesFrom(data, `${name}.key`, encoding);
  const how = encodingFrom(key, undefined, wantsPrivate ? false : undefined, name);
  return binding.parse(wantsPrivate, bytes, how.format, how.type, how.passphrase);
}

const privateFrom = (key, name) => asymmetricFrom(key, 'private', name);
const publicFrom = (key, name) => asymmetricFrom(key, 'public', name);

// → bytes, or a native key; natives take both
function secretFrom(key, name = 'key', encoding) {
  if (isKeyObject(key)) {
    if (typeOf(key) !== 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(typeOf(key), 'secret');
    return handleOf(key);
  }
  if (typeof key === 'string') return Buffer.from(key, encoding === 'buffer' ? 'utf8' : encoding);
  if (isBytes(key)) return key;
  const slots = slotsOfCryptoKey(key);
  if (slots === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, [...each(kByteTypes), 'string', 'KeyObject', 'CryptoKey'], key);
  if (slots.type !== 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(slots.type, 'secret');
  return slots.handle;
}

function createSecretKey(key, encoding) {
  if (typeof key !== 'string' && !isBytes(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', kByteTypes, key);
  return new SecretKeyObject(binding.secret(bytesFrom(key, 'key', encoding)));
}

function createPublicKey(key) {
  return new PublicKeyObject(asymmetricFrom(key, 'create public').toPublic());
}

function createPrivateKey(key) {
  return new PrivateKeyObject(asymmetricFrom(key, 'create private'));
}

brands.isKeyObject = (value) => isKeyObject(value);
brands.areEqualKeys = (a, b) => typeOf(a) === typeOf(b) && handleOf(a).equals(handleOf(b));

module.exports = {
  KeyObject,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  dataOf,
  handleFrom,
  handleOf: (key) => handleOf(key),
  isKeyObject: (value) => isKeyObject(value),
  keyObjectOn,
  privateFrom,
  publicFrom,
  revived,
  secretFrom,
  typeOf: (key) => typeOf(key),
};
