// natives: none
//
// Shared by the algorithms of crypto.subtle: its errors, checks of usages and of JSON Web Keys, promises of natives.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { arrayBufferOf, promised } = require('internal/crypto/util');

function failure(message, name, cause) {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException(message, cause === undefined ? name : { name, cause });
}
const dataError = (message, cause) => failure(message, 'DataError', cause);
const operationError = (message, cause) =>
  failure(message ?? 'The operation failed for an operation-specific reason', 'OperationError', cause);
const notSupported = (message) => failure(message, 'NotSupportedError');

// A native's answer as an ArrayBuffer; what OpenSSL refuses is an OperationError.
function operation(start) {
  return promiseThen(
    promised((callback) => {
      try {
        start(callback);
      } catch (error) {
        callback(error);
      }
    }),
    (value) => (ArrayBuffer.isView(value) ? arrayBufferOf(value) : value),
    (error) => {
      throw operationError(undefined, error);
    },
  );
}

// The same for an answer that comes at once.
function attempt(act, makeError) {
  try {
    return act();
  } catch (error) {
    throw error?.name === 'DataError' || error?.name === 'NotSupportedError' ? error : makeError(error);
  }
}

function checkUsages(usages, allowed, name) {
  for (const usage of each(usages)) {
    if (!arrayIncludes.call(allowed, usage)) throw failure(`Unsupported key usage for ${name} key`, 'SyntaxError');
  }
}

function checkNotEmpty(usages, when = 'creating a key') {
  if (usages.length === 0) throw failure(`Usages cannot be empty when ${when}.`, 'SyntaxError');
}

// https://w3c.github.io/webcrypto/#dfn-JsonWebKey-dictionary, the members that are the same for all kinds of keys
function checkJwk(jwk, kty, use, extractable, usages) {
  if (!jwk.kty) throw dataError('Invalid keyData');
  if (jwk.kty !== kty) throw dataError('Invalid JWK "kty" Parameter');
  if (usages.length > 0 && jwk.use !== undefined && use !== undefined && jwk.use !== use) {
    throw dataError('Invalid JWK "use" Parameter');
  }
  if (jwk.key_ops !== undefined) {
    const found = jwk.key_ops;
    if (new Set(found).size !== found.length) throw dataError('Duplicate key operation');
    for (const usage of each(usages)) {
      if (!arrayIncludes.call(found, usage)) throw dataError('Key operations and usage mismatch');
    }
  }
  if (jwk.ext !== undefined && jwk.ext === false && extractable) throw dataError('JWK "ext" Parameter and extractable mismatch');
}

const fromBase64url = (text) => {
  if (typeof text !== 'string' || !regexpTest.call(/^[A-Za-z0-9_-]*$/, text) || text.length % 4 === 1) throw dataError('Invalid keyData');
  return Buffer.from(text, 'base64url');
};

// Whole bytes; what is beyond the last bit is zero.
function firstBits(buffer, length) {
  const size = Math.ceil(length / 8);
  const cut = buffer.slice(0, size);
  if (length % 8 !== 0) {
    const bytes = new Uint8Array(cut);
    bytes[size - 1] &= (0xff << (8 - (length % 8))) & 0xff;
  }
  return cut;
}

const digestNames = {
  __proto__: null,
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
};
const digestOf = (hash) => digestNames[hash.name];

module.exports = {
  attempt,
  checkJwk,
  checkNotEmpty,
  checkUsages,
  dataError,
  digestNames,
  digestOf,
  failure,
  firstBits,
  fromBase64url,
  notSupported,
  operation,
  operationError,
};
