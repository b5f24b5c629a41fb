// natives: crypto_x509
//
// X509Certificate and Certificate (SPKAC) of node:crypto.

'use strict';

const binding = native('crypto_x509');
const { codes } = require('internal/errors/coded');
const { kClone } = require('internal/symbols/messaging');
const { handleOf, isKeyObject, keyObjectOn, typeOf } = require('internal/crypto/keys');
const { bytesFrom } = require('internal/crypto/util');
const { validateBoolean, validateObject, validateString } = require('internal/util/validators');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMake = Symbol('made here');

// X509_CHECK_FLAG_…
const { kAlwaysSubject, kNoWildcards, kNoPartialWildcards, kMultiLabel, kSingleLabel, kNeverSubject } = binding;

function flagsFrom(options = {}) {
  validateObject(options, 'options');
  const {
    subject = 'default',
    wildcards = true,
    partialWildcards = true,
    multiLabelWildcards = false,
    singleLabelSubdomains = false,
  } = options;
  validateString(subject, 'options.subject');
  validateBoolean(wildcards, 'options.wildcards');
  validateBoolean(partialWildcards, 'options.partialWildcards');
  validateBoolean(multiLabelWildcards, 'options.multiLabelWildcards');
  validateBoolean(singleLabelSubdomains, 'options.singleLabelSubdomains');
  let flags = 0;
  if (subject === 'always') flags |= kAlwaysSubject;
  else if (subject === 'never') flags |= kNeverSubject;
  else if (subject !== 'default') throw new codes.ERR_INVALID_ARG_VALUE('options.subject', subject);
  if (!wildcards) flags |= kNoWildcards;
  if (!partialWildcards) flags |= kNoPartialWildcards;
  if (multiLabelWildcards) flags |= kMultiLabel;
  if (singleLabelSubdomains) flags |= kSingleLabel;
  return flags;
}

let isX509Certificate;
let handleOfCertificate;

class X509Certificate {
  #handle;
  #issuer;
  #found = new Map();

  // From lib/: (native certificate, kMake, the issuer's certificate).
  constructor(buffer, token, issuer) {
    if (token === kMake) {
      this.#handle = buffer;
      this.#issuer = issuer;
    } else {
      if (typeof buffer !== 'string' && !ArrayBuffer.isView(buffer)) {
        throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
      }
      this.#handle = binding.parse(buffer);
    }
    require('internal/messaging/structured_clone').markTransferMode(this, true, false);
  }

  #once(name, find) {
    if (!this.#found.has(name)) this.#found.set(name, find(this.#handle));
    return this.#found.get(name);
  }
  #text(name) {
    return this.#once(name, (handle) => handle.text(name));
  }

  get subject() {
    return this.#text('subject');
  }
  get subjectAltName() {
    return this.#text('subjectAltName');
  }
  get issuer() {
    return this.#text('issuer');
  }
  get issuerCertificate() {
    return this.#issuer;
  }
  get infoAccess() {
    return this.#text('infoAccess');
  }
  get validFrom() {
    return this.#text('validFrom');
  }
  get validTo() {
    return this.#text('validTo');
  }
  get validFromDate() {
    return this.#once('validFromDate', (handle) => new Date(handle.seconds(false) * 1000));
  }
  get validToDate() {
    return this.#once('validToDate', (handle) => new Date(handle.seconds(true) * 1000));
  }
  get fingerprint() {
    return this.#text('fingerprint');
  }
  get fingerprint256() {
    return this.#text('fingerprint256');
  }
  get fingerprint512() {
    return this.#text('fingerprint512');
  }
  get keyUsage() {
    return this.#once('keyUsage', (handle) => handle.usages());
  }
  get serialNumber() {
    return this.#text('serialNumber');
  }
  get signatureAlgorithm() {
    return this.#text('signatureAlgorithm');
  }
  get signatureAlgorithmOid() {
    return this.#text('signatureAlgorithmOid');
  }
  get raw() {
    return this.#once('raw', (handle) => handle.raw());
  }
  get publicKey() {
    return this.#once('publicKey', (handle) => keyObjectOn('public', handle.publicKey()));
  }
  get ca() {
    return this.#once('ca', (handle) => handle.isAuthority());
  }
  toString() {
    return this.#text('pem');
  }
  toJSON() {
    return this.toString();
  }

  checkHost(name, options) {
    validateString(name, 'name');
    return this.#handle.checkHost(name, flagsFrom(options));
  }

  checkEmail(email, options) {
    validateString(email, 'email');
    return this.#handle.checkEmail(email, flagsFrom(options)) ? email : undefined;
  }

  checkIP(ip, options) {
    validateString(ip, 'ip');
    return this.#handle.checkIp(ip, flagsFrom(options)) ? ip : undefined;
  }

  checkIssued(otherCert) {
    if (!isX509Certificate(otherCert)) throw new codes.ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
    return this.#handle.isIssuedBy(otherCert.#handle);
  }

  checkPrivateKey(pkey) {
    if (!isKeyObject(pkey)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (typeOf(pkey) !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('pkey', pkey);
    return this.#handle.fits(handleOf(pkey));
  }

  verify(pkey) {
    if (!isKeyObject(pkey)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (typeOf(pkey) !== 'public') throw new codes.ERR_INVALID_ARG_VALUE('pkey', pkey);
    return this.#handle.isSignedBy(handleOf(pkey));
  }

  toLegacyObject() {
    return legacyObject(this.#handle);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const shown = {};
    for (const name of each(kShown)) shown[name] = this[name];
    const { inspect } = require('internal/util/inspect');
    return `X509Certificate ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  [kClone]() {
    return { data: this.#handle.raw(), deserializeInfo: 'internal/crypto/x509:revived' };
  }

  static {
    isX509Certificate = (value) => typeof value === 'object' && value !== null && #handle in value;
    handleOfCertificate = (certificate) => certificate.#handle;
  }
}
Object.defineProperty(X509Certificate.prototype, kClone, { enumerable: false });
Object.defineProperty(X509Certificate.prototype, kInspect, { enumerable: false });

const kShown = [
  'subject',
  'subjectAltName',
  'issuer',
  'infoAccess',
  'validFrom',
  'validTo',
  'validFromDate',
  'validToDate',
  'fingerprint',
  'fingerprint256',
  'fingerprint512',
  'keyUsage',
  'serialNumber',
  'signatureAlgorithm',
  'signatureAlgorithmOid',
];

function revived(bytes) {
  return new X509Certificate(binding.parse(bytes), kMake);
}
const certificateOn = (handle, issuer) => new X509Certificate(handle, kMake, issuer);

// As tls.TLSSocket.getPeerCertificate() gives it.
function legacyObject(handle) {
  return requireLater('internal/tls/certificate').translate(handle.legacyObject());
}

// --- SPKAC

function spkacFrom(spkac, encoding) {
  const bytes = bytesFrom(spkac, 'spkac', encoding);
  if (bytes.byteLength > 2 ** 31 - 1) throw new codes.ERR_OUT_OF_RANGE('spkac', '<= 2147483647', bytes.byteLength);
  return bytes;
}

function verifySpkac(spkac, encoding) {
  return binding.verifySpkac(spkacFrom(spkac, encoding));
}
function exportPublicKey(spkac, encoding) {
  return binding.exportPublicKey(spkacFrom(spkac, encoding)) ?? '';
}
function exportChallenge(spkac, encoding) {
  return binding.exportChallenge(spkacFrom(spkac, encoding)) ?? '';
}

// Older programs make one with or without `new`; all it does is static.
function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
for (const place of each([Certificate, Certificate.prototype])) Object.assign(place, { verifySpkac, exportPublicKey, exportChallenge });

// The first of certificates in DER, each of which the next has issued.
function certificateOfChain(chain) {
  let made;
  for (let i = chain.length - 1; i >= 0; i--) made = new X509Certificate(binding.parse(chain[i]), kMake, made);
  return made;
}

module.exports = {
  certificateOfChain,
  Certificate,
  X509Certificate,
  certificateOn,
  handleOfCertificate: (certificate) => handleOfCertificate(certificate),
  isX509Certificate: (value) => isX509Certificate(value),
  legacyObject,
  revived,
};
