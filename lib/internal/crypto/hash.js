// natives: crypto
//
// Hash and Hmac of node:crypto: Transform streams over OpenSSL's digests, and crypto.hash, the one-shot form.

'use strict';

const binding = native('crypto');
const LazyTransform = require('internal/streams/lazy_transform');
const { codes } = require('internal/errors/coded');
const { validateEncoding, validateString, validateUint32 } = require('internal/util/validators');

const kId = Symbol('digest');
const kOptions = Symbol('stream options');
const forgotten = new FinalizationRegistry((id) => binding.drop(id));

function started(object, id) {
  object[kId] = id;
  forgotten.register(object, id, object);
}

function finished(object) {
  const bytes = binding.finish(object[kId]);
  forgotten.unregister(object);
  object[kId] = 0;
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
    binding.update(this[kId], bytesFrom(chunk, encoding, 'data'));
    callback();
  }

  _flush(callback) {
    this.push(this.digest());
    callback();
  }

  update(data, encoding) {
    if (this[kId] === 0) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    binding.update(this[kId], bytesFrom(data, encoding, 'data'));
    return this;
  }
}

class Hash extends Digest {
  constructor(algorithm, options) {
    if (!(algorithm instanceof Hash)) validateString(algorithm, 'algorithm');
    const length = lengthFrom(options);
    super(options);
    const id = typeof algorithm === 'string' ? binding.newDigest(algorithm, length) : binding.copy(algorithm[kId], length);
    if (id === 0) throw new Error('Digest method not supported');
    if (id === -1) throw badLength();
    started(this, id);
  }

  copy(options) {
    if (this[kId] === 0) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return new Hash(this, options ?? this[kOptions]);
  }

  digest(encoding) {
    if (this[kId] === 0) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
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
    const id = binding.newHmac(algorithm, secret);
    if (id === 0) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
    started(this, id);
  }

  // A second digest is empty, unlike that of a Hash.
  digest(encoding) {
    return encoded(this[kId] === 0 ? Buffer.alloc(0) : finished(this), encoding);
  }
}

function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  const data = bytesFrom(input, 'utf8', 'input');
  const encoding = typeof options === 'string' ? options : options?.outputEncoding ?? 'hex';
  validateString(encoding, 'outputEncoding');
  const id = binding.newDigest(algorithm, lengthFrom(options));
  if (id === 0) throw new Error(`Digest method ${algorithm} is not supported`);
  if (id === -1) throw badLength();
  binding.update(id, data);
  return encoded(binding.finish(id), encoding);
}

module.exports = {
  Hash, Hmac, hash,
  createHash: (algorithm, options) => new Hash(algorithm, options),
  createHmac: (algorithm, key, options) => new Hmac(algorithm, key, options),
  getHashes: () => binding.names(),
};
