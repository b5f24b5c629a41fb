// natives: crypto_sign
//
// Sign and Verify of node:crypto, their one-shot forms, and encryption with RSA keys.

'use strict';

const binding = native('crypto_sign');
const Writable = require('internal/streams/writable');
const { codes } = require('internal/errors/coded');
const { bytesFrom, encoded, failure, inputFrom, pqNames } = require('internal/crypto/util');
const { privateFrom, publicFrom } = require('internal/crypto/keys');
const { validateFunction, validateString } = require('internal/util/validators');

const kRunning = Symbol('native signature');
const { kPublicEncrypt, kPrivateDecrypt, kPrivateEncrypt, kPublicDecrypt, kPkcs1Padding, kOaepPadding, kPssPadding, kAutoSalt } = binding;

function integerOption(options, name) {
  const value = options[name];
  if (value === undefined || value === value >> 0) return value;
  throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value);
}

// → [padding, salt length, is P1363]
function mannerFrom(key) {
  const padding = integerOption(key, 'padding');
  let salt = integerOption(key, 'saltLength');
  if (key.padding === kPssPadding && salt === undefined) salt = kAutoSalt;
  const { dsaEncoding = 'der' } = typeof key === 'object' ? key : {};
  if (dsaEncoding !== 'der' && dsaEncoding !== 'ieee-p1363') {
    throw new codes.ERR_INVALID_ARG_VALUE('options.dsaEncoding', dsaEncoding);
  }
  return [padding, salt, dsaEncoding === 'ieee-p1363'];
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  start(this, algorithm, options);
}
function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  start(this, algorithm, options);
}

function start(self, algorithm, options) {
  validateString(algorithm, 'algorithm');
  self[kRunning] = binding.start(algorithm);
  if (self[kRunning] === false) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
  call1(Writable, self, options);
}

function _write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
}

function update(data, encoding) {
  if (!this[kRunning].update(inputFrom(data, encoding))) throw new Error('Not initialised');
  return this;
}

for (const Class of each([Sign, Verify])) {
  Object.setPrototypeOf(Class.prototype, Writable.prototype);
  Object.setPrototypeOf(Class, Writable);
  Class.prototype._write = _write;
  Class.prototype.update = update;
}

Sign.prototype.sign = function sign(privateKey, encoding) {
  if (!privateKey) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const key = privateFrom(privateKey, 'privateKey');
  return encoded(this[kRunning].sign(key, ...each(mannerFrom(privateKey))), encoding);
};

Verify.prototype.verify = function verify(publicKey, signature, encoding) {
  const bytes = bytesFrom(signature, 'signature', encoding);
  const key = publicFrom(publicKey);
  return this[kRunning].verify(key, ...each(mannerFrom(publicKey)), bytes);
};

function checkOnce(algorithm, callback) {
  if (algorithm != null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
}

function contextFrom(key) {
  const context = typeof key === 'object' ? key.context : undefined;
  if (context === undefined) return undefined;
  if (!ArrayBuffer.isView(context)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.context', ['Buffer', 'TypedArray', 'DataView'], context);
  }
  return context;
}

function runOnce(isSigning, key, data, algorithm, manner, context, signature, callback) {
  // Key types without a context in OpenSSL 3.0 are refused rather than signed without it.
  if (context !== undefined && context.byteLength > 0 && context.byteLength <= 255 && pqNames[key.type()] === undefined) {
    throw failure('ERR_CRYPTO_OPERATION_FAILED', 'Context parameter is unsupported');
  }
  const made = binding.once(isSigning, key, data, algorithm ?? undefined, ...each(manner), signature, callback, context);
  if (made === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
  return made;
}

function sign(algorithm, data, key, callback) {
  checkOnce(algorithm, callback);
  const bytes = bytesFrom(data, 'data');
  if (!key) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const manner = mannerFrom(key);
  const context = contextFrom(key);
  return runOnce(true, privateFrom(key), bytes, algorithm, manner, context, undefined, callback);
}

function verify(algorithm, data, key, signature, callback) {
  checkOnce(algorithm, callback);
  const bytes = bytesFrom(data, 'data');
  const manner = mannerFrom(key);
  const context = contextFrom(key);
  const given = bytesFrom(signature, 'signature');
  return runOnce(false, publicFrom(key), bytes, algorithm, manner, context, given, callback);
}

// --- RSA

function rsaFunction(use, defaultPadding) {
  const isPrivate = use === kPrivateDecrypt || use === kPrivateEncrypt;
  return (key, buffer) => {
    if (key?.oaepHash !== undefined) {
      validateString(key.oaepHash, 'key.oaepHash');
      binding.checkDigest(key.oaepHash);
    }
    const { oaepHash, oaepLabel, encoding } = key ?? {};
    const label = oaepLabel === undefined ? undefined : bytesFrom(oaepLabel, 'key.oaepLabel', encoding);
    const handle = isPrivate ? privateFrom(key, 'privateKey') : publicFrom(key);
    const padding = key.padding || defaultPadding;
    const data = bytesFrom(buffer, 'buffer', encoding);
    const made = binding.rsa(
      use,
      handle,
      data,
      padding,
      padding === kOaepPadding ? oaepHash : undefined,
      padding === kOaepPadding ? label : undefined,
    );
    if (made === null) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.padding', padding, 'is no longer supported for private decryption');
    }
    return made;
  };
}

module.exports = {
  Sign,
  Verify,
  sign,
  verify,
  publicEncrypt: rsaFunction(kPublicEncrypt, kOaepPadding),
  privateDecrypt: rsaFunction(kPrivateDecrypt, kOaepPadding),
  privateEncrypt: rsaFunction(kPrivateEncrypt, kPkcs1Padding),
  publicDecrypt: rsaFunction(kPublicDecrypt, kPkcs1Padding),
};
