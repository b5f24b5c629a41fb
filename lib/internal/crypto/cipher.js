// natives: crypto_cipher
//
// Cipheriv and Decipheriv of node:crypto: Transform streams over OpenSSL's symmetric ciphers, with or without a tag.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('crypto_cipher');
const LazyTransform = require('internal/streams/lazy_transform');
const { codes } = require('internal/errors/coded');
const { inputFrom, isBytes, kByteTypes } = require('internal/crypto/util');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/util/validators');

const kCipher = Symbol('native cipher');
const kDecoder = Symbol('decoder of the output');

function tagLengthFrom(options) {
  const length = options?.authTagLength;
  if (length == null) return undefined;
  if (length >>> 0 !== length) throw new codes.ERR_INVALID_ARG_VALUE('options.authTagLength', length);
  return length;
}

function ivFrom(iv) {
  if (iv === null) return null;
  if (typeof iv === 'string') return Buffer.from(iv);
  if (!isBytes(iv)) throw new codes.ERR_INVALID_ARG_TYPE('iv', ['string', ...each(kByteTypes), 'null'], iv);
  return iv;
}

// A string in pieces: what one piece leaves over begins the next.
function decoderFor(cipher, encoding) {
  const { normalizeEncoding } = require('internal/buffer/encodings');
  const name = normalizeEncoding(encoding);
  if (name === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  if (cipher[kDecoder] === undefined) {
    cipher[kDecoder] = new (require('internal/buffer/string_decoder').StringDecoder)(name);
  } else if (cipher[kDecoder].encoding !== name) {
    throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', encoding, `cannot be changed from '${cipher[kDecoder].encoding}'`);
  }
  return cipher[kDecoder];
}

class Running extends LazyTransform {
  constructor(encrypts, algorithm, key, iv, options) {
    validateString(algorithm, 'cipher');
    const encoding = options?.encoding;
    if (encoding !== undefined) validateString(encoding, 'options.encoding');
    const secret = require('internal/crypto/keys').secretFrom(key, 'key', encoding);
    const nonce = ivFrom(iv);
    const tagLength = tagLengthFrom(options);
    const cipher = binding.start(encrypts, algorithm, secret, nonce, tagLength);
    super(options);
    this[kCipher] = cipher;
  }

  _transform(chunk, encoding, callback) {
    this.push(this[kCipher].update(inputFrom(chunk, encoding)));
    callback();
  }

  _flush(callback) {
    try {
      this.push(this[kCipher].final());
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  update(data, inputEncoding, outputEncoding) {
    const made = this[kCipher].update(inputFrom(data, inputEncoding));
    if (!outputEncoding || outputEncoding === 'buffer') return made;
    return decoderFor(this, outputEncoding).write(made);
  }

  final(outputEncoding) {
    const made = this[kCipher].final();
    if (!outputEncoding || outputEncoding === 'buffer') return made;
    return decoderFor(this, outputEncoding).end(made);
  }

  setAutoPadding(on) {
    if (!this[kCipher].setAutoPadding(on === undefined || !!on)) throw new codes.ERR_CRYPTO_INVALID_STATE('setAutoPadding');
    return this;
  }

  setAAD(data, options) {
    const encoding = options?.encoding;
    if (encoding !== undefined) validateString(encoding, 'options.encoding');
    const length = options?.plaintextLength;
    if (length != null && (length >>> 0 !== length || length > 2 ** 31 - 1)) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.plaintextLength', length);
    }
    let bytes = data;
    if (typeof data === 'string') {
      validateEncoding(data, encoding);
      bytes = Buffer.from(data, encoding);
    } else if (!isBytes(data)) {
      throw new codes.ERR_INVALID_ARG_TYPE('aadbuf', ['string', ...each(kByteTypes)], data);
    }
    if (!this[kCipher].setAad(bytes, length ?? -1)) throw new codes.ERR_CRYPTO_INVALID_STATE('setAAD');
    return this;
  }
}

class Cipheriv extends Running {
  constructor(cipher, key, iv, options) {
    super(true, cipher, key, iv, options);
  }

  getAuthTag() {
    const tag = this[kCipher].tag();
    if (tag === undefined) throw new codes.ERR_CRYPTO_INVALID_STATE('getAuthTag');
    return tag;
  }
}

class Decipheriv extends Running {
  constructor(cipher, key, iv, options) {
    super(false, cipher, key, iv, options);
  }

  setAuthTag(tag, encoding) {
    let bytes = tag;
    if (typeof tag === 'string') bytes = Buffer.from(tag, encoding);
    else if (!isBytes(tag)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', ...each(kByteTypes)], tag);
    if (!this[kCipher].setTag(bytes)) throw new codes.ERR_CRYPTO_INVALID_STATE('setAuthTag');
    return this;
  }
}

function getCipherInfo(nameOrNid, options) {
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') {
    throw new codes.ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  }
  if (typeof nameOrNid === 'number') require('internal/util/validators').validateInt32(nameOrNid, 'nameOrNid');
  let keyLength;
  let ivLength;
  if (options !== undefined) {
    validateObject(options, 'options');
    ({ keyLength, ivLength } = options);
    if (keyLength !== undefined) validateUint32(keyLength, 'options.keyLength');
    if (ivLength !== undefined) validateUint32(ivLength, 'options.ivLength');
  }
  return binding.info(nameOrNid, keyLength, ivLength);
}

// Each once, in small letters.
function getCiphers() {
  return arraySort.call(Array.from(new Set(arrayMap.call(binding.names(), (name) => stringToLowerCase.call(name)))));
}

module.exports = { Cipheriv, Decipheriv, getCipherInfo, getCiphers };
