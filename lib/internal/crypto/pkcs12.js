// natives: crypto_x509
//
// parsePKCS12 of node:crypto: what a PKCS#12 bundle holds.

'use strict';

const { parsePkcs12 } = native('crypto_x509');
const { codes } = require('internal/errors/coded');
const { bytesFrom, isBytes } = require('internal/crypto/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateObject } = require('internal/util/validators');

const asView = (bytes) =>
  isAnyArrayBuffer(bytes) ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function passphraseFrom({ passphrase }) {
  if (passphrase === undefined) return undefined;
  const bytes = asView(bytesFrom(passphrase, 'options.passphrase'));
  // OpenSSL would take what stands before it for the whole.
  if (bytesIncludes.call(bytes, 0)) throw new codes.ERR_INVALID_ARG_VALUE('options.passphrase', passphrase, 'must not contain null bytes');
  return bytes;
}

function parsePKCS12(bundle, options = {}) {
  if (!isBytes(bundle)) throw new codes.ERR_INVALID_ARG_TYPE('bundle', ['ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'], bundle);
  validateObject(options, 'options');
  const [key, certificate, others] = each(parsePkcs12(bundle, passphraseFrom(options)));
  const { keyObjectOn } = require('internal/crypto/keys');
  const { certificateOn } = require('internal/crypto/x509');
  return {
    privateKey: key === null ? null : keyObjectOn('private', key),
    certificate: certificate === null ? null : certificateOn(certificate),
    additionalCertificates: arrayMap.call(others, (other) => certificateOn(other)),
  };
}

module.exports = { parsePKCS12 };
