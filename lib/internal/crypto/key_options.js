// natives: none
//
// The options by which programs say how a key is written: format, type, cipher, passphrase. Checked here for reading (no key type is
// known yet) and for writing.

'use strict';

const { codes } = require('internal/errors/coded');
const { bytesFrom, isBytes } = require('internal/crypto/util');
const { validateObject } = require('internal/util/validators');

const kFormats = new Set(['pem', 'der', 'jwk', 'raw-public', 'raw-private', 'raw-seed']);
const isText = (value) => typeof value === 'string' || isBytes(value);
const optionName = (name, prefix) => (prefix === undefined ? `options.${name}` : `${prefix}.${name}`);

function formatFrom(value, isInput, name) {
  if (value === undefined && isInput) return 'pem';
  if (!kFormats.has(value)) throw new codes.ERR_INVALID_ARG_VALUE(name, value);
  return value;
}

function typeFrom(value, isRequired, keyType, isPublic, name) {
  if (value === undefined && !isRequired) return undefined;
  if (value === 'pkcs1') {
    if (keyType !== undefined && keyType !== 'rsa') {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(value, 'can only be used for RSA keys');
    }
    return value;
  }
  if (value === 'spki' && isPublic !== false) return value;
  if (value === 'pkcs8' && isPublic !== true) return value;
  if (value === 'sec1' && isPublic !== true) {
    if (keyType !== undefined && keyType !== 'ec') {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(value, 'can only be used for EC keys');
    }
    return value;
  }
  throw new codes.ERR_INVALID_ARG_VALUE(name, value);
}

function rawEncoding(format, type, isPublic, prefix) {
  if (format === 'raw-public') {
    if (isPublic === false) throw new codes.ERR_INVALID_ARG_VALUE(optionName('format', prefix), format);
    if (type !== undefined && type !== 'uncompressed' && type !== 'compressed') {
      throw new codes.ERR_INVALID_ARG_VALUE(optionName('type', prefix), type);
    }
  } else {
    if (isPublic === true) throw new codes.ERR_INVALID_ARG_VALUE(optionName('format', prefix), format);
    if (type !== undefined) throw new codes.ERR_INVALID_ARG_VALUE(optionName('type', prefix), type);
  }
  return { format, type };
}

function checkCipher(options, format, type, prefix) {
  const { cipher, passphrase } = options;
  if (cipher != null) {
    if (typeof cipher !== 'string') throw new codes.ERR_INVALID_ARG_VALUE(optionName('cipher', prefix), cipher);
    if (format === 'der' && (type === 'pkcs1' || type === 'sec1')) {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'does not support encryption');
    }
  } else if (passphrase !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE(optionName('cipher', prefix), cipher, 'is required when a passphrase is specified');
  }
}

// keyType: of the key to write; undefined when one is read. isPublic: undefined when either will do.
function encodingFrom(options, keyType, isPublic, prefix) {
  validateObject(options, 'options');
  const isInput = keyType === undefined;
  const format = formatFrom(options.format, isInput, optionName('format', prefix));
  if (stringStartsWith.call(format, 'raw')) {
    const raw = rawEncoding(format, options.type, isPublic, prefix);
    if (isPublic !== true && format !== 'raw-public' && (options.cipher != null || options.passphrase !== undefined)) {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('raw format', 'does not support encryption');
    }
    return raw;
  }
  const isRequired = format !== 'jwk' && (!isInput || format === 'der');
  const type = typeFrom(options.type, isRequired, keyType, isPublic, optionName('type', prefix));
  if (isPublic === true) return { format, type };
  const { cipher, passphrase, encoding } = options;
  if (!isInput) checkCipher(options, format, type, prefix);
  const needsText = isInput ? passphrase !== undefined : cipher != null;
  if (needsText && !isText(passphrase)) {
    throw new codes.ERR_INVALID_ARG_VALUE(optionName('passphrase', prefix), passphrase);
  }
  const phrase = passphrase === undefined ? undefined : bytesFrom(passphrase, 'key.passphrase', encoding);
  return { format, type, cipher: cipher ?? undefined, passphrase: phrase };
}

module.exports = { encodingFrom, isText };
