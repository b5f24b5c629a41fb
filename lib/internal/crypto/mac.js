// natives: crypto_mac
//
// Mac of node:crypto: a Transform stream over any of OpenSSL's message authentication codes.

'use strict';

const binding = native('crypto_mac');
const LazyTransform = require('internal/streams/lazy_transform');
const { codes } = require('internal/errors/coded');
const { encoded, failure, isBytes, kByteTypes } = require('internal/crypto/util');
const { handleOf, isKeyObject, typeOf } = require('internal/crypto/keys');
const { normalizeEncoding } = require('internal/buffer/encodings');
const { validateObject, validateString, validateUint32 } = require('internal/util/validators');

const kMac = Symbol('native mac');

const kOptions = ['digest', 'cipher', 'iv', 'customization', 'salt', 'outputLength'];

// Optional and required parameters of each. One that a later OpenSSL may have takes everything.
const kKmac = { takes: ['customization', 'outputLength'] };
const kBlake2 = { takes: ['customization', 'salt', 'outputLength'] };
const kKinds = {
  __proto__: null,
  hmac: { takes: ['digest'], needs: 'digest' },
  cmac: { takes: ['cipher'], needs: 'cipher' },
  gmac: { takes: ['cipher', 'iv'], needs: 'cipher' },
  'kmac-128': kKmac,
  'kmac-256': kKmac,
  kmac128: kKmac,
  kmac256: kKmac,
  blake2bmac: kBlake2,
  blake2smac: kBlake2,
  poly1305: { takes: [] },
  siphash: { takes: ['outputLength'] },
};

const badOption = (name, what) => failure('ERR_INVALID_ARG_VALUE', `The property 'options.${name}' ${what}`);

function checkTypes({ digest, cipher, iv, customization, salt, outputLength }) {
  if (digest !== undefined) validateString(digest, 'options.digest');
  if (cipher !== undefined) validateString(cipher, 'options.cipher');
  for (const [name, value] of eachEntry([
    ['iv', iv],
    ['customization', customization],
    ['salt', salt],
  ])) {
    if (value !== undefined && !isBytes(value)) throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, kByteTypes, value);
  }
  if (outputLength !== undefined) validateUint32(outputLength, 'options.outputLength');
}

function keyFrom(key) {
  if (isKeyObject(key) && typeOf(key) === 'secret') return handleOf(key);
  if (!isBytes(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', [...each(kByteTypes), 'KeyObject'], key);
  return key;
}

function checkSupport(algorithm, options) {
  const kind = kKinds[stringToLowerCase.call(algorithm)];
  if (kind === undefined) return;
  const { takes, needs } = kind;
  for (const name of each(kOptions)) {
    if (options[name] !== undefined && !arrayIncludes.call(takes, name)) throw badOption(name, `is not supported by MAC ${algorithm}`);
  }
  if (needs !== undefined && options[needs] === undefined) throw badOption(needs, `is required for ${stringToUpperCase.call(algorithm)}`);
  if (arrayIncludes.call(takes, 'iv') && !(options.iv?.byteLength > 0))
    throw badOption('iv', `must be non-empty for ${stringToUpperCase.call(algorithm)}`);
}

function start(algorithm, key, options = {}) {
  validateString(algorithm, 'algorithm');
  if (algorithm === '' || stringIncludes.call(algorithm, '\0')) {
    throw new codes.ERR_INVALID_ARG_VALUE('algorithm', algorithm, 'must be non-empty and contain no NUL bytes');
  }
  validateObject(options, 'options');
  // Read once: what is checked is what is used.
  const { digest, cipher, iv, customization, salt, outputLength } = options;
  const read = { digest, cipher, iv, customization, salt, outputLength };
  checkTypes(read);
  const secret = keyFrom(key);
  checkSupport(algorithm, read);
  const mac = binding.newMac(algorithm, secret, digest, cipher, iv, customization, salt, outputLength);
  if (mac === 0) throw new codes.ERR_CRYPTO_INVALID_MAC(algorithm);
  if (outputLength !== undefined && mac.size() !== outputLength) throw badOption('outputLength', `was not honored by MAC ${algorithm}`);
  return mac;
}

function knownEncoding(encoding, name) {
  const known = encoding === 'buffer' ? encoding : normalizeEncoding(encoding);
  if (known === undefined) throw new codes.ERR_INVALID_ARG_VALUE(name, encoding);
  return known;
}

class Mac extends LazyTransform {
  constructor(algorithm, key, options) {
    const mac = start(algorithm, key, options);
    super(options);
    this[kMac] = mac;
  }

  _transform(chunk, encoding, callback) {
    try {
      this.update(chunk, encoding);
    } catch (error) {
      return callback(error);
    }
    return callback();
  }

  _flush(callback) {
    try {
      const result = this.final();
      if (result.length !== 0) this.push(result);
    } catch (error) {
      return callback(error);
    }
    return callback();
  }

  update(data, encoding) {
    if (this[kMac] === null) throw new codes.ERR_CRYPTO_MAC_FINALIZED();
    if (typeof data === 'string') {
      const known = encoding === undefined ? 'utf8' : knownEncoding(encoding, 'inputEncoding');
      this[kMac].update(known === 'utf8' || known === 'buffer' ? data : require('internal/buffer/buffer').Buffer.from(data, known));
    } else if (ArrayBuffer.isView(data)) {
      this[kMac].update(data);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    }
    return this;
  }

  final(outputEncoding) {
    if (this[kMac] === null) throw new codes.ERR_CRYPTO_MAC_FINALIZED();
    const encoding = outputEncoding === undefined ? 'buffer' : knownEncoding(outputEncoding, 'outputEncoding');
    const mac = this[kMac];
    this[kMac] = null;
    return encoded(mac.finish(), encoding);
  }
}

module.exports = {
  createMac: function (algorithm, key, options) {
    return new Mac(algorithm, key, options);
  },
  getMacs: () => binding.names(),
};
