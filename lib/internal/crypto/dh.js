// natives: crypto_dh
//
// DiffieHellman, DiffieHellmanGroup, ECDH and diffieHellman of node:crypto.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('crypto_dh');
const { codes } = require('internal/errors/coded');
const { bytesFrom, encoded, failure, isBytes } = require('internal/crypto/util');
const { privateFrom, publicFrom } = require('internal/crypto/keys');
const { deprecate } = require('internal/util/helpers');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/util/validators');

const kDh = Symbol('native agreement');
const kDefaultGenerator = 2;
const kNumberTypes = ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function generatorFrom(generator, encoding) {
  if (!generator) return kDefaultGenerator;
  if (typeof generator === 'number') {
    validateInt32(generator, 'generator');
    return generator;
  }
  if (typeof generator === 'string') return bytesFrom(generator, 'generator', encoding);
  if (!isBytes(generator)) throw new codes.ERR_INVALID_ARG_TYPE('generator', kNumberTypes, generator);
  return generator;
}

function numberBytes(value) {
  if (typeof value !== 'number') return value;
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value, 0);
  return value < 0 ? Buffer.from([0]) : bytes;
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && !isBytes(sizeOrKey)) {
    throw new codes.ERR_INVALID_ARG_TYPE('sizeOrKey', kNumberTypes, sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') validateInt32(sizeOrKey, 'sizeOrKey');
  if (keyEncoding && !Buffer.isEncoding(keyEncoding) && keyEncoding !== 'buffer') {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = undefined;
  }
  const prime = typeof sizeOrKey === 'number' ? sizeOrKey : bytesFrom(sizeOrKey, 'sizeOrKey', keyEncoding || undefined);
  const base = generatorFrom(generator, genEncoding);
  if (typeof prime === 'number' && typeof base !== 'number') {
    this[kDh] = binding.dhGenerated(prime, Buffer.from(base).readUIntBE(0, Math.min(6, base.byteLength)));
  } else {
    this[kDh] = typeof prime === 'number' ? binding.dhGenerated(prime, base) : binding.dhFrom(prime, numberBytes(base));
  }
  defineVerifyError(this);
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  validateString(name, 'name');
  const prime = binding.groupPrime(name);
  if (prime === undefined) throw failure('ERR_CRYPTO_UNKNOWN_DH_GROUP');
  this[kDh] = binding.dhFrom(prime, Buffer.from([kDefaultGenerator]));
  defineVerifyError(this);
}

// Checking a prime takes long, and few ask.
function defineVerifyError(dh) {
  let value;
  Object.defineProperty(dh, 'verifyError', {
    configurable: false,
    enumerable: true,
    get: () => (value ??= dh[kDh].check()),
  });
}

const methods = {
  generateKeys(encoding) {
    return encoded(this[kDh].generate(), encoding);
  },
  computeSecret(key, inEncoding, outEncoding) {
    return encoded(this[kDh].secret(bytesFrom(key, 'otherPublicKey', inEncoding)), outEncoding);
  },
  getPrime(encoding) {
    return encoded(this[kDh].number('p'), encoding);
  },
  getGenerator(encoding) {
    return encoded(this[kDh].number('g'), encoding);
  },
  getPublicKey(encoding) {
    return numberOf(this, 'public', encoding);
  },
  getPrivateKey(encoding) {
    return numberOf(this, 'private', encoding);
  },
};

function numberOf(dh, half, encoding) {
  const found = dh[kDh].number(half);
  if (found === undefined) {
    throw Object.assign(new Error(`No ${half} key - did you forget to generate one?`), { code: 'ERR_CRYPTO_INVALID_STATE' });
  }
  return encoded(found, encoding);
}

for (const name of each(Object.keys(methods))) {
  DiffieHellman.prototype[name] = methods[name];
  DiffieHellmanGroup.prototype[name] = methods[name];
}
DiffieHellman.prototype.setPublicKey = function setPublicKey(key, encoding) {
  this[kDh].set(false, bytesFrom(key, 'key', encoding));
  return this;
};
DiffieHellman.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  this[kDh].set(true, bytesFrom(key, 'key', encoding));
  return this;
};

// --- elliptic curves

const forms = { __proto__: null, compressed: 2, hybrid: 6, uncompressed: 4 };

function formFrom(format) {
  if (!format) return forms.uncompressed;
  if (forms[format] === undefined) throw new codes.ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
  return forms[format];
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validateString(curve, 'curve');
  this[kDh] = binding.ecdh(curve);
  if (this[kDh] === undefined) throw failure('ERR_CRYPTO_INVALID_CURVE');
}

ECDH.prototype.generateKeys = function generateKeys(encoding, format) {
  this[kDh].generate();
  return this.getPublicKey(encoding, format);
};

ECDH.prototype.computeSecret = function computeSecret(key, inEncoding, outEncoding) {
  const made = this[kDh].secret(bytesFrom(key, 'otherPublicKey', inEncoding));
  if (made === 1) throw new codes.ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
  if (made === 2) throw Object.assign(new RangeError('Invalid key pair'), { code: 'ERR_CRYPTO_INVALID_KEYPAIR' });
  return encoded(made, outEncoding);
};

ECDH.prototype.getPublicKey = function getPublicKey(encoding, format) {
  const found = this[kDh].publicKey(formFrom(format));
  if (found === undefined) throw Object.assign(new Error('Failed to get ECDH public key'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
  return encoded(found, encoding);
};

ECDH.prototype.getPrivateKey = function getPrivateKey(encoding) {
  const found = this[kDh].privateKey();
  if (found === undefined) throw Object.assign(new Error('Failed to get ECDH private key'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
  return encoded(found, encoding);
};

ECDH.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  if (!this[kDh].setPrivateKey(bytesFrom(key, 'key', encoding))) {
    throw failure('ERR_CRYPTO_INVALID_KEYTYPE', 'Private key is not valid for specified curve.');
  }
  return this;
};

ECDH.prototype.setPublicKey = deprecate(
  function setPublicKey(key, encoding) {
    this[kDh].setPublicKey(bytesFrom(key, 'key', encoding));
    return this;
  },
  'ecdh.setPublicKey() is deprecated.',
  'DEP0031',
);

ECDH.convertKey = function convertKey(key, curve, inEncoding, outEncoding, format) {
  validateString(curve, 'curve');
  const bytes = bytesFrom(key, 'key', inEncoding);
  const made = binding.ecdhConvert(bytes, curve, formFrom(format));
  if (made === undefined) throw failure('ERR_CRYPTO_INVALID_CURVE');
  return encoded(made, outEncoding);
};

const agreeing = new Set(['dh', 'ec', 'x25519', 'x448']);
function diffieHellman(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  for (const name of each(['privateKey', 'publicKey'])) {
    if (!options[name]) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
  }
  const publicKey = publicFrom(options.publicKey, 'options.publicKey');
  const privateKey = privateFrom(options.privateKey, 'options.privateKey');
  const types = arrayMap.call([privateKey, publicKey], (key) => key.type());
  if (types[0] !== types[1] || !agreeing.has(types[0])) {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${types[0]} and ${types[1]}`);
  }
  return binding.agree(privateKey, publicKey, callback);
}

module.exports = { DiffieHellman, DiffieHellmanGroup, ECDH, diffieHellman };
