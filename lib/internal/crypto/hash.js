// natives: crypto_hash
//
// Hash and Hmac of node:crypto: Transform streams over OpenSSL's digests, and crypto.hash, the one-shot form.

'use strict';

const { Buffer } = require('buffer');
const binding = native('crypto_hash');
const LazyTransform = require('internal/streams/lazy_transform');
const { codes } = require('internal/errors/coded');
const { validateEncoding, validateString, validateUint32 } = require('internal/util/validators');

const kDigest = Symbol('native digest');
const kOptions = Symbol('stream options');

function finished(object) {
  const bytes = binding.finish(object[kDigest]);
  object[kDigest] = null;
  return bytes;
}

function badLength() {
  const error = new Error('error:030000B2:digital envelope routines::not XOF or invalid length');
  return Object.assign(error, {
    library: 'digital envelope routines', reason: 'not XOF or invalid length', code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
  });
}

function lengthFrom(options) {
  const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  return length;
}

function bytesFrom(data, encoding, name) {
  if (typeof data === 'string') {
    validateEncoding(data, encoding);
    return Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding);
  }
  if (!ArrayBuffer.isView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  return data;
}

function encoded(bytes, encoding) {
  return encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes;
}

class Digest extends LazyTransform {
  constructor(options) {
    super(options);
    this[kOptions] = options;
  }

  _transform(chunk, encoding, callback) {
    binding.update(this[kDigest], bytesFrom(chunk, encoding, 'data'));
    callback();
  }

  _flush(callback) {
    this.push(this.digest());
    callback();
  }

  update(data, encoding) {
    if (this[kDigest] === null) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    binding.update(this[kDigest], bytesFrom(data, encoding, 'data'));
    return this;
  }
}

class Hash extends Digest {
  constructor(algorithm, options) {
    if (!(algorithm instanceof Hash)) validateString(algorithm, 'algorithm');
    const length = lengthFrom(options);
    super(options);
    const made = typeof algorithm === 'string' ? binding.newDigest(algorithm, length) : binding.copy(algorithm[kDigest], length);
    if (made === 0) throw new Error('Digest method not supported');
    if (made === -1) throw badLength();
    this[kDigest] = made;
  }

  copy(options) {
    if (this[kDigest] === null) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return new Hash(this, options ?? this[kOptions]);
  }

  digest(encoding) {
    if (this[kDigest] === null) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return encoded(finished(this), encoding);
  }
}

function keyBytes(key) {
  if (typeof key === 'string') return Buffer.from(key);
  if (ArrayBuffer.isView(key) || require('util').types.isAnyArrayBuffer(key)) return key;
  throw new codes.ERR_INVALID_ARG_TYPE(
    'key', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'], key);
}

class Hmac extends Digest {
  constructor(algorithm, key, options) {
    validateString(algorithm, 'hmac');
    const secret = keyBytes(key);
    super(options);
    const made = binding.newHmac(algorithm, secret);
    if (made === 0) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
    this[kDigest] = made;
  }

  // A second digest is empty, unlike that of a Hash.
  digest(encoding) {
    return encoded(this[kDigest] === null ? Buffer.alloc(0) : finished(this), encoding);
  }
}

function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  const data = bytesFrom(input, 'utf8', 'input');
  const encoding = typeof options === 'string' ? options : options?.outputEncoding ?? 'hex';
  validateString(encoding, 'outputEncoding');
  const made = binding.newDigest(algorithm, lengthFrom(options));
  if (made === 0) throw new Error(`Digest method ${algorithm} is not supported`);
  if (made === -1) throw badLength();
  binding.update(made, data);
  return encoded(binding.finish(made), encoding);
}

module.exports = {
  Hash, Hmac, hash,
  createHash: (algorithm, options) => new Hash(algorithm, options),
  createHmac: (algorithm, key, options) => new Hmac(algorithm, key, options),
  getHashes: () => binding.names(),
};
