// natives: crypto_dh
//
// encapsulate and decapsulate of node:crypto: a secret sent under a public key.

'use strict';

const binding = native('crypto_dh');
const { codes } = require('internal/errors/coded');
const { isBytes, kByteTypes } = require('internal/crypto/util');
const { privateFrom, publicFrom } = require('internal/crypto/keys');
const { validateFunction } = require('internal/util/validators');

// A refusal of OpenSSL has one name here, whatever the kind of the key.
function failed(message, cause) {
  return Object.assign(new Error(message, { cause }), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
}

function finish(start, shape, message, callback) {
  if (callback !== undefined) {
    start((error, made) => {
      if (error) callback(failed(message, error));
      else callback(null, shape(made));
    });
    return;
  }
  let made;
  try {
    made = start(undefined);
  } catch (error) {
    throw failed(message, error);
  }
  return shape(made);
}

function bytesOnly(value) {
  if (!isBytes(value)) throw new codes.ERR_INVALID_ARG_TYPE('ciphertext', kByteTypes, value);
  return value;
}

function encapsulate(key, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = publicFrom(key);
  const shape = (pair) => ({ sharedKey: pair[0], ciphertext: pair[1] });
  const make = (done) => binding.encapsulate(handle, done);
  return finish(make, shape, 'Encapsulation failed', callback);
}

function decapsulate(key, ciphertext, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = privateFrom(key);
  const bytes = bytesOnly(ciphertext);
  return finish(
    (done) => binding.decapsulate(handle, bytes, done),
    (secret) => secret,
    'Decapsulation failed',
    callback,
  );
}

module.exports = { decapsulate, encapsulate };
