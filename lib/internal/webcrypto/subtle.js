// natives: crypto_hash
//
// crypto.subtle: arguments in, the algorithm's own file does the work, a promise out. Every method answers with a promise, also when
// it is called wrongly.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { codes } = require('internal/errors/coded');
const { arrayBufferOf } = require('internal/crypto/util');
const { isCryptoKey, kUsageOrder, makeKey, slotsOf } = require('internal/webcrypto/crypto_key');
const { bufferSource, cryptoKey, isKnown, long, normalize, text, typeFailure } = require('internal/webcrypto/algorithms');
const { checkUsages, dataError, digestNames, failure, notSupported, operation } = require('internal/webcrypto/support');

const kMake = Symbol('made here');
const kFormats = ['raw', 'pkcs8', 'spki', 'jwk', 'raw-secret', 'raw-public', 'raw-seed'];

function partFor(name) {
  if (stringStartsWith.call(name, 'RSA')) return require('internal/webcrypto/rsa');
  if (name === 'HMAC' || stringStartsWith.call(name, 'KMAC')) return require('internal/webcrypto/mac');
  if (stringStartsWith.call(name, 'AES') || stringStartsWith.call(name, 'ChaCha')) return require('internal/webcrypto/aes');
  if (name === 'HKDF' || name === 'PBKDF2' || stringStartsWith.call(name, 'Argon2')) return require('internal/webcrypto/derive');
  if (stringStartsWith.call(name, 'ML-')) return require('internal/webcrypto/ml_kem_ml_dsa');
  return require('internal/webcrypto/curves');
}

// --- arguments

const counted = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];
const place = (method, index) => `Failed to execute '${method}' on 'SubtleCrypto': ${counted[index]} argument`;

const converters = {
  algorithm(value, name) {
    if (typeof value !== 'object' && typeof value !== 'function') return text(value, name);
    return value === null ? 'null' : value;
  },
  bytes: bufferSource,
  key: cryptoKey,
  boolean: (value) => !!value,
  format(value, name) {
    const format = text(value, name);
    if (!arrayIncludes.call(kFormats, format))
      throw typeFailure(`${name} '${format}' is not a valid enum value of type KeyFormat.`, 'ERR_INVALID_ARG_VALUE');
    return format;
  },
  usages(value, name) {
    if (typeof value !== 'object' || value === null || typeof value[Symbol.iterator] !== 'function') {
      throw typeFailure(`${name} cannot be converted to sequence.`);
    }
    const usages = [];
    // the program's: a Web IDL sequence is read with its iterator
    for (const item of value) {
      const usage = text(item, name);
      if (!arrayIncludes.call(kUsageOrder, usage))
        throw typeFailure(`${name} '${usage}' is not a valid enum value of type KeyUsage.`, 'ERR_INVALID_ARG_VALUE');
      arrayPush.call(usages, usage);
    }
    return usages;
  },
  length: (value, name) => (value === null || value === undefined ? null : long(value, name)),
  any: (value) => value,
};

function keyData(format, value, name) {
  if (format !== 'jwk') return bufferSource(value, name);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    throw typeFailure(`${name} cannot be converted to a JsonWebKey.`);
  }
  return jwkFrom(value);
}

// The members of the JsonWebKey dictionary, each read once.
const jwkTexts = ['alg', 'crv', 'd', 'dp', 'dq', 'e', 'k', 'kty', 'n', 'p', 'q', 'qi', 'use', 'x', 'y', 'pub', 'priv'];
function jwkFrom(value) {
  const jwk = {};
  for (const name of each(jwkTexts)) if (value[name] !== undefined) jwk[name] = text(value[name], name);
  if (value.ext !== undefined) jwk.ext = !!value.ext;
  if (value.key_ops !== undefined) jwk.key_ops = Array.from(value.key_ops, (item) => text(item, 'key_ops'));
  if (value.oth !== undefined) jwk.oth = value.oth;
  return jwk;
}

function checkUse(key, usage, algorithm) {
  const slots = slotsOf(key);
  if (slots.algorithm.name !== algorithm.name) throw failure('Key algorithm mismatch', 'InvalidAccessError');
  if (arrayIncludes.call(slots.usages, usage)) return;
  throw failure(
    stringStartsWith.call(usage, 'derive') ? `baseKey does not have ${usage} usage` : `Unable to use this key to ${usage}`,
    'InvalidAccessError',
  );
}

// --- what the methods do

function digest(algorithm, data) {
  const wanted = normalize(algorithm, 'digest');
  const { name } = wanted;
  const hashes = native('crypto_hash');
  if (digestNames[name] !== undefined) return operation((done) => hashes.digestLater(digestNames[name], data, undefined, done));
  return require('internal/webcrypto/shake').digest(wanted, data);
}

function generateKey(algorithm, extractable, usages) {
  const wanted = normalize(algorithm, 'generateKey');
  return partFor(wanted.name).generateKey(wanted, extractable, usages);
}

function importSync(format, data, algorithm, extractable, usages) {
  const wanted = normalize(algorithm, 'importKey');
  return partFor(wanted.name).importKey(format, data, wanted, extractable, usages);
}

function exportSync(format, key) {
  const { algorithm, extractable, type, usages } = slotsOf(key);
  if (!isKnown(algorithm, 'exportKey')) throw notSupported(`${algorithm.name} key export is not supported`);
  if (!extractable) throw failure('key is not extractable', 'InvalidAccessError');
  const made = partFor(algorithm.name).exportKey(format, key);
  if (made === undefined) {
    if (type !== 'secret' && (format === 'spki' || format === 'pkcs8')) {
      throw failure(`Key must be a ${format === 'spki' ? 'public' : 'private'} key`, 'InvalidAccessError');
    }
    throw notSupported(`Unable to export ${algorithm.name} ${type} key using ${format} format`);
  }
  if (format !== 'jwk') return arrayBufferOf(made);
  const { alg, ...rest } = made;
  const isOwn = made.kty === 'AKP'; // its name is part of the key
  return { key_ops: arraySlice.call(usages), ext: extractable, ...(alg === undefined || isOwn ? {} : { alg }), ...(isOwn ? made : rest) };
}

function cipher(method, algorithm, key, data) {
  const wanted = normalize(algorithm, method);
  checkUse(key, method, wanted);
  return partFor(wanted.name)[method](wanted, key, data);
}

function sign(algorithm, key, data) {
  const wanted = normalize(algorithm, 'sign');
  checkUse(key, 'sign', wanted);
  return partFor(wanted.name).sign(wanted, key, data);
}

function verify(algorithm, key, signature, data) {
  const wanted = normalize(algorithm, 'verify');
  checkUse(key, 'verify', wanted);
  return partFor(wanted.name).verify(wanted, key, signature, data);
}

function deriveBits(algorithm, key, length) {
  const wanted = normalize(algorithm, 'deriveBits');
  checkUse(key, 'deriveBits', wanted);
  return partFor(wanted.name).deriveBits(wanted, key, length);
}

const lengthOf = (wanted) => partFor(wanted.name).lengthOf?.(wanted) ?? null;

async function deriveKey(algorithm, baseKey, derived, extractable, usages) {
  const wanted = normalize(algorithm, 'deriveBits');
  const target = normalize(derived, 'importKey');
  const measured = normalize(derived, 'get key length');
  checkUse(baseKey, 'deriveKey', wanted);
  const bits = await partFor(wanted.name).deriveBits(wanted, baseKey, lengthOf(measured));
  return partFor(target.name).importKey('raw-secret', bits, target, extractable, usages);
}

// Wrapping is a matter of its own for AES-KW, else it is encryption.
function wrapping(algorithm, method, otherwise) {
  if (isKnown(algorithm, method)) return [normalize(algorithm, method), otherwise];
  return [normalize(algorithm, otherwise), otherwise];
}

async function wrapKey(format, key, wrappingKey, algorithm) {
  const [wanted, method] = each(wrapping(algorithm, 'wrapKey', 'encrypt'));
  checkUse(wrappingKey, 'wrapKey', wanted);
  let bytes = exportSync(format, key);
  if (format === 'jwk') {
    let json = JSON.stringify(bytes);
    // AES-KW takes whole blocks only; JSON may have blanks at its end.
    if (wanted.name === 'AES-KW') json = stringPadEnd.call(json, Math.ceil(json.length / 8) * 8);
    bytes = Buffer.from(json);
  }
  return partFor(wanted.name)[method](wanted, wrappingKey, bytes);
}

async function unwrapKey(format, wrapped, unwrappingKey, algorithm, keyAlgorithm, extractable, usages) {
  const [wanted, method] = each(wrapping(algorithm, 'unwrapKey', 'decrypt'));
  const target = normalize(keyAlgorithm, 'importKey');
  checkUse(unwrappingKey, 'unwrapKey', wanted);
  let data = await partFor(wanted.name)[method](wanted, unwrappingKey, wrapped);
  if (format === 'jwk') {
    try {
      data = jwkFrom(JSON.parse(Buffer.from(data).toString()));
    } catch (error) {
      throw dataError('Invalid wrapped JWK key', error);
    }
  }
  return partFor(target.name).importKey(format, data, target, extractable, usages);
}

function getPublicKey(key, usages) {
  const { type, handle, algorithm } = slotsOf(key);
  if (type !== 'private') {
    throw failure('key must be a private key', type === 'secret' ? 'NotSupportedError' : 'InvalidAccessError');
  }
  const allowed = stringStartsWith.call(algorithm.name, 'ML-KEM')
    ? ['encapsulateKey', 'encapsulateBits']
    : ({ 'RSA-OAEP': ['encrypt', 'wrapKey'], ECDH: [], X25519: [], X448: [] }[algorithm.name] ?? ['verify']);
  checkUsages(usages, allowed, algorithm.name);
  return makeKey('public', handle.toPublic(), algorithm, true, usages);
}

// --- encapsulation

// operation: 'encapsulate' | 'decapsulate'; → the algorithm's own function of that name
function partToSeal(operation, what, wanted, key) {
  const slots = slotsOf(key);
  if (slots.algorithm.name !== wanted.name) throw failure('key algorithm mismatch', 'InvalidAccessError');
  if (!arrayIncludes.call(slots.usages, `${operation}${what}`)) {
    throw failure(`${stringSlice.call(operation, 0, -1)}ionKey does not have ${operation}${what} usage`, 'InvalidAccessError');
  }
  return partFor(wanted.name)[operation];
}

function encapsulateBits(algorithm, key) {
  return partToSeal('encapsulate', 'Bits', normalize(algorithm, 'encapsulate'), key)(key);
}

async function encapsulateKey(algorithm, key, sharedAlgorithm, extractable, usages) {
  const wanted = normalize(algorithm, 'encapsulate');
  const target = normalize(sharedAlgorithm, 'importKey');
  const { sharedKey, ciphertext } = await partToSeal('encapsulate', 'Key', wanted, key)(key);
  return { ciphertext, sharedKey: await partFor(target.name).importKey('raw-secret', sharedKey, target, extractable, usages) };
}

function decapsulateBits(algorithm, key, ciphertext) {
  return partToSeal('decapsulate', 'Bits', normalize(algorithm, 'decapsulate'), key)(key, ciphertext);
}

async function decapsulateKey(algorithm, key, ciphertext, sharedAlgorithm, extractable, usages) {
  const wanted = normalize(algorithm, 'decapsulate');
  const target = normalize(sharedAlgorithm, 'importKey');
  const bits = await partToSeal('decapsulate', 'Key', wanted, key)(key, ciphertext);
  return partFor(target.name).importKey('raw-secret', bits, target, extractable, usages);
}

// KeyObject.prototype.toCryptoKey
function cryptoKeyFrom(object, type, algorithm, extractable, usages) {
  const wanted = converters.algorithm(algorithm, 'algorithm');
  const list = converters.usages(usages, 'keyUsages');
  if (type === 'secret') return importSync('raw-secret', object.export(), wanted, !!extractable, list);
  const target = normalize(wanted, 'importKey');
  const { adopt } = partFor(target.name);
  if (adopt !== undefined) return adopt(require('internal/crypto/keys').handleOf(object), type, target, !!extractable, list);
  const format = type === 'public' ? 'spki' : 'pkcs8';
  return importSync(format, object.export({ format: 'der', type: format }), wanted, !!extractable, list);
}

// --- the class

class SubtleCrypto {
  constructor(token) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
    if (this !== SubtleCrypto) throw new codes.ERR_INVALID_THIS('SubtleCrypto constructor');
    if (arguments.length < 2) throw missing('supports', 2, arguments.length);
    return require('internal/webcrypto/supports').supports(
      text(operation, place('supports', 0)),
      converters.algorithm(algorithm, place('supports', 1)),
      lengthOrAdditionalAlgorithm,
    );
  }
}

function missing(method, wanted, given) {
  return typeFailure(
    `Failed to execute '${method}' on 'SubtleCrypto': ${wanted} argument${wanted === 1 ? '' : 's'} required, but only ${given} present.`,
    'ERR_MISSING_ARGS',
  );
}

// name → [kinds of its arguments, what it does, how many are required]
const methods = {
  encrypt: [['algorithm', 'key', 'bytes'], (algorithm, key, data) => cipher('encrypt', algorithm, key, data)],
  decrypt: [['algorithm', 'key', 'bytes'], (algorithm, key, data) => cipher('decrypt', algorithm, key, data)],
  sign: [['algorithm', 'key', 'bytes'], sign],
  verify: [['algorithm', 'key', 'bytes', 'bytes'], verify],
  digest: [['algorithm', 'bytes'], digest],
  generateKey: [['algorithm', 'boolean', 'usages'], generateKey],
  deriveKey: [['algorithm', 'key', 'algorithm', 'boolean', 'usages'], deriveKey],
  deriveBits: [['algorithm', 'key', 'length'], deriveBits, 2],
  importKey: [
    ['format', 'any', 'algorithm', 'boolean', 'usages'],
    (format, data, algorithm, extractable, usages) =>
      importSync(format, keyData(format, data, place('importKey', 1)), algorithm, extractable, usages),
  ],
  exportKey: [['format', 'key'], exportSync],
  wrapKey: [['format', 'key', 'key', 'algorithm'], wrapKey],
  unwrapKey: [['format', 'bytes', 'key', 'algorithm', 'algorithm', 'boolean', 'usages'], unwrapKey],
  getPublicKey: [['key', 'usages'], getPublicKey],
  encapsulateBits: [['algorithm', 'key'], encapsulateBits],
  encapsulateKey: [['algorithm', 'key', 'algorithm', 'boolean', 'usages'], encapsulateKey],
  decapsulateBits: [['algorithm', 'key', 'bytes'], decapsulateBits],
  decapsulateKey: [['algorithm', 'key', 'bytes', 'algorithm', 'boolean', 'usages'], decapsulateKey],
};

function invoke(self, method, args) {
  const [kinds, act, required = kinds.length] = each(methods[method]);
  if (self !== subtle) throw new codes.ERR_INVALID_THIS('SubtleCrypto');
  if (args.length < required) throw missing(method, required, args.length);
  return act(
    ...each(
      arrayMap.call(kinds, (kind, index) => {
        if (kind === 'key' && typeof args[index] === 'object' && args[index] !== null && !isCryptoKey(args[index])) slotsOf(args[index]);
        return converters[kind](args[index], place(method, index));
      }),
    ),
  );
}

for (const method of each(Object.keys(methods))) {
  const length = methods[method][2] ?? methods[method][0].length;
  const { [method]: made } = {
    [method](...args) {
      return new Promise((resolve, reject) => {
        try {
          resolve(invoke(this, method, args));
        } catch (error) {
          reject(error);
        }
      });
    },
  };
  Object.defineProperty(made, 'length', { configurable: true, value: length });
  Object.defineProperty(SubtleCrypto.prototype, method, { configurable: true, enumerable: true, writable: true, value: made });
}
Object.defineProperty(SubtleCrypto, 'supports', { enumerable: true });
Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { configurable: true, value: 'SubtleCrypto' });

const subtle = new SubtleCrypto(kMake);

module.exports = { SubtleCrypto, converters, cryptoKeyFrom, lengthOf, partFor, subtle };
