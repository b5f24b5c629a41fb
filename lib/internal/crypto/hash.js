// natives: crypto_hash
//
// Hash and Hmac of node:crypto: Transform streams over OpenSSL's digests, and crypto.hash, the one-shot form.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('crypto_hash');
const LazyTransform = require('internal/streams/lazy_transform');
const { codes } = require('internal/errors/coded');
const { encoded, inputFrom } = require('internal/crypto/util');
const { normalizeEncoding } = require('internal/buffer/encodings');
const { validateObject, validateString, validateUint32 } = require('internal/util/validators');

const kDigest = Symbol('native digest');
const kStreamed = Symbol('digest that the stream gave');

// In hexadecimal the native gives the text at once.
// An encoding that is none asks for bytes, as in Node.
function finished(object, encoding) {
  const name = encoding === undefined || encoding === null ? undefined : `${encoding}`;
  const made = object[kDigest].finish(name === 'hex');
  object[kDigest] = null;
  return name !== 'hex' && Buffer.isEncoding(name) ? encoded(made, name) : made;
}

function badLength() {
  const error = new Error('error:030000B2:digital envelope routines::not XOF or invalid length');
  return Object.assign(error, {
    library: 'digital envelope routines',
    reason: 'not XOF or invalid length',
    code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
  });
}

function lengthFrom(options) {
  const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  return length;
}

// SHAKE has no length of its own, so a program should say one.
const shakes = new Set(['shake128', 'shake-128', 'shake256', 'shake-256']);
let hasWarned = false;
function checkShake(algorithm, length) {
  if (hasWarned || length !== undefined || !shakes.has(stringToLowerCase.call(algorithm))) return;
  hasWarned = true;
  process.emitWarning(
    'Creating SHAKE128/256 digests without an explicit options.outputLength is deprecated.',
    'DeprecationWarning',
    'DEP0198',
  );
}

class Digest extends LazyTransform {
  constructor(options) {
    super(options);
  }

  _transform(chunk, encoding, callback) {
    if (this[kDigest] === null) {
      callback(new codes.ERR_CRYPTO_HASH_UPDATE_FAILED());
      return;
    }
    this[kDigest].update(inputFrom(chunk, encoding));
    callback();
  }

  _flush(callback) {
    this.push(this.digest());
    callback();
  }

  update(data, encoding) {
    if (this[kDigest] === null) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    this[kDigest].update(inputFrom(data, encoding));
    return this;
  }
}

class Hash extends Digest {
  constructor(algorithm, options) {
    if (!(algorithm instanceof Hash)) validateString(algorithm, 'algorithm');
    const length = lengthFrom(options);
    super(options);
    const made = typeof algorithm === 'string' ? binding.newDigest(algorithm, length) : algorithm[kDigest].copy(length);
    if (made === 0) throw new Error('Digest method not supported');
    if (made === -1) throw badLength();
    if (typeof algorithm === 'string') checkShake(algorithm, length);
    this[kDigest] = made;
  }

  copy(options) {
    if (this[kDigest] === null) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return new Hash(this, options);
  }

  // digest() gives the stream's result once more.
  _flush(callback) {
    const result = this.digest();
    this[kStreamed] = Buffer.from(result);
    this.push(result);
    callback();
  }

  update(data, encoding) {
    if (this[kStreamed] !== undefined) throw new codes.ERR_CRYPTO_HASH_UPDATE_FAILED();
    return super.update(data, encoding);
  }

  digest(encoding) {
    const streamed = this[kStreamed];
    if (streamed !== undefined) {
      this[kStreamed] = undefined;
      return encoding !== undefined && Buffer.isEncoding(`${encoding}`) ? encoded(streamed, encoding) : streamed;
    }
    if (this[kDigest] === null) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return finished(this, encoding);
  }
}

class Hmac extends Digest {
  constructor(algorithm, key, options) {
    validateString(algorithm, 'hmac');
    const encoding = options?.encoding;
    const secret = require('internal/crypto/keys').secretFrom(key, 'key', encoding);
    super(options);
    const made = binding.newHmac(algorithm, secret);
    if (made === 0) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
    this[kDigest] = made;
  }

  // A second digest is empty, unlike that of a Hash.
  digest(encoding) {
    return this[kDigest] === null ? encoded(Buffer.alloc(0), encoding) : finished(this, encoding);
  }
}

function encodingFrom(options) {
  if (options === undefined) return 'hex';
  if (typeof options !== 'string') validateObject(options, 'options');
  const { outputEncoding = 'hex' } = typeof options === 'string' ? { outputEncoding: options } : options;
  validateString(outputEncoding, 'outputEncoding');
  if (outputEncoding === 'hex' || outputEncoding === 'buffer') return outputEncoding;
  const name = normalizeEncoding(outputEncoding);
  if (name === undefined) throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
  return name;
}

function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  const data = inputFrom(input, 'utf8', 'input');
  const encoding = encodingFrom(options);
  const isHex = encoding === 'hex';
  const length = lengthFrom(options);
  const made = binding.digest(algorithm, data, length, isHex);
  if (made === 0) throw new Error(`Digest method ${algorithm} is not supported`);
  if (made === -1) throw new Error(`Output length ${length} is invalid for ${algorithm}, which does not support XOF`);
  checkShake(algorithm, length);
  return isHex ? made : encoded(made, encoding);
}

module.exports = {
  Hash,
  Hmac,
  hash,
  createHash: function (algorithm, options) {
    return new Hash(algorithm, options);
  },
  createHmac: function (algorithm, key, options) {
    return new Hmac(algorithm, key, options);
  },
  getHashes: () => binding.names(),
};
