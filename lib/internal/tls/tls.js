// natives: tls
//
// node:tls. The certificate authorities are Debian's (/etc/ssl/certs), NODE_EXTRA_CA_CERTS's, or the program's: `rootCertificates`, the
// 'bundled' and the 'system' ones are the same list here.

'use strict';

const binding = native('tls');
const { Buffer } = require('internal/buffer/buffer');
const { codes } = require('internal/errors/coded');
const { getOptionValue } = require('internal/process/options');
const { validateArray, validateString } = require('internal/util/validators');

function chosenVersion(bound, versions, otherwise) {
  for (const version of each(versions))
    if (getOptionValue(`--tls-${bound}-v${version}`)) return version === '1.0' ? 'TLSv1' : `TLSv${version}`;
  return otherwise;
}

let cipherNames;
function getCiphers() {
  cipherNames ??= arraySort.call([...each(new Set(arrayMap.call(binding.cipherNames(), (name) => stringToLowerCase.call(name))))]);
  return arraySlice.call(cipherNames);
}

// OpenSSL 3.0 has none.
function getCertificateCompressionAlgorithms() {
  return [];
}

const lists = { __proto__: null };
const remembered = (name, make) => (lists[name] ??= Object.freeze(make()));
const systemRoots = () => remembered('system', binding.systemRoots);
const extraRoots = () => remembered('extra', () => arrayMap.call(binding.extraRoots(), (pem) => `${pem}\n`)); // as OpenSSL writes them
let isReplaced = false;

function getCACertificates(type = 'default') {
  validateString(type, 'type');
  switch (type) {
    case 'bundled':
    case 'system':
      return systemRoots();
    case 'extra':
      return extraRoots();
    case 'default':
      return remembered('default', () => {
        if (isReplaced) return binding.replacedRoots();
        return process.env.NODE_EXTRA_CA_CERTS ? [...each(systemRoots()), ...each(extraRoots())] : [...each(systemRoots())];
      });
    default:
      throw new codes.ERR_INVALID_ARG_VALUE('type', type);
  }
}

function setDefaultCACertificates(certs) {
  validateArray(certs, 'certs');
  for (let i = 0; i < certs.length; i++) {
    if (typeof certs[i] === 'string' || ArrayBuffer.isView(certs[i])) continue;
    throw new codes.ERR_INVALID_ARG_TYPE(`certs[${i}]`, ['string', 'ArrayBufferView'], certs[i]);
  }
  binding.replaceRoots(certs);
  isReplaced = true;
  require('internal/tls/shared_contexts').forget();
  lists.default = undefined;
}

// Names with their lengths in front, as they travel.
function wireFormat(protocols) {
  const pieces = [];
  for (let i = 0; i < protocols.length; i++) {
    const name = Buffer.from(protocols[i]);
    if (name.length > 255) {
      throw new codes.ERR_OUT_OF_RANGE(
        `The byte length of the protocol at index ${i} exceeds the maximum length.`,
        '<= 255',
        name.length,
        true,
      );
    }
    arrayPush.call(pieces, Buffer.from([name.length]), name);
  }
  return Buffer.concat(pieces);
}

function convertALPNProtocols(protocols, out) {
  if (Array.isArray(protocols)) out.ALPNProtocols = wireFormat(protocols);
  else if (ArrayBuffer.isView(protocols)) {
    out.ALPNProtocols = Buffer.from(new Uint8Array(protocols.buffer, protocols.byteOffset, protocols.byteLength));
  }
}

module.exports = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: require('internal/crypto/constants').defaultCipherList,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: chosenVersion('min', ['1.0', '1.1', '1.2', '1.3'], 'TLSv1.2'),
  DEFAULT_MAX_VERSION: chosenVersion('max', ['1.3', '1.2'], 'TLSv1.3'),
  getCiphers,
  getCertificateCompressionAlgorithms,
};
Object.defineProperty(module.exports, 'rootCertificates', { __proto__: null, configurable: false, enumerable: true, get: systemRoots });
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
Object.assign(module.exports, {
  getCACertificates,
  setDefaultCACertificates,
  convertALPNProtocols,
  checkServerIdentity: require('internal/tls/identity').checkServerIdentity,
  createSecureContext,
  SecureContext,
  TLSSocket: require('internal/tls/socket').TLSSocket,
  Server: require('internal/tls/server').Server,
  createServer: require('internal/tls/server').createServer,
  connect: require('internal/tls/connect').connect,
});

const problem = process.env.NODE_EXTRA_CA_CERTS ? binding.extraProblem() : undefined;
if (problem !== undefined) process.emitWarning(`Ignoring extra certs from \`${process.env.NODE_EXTRA_CA_CERTS}\`, load failed: ${problem}`);
