// natives: tls
//
// tls.createSecureContext: checks its options, in the order that lets one depend on another (ciphers set the security level under which
// keys are judged; authorities come before certificates; keys after them), and hands each to native('tls').

'use strict';

const binding = native('tls');
const { codes } = require('internal/errors/coded');
const {
  validateArray,
  validateBuffer,
  validateInt32,
  validateInteger,
  validateObject,
  validateString,
} = require('internal/util/validators');

const kCell = Symbol('native secure context');
const versionNumbers = { __proto__: null, TLSv1: 0x301, 'TLSv1.1': 0x302, 'TLSv1.2': 0x303, 'TLSv1.3': 0x304 };
const roles = { __proto__: null, '': 0, _server: 1, _client: 2 };

function failed(code, message) {
  const error = new TypeError(message);
  error.code = code;
  return error;
}

// secureProtocol, a name from OpenSSL's past → [role, lowest version, highest version]
function methodOf(name, lowest, highest) {
  const [, protocol, role = ''] = each(regexpExec.call(/^(\w+?)(_server|_client)?_method$/, name) ?? []);
  if (protocol === 'SSLv2' || protocol === 'SSLv3') throw failed('ERR_TLS_INVALID_PROTOCOL_METHOD', `${protocol} methods disabled`);
  const one = versionNumbers[stringReplace.call(`${protocol}`, '_', '.')];
  if (protocol === 'SSLv23') return [roles[role], lowest, versionNumbers['TLSv1.2']];
  if (protocol === 'TLS') return [roles[role], 0, versionNumbers['TLSv1.3']];
  if (one === undefined || one === versionNumbers['TLSv1.3']) throw failed('ERR_TLS_INVALID_PROTOCOL_METHOD', `Unknown method: ${name}`);
  return [roles[role], one, one];
}

// context.context, under the names that programs know from Node.
class NativeSecureContext {
  constructor() {
    this[kCell] = undefined;
  }
  init(secureProtocol, lowest, highest) {
    const [role, from, to] = each(secureProtocol === undefined ? [0, lowest, highest] : methodOf(secureProtocol, lowest, highest));
    this[kCell] = binding.newContext(role, from, to);
  }
  setOptions(options) {
    this[kCell].setOptions(options);
  }
  setKey(key, passphrase) {
    this[kCell].setKey(key, passphrase);
  }
  setCert(cert) {
    this[kCell].setCertificate(cert);
  }
  addCACert(cert) {
    this[kCell].addAuthority(cert);
  }
  addCRL(crl) {
    this[kCell].addRevocations(crl);
  }
  addRootCerts() {
    this[kCell].wantRoots();
  }
  setAllowPartialTrustChain() {
    this[kCell].allowPartialChain();
  }
  setCipherSuites(suites) {
    this[kCell].setCipherSuites(suites);
  }
  setCiphers(ciphers) {
    this[kCell].setCiphers(ciphers);
  }
  setSigalgs(sigalgs) {
    this[kCell].setSignatureAlgorithms(sigalgs);
  }
  setECDHCurve(curve) {
    if (curve !== 'auto') this[kCell].setCurves(curve);
  }
  setDHParam(parameters) {
    return this[kCell].setDhParameters(parameters);
  }
  setMinProto(version) {
    this[kCell].setVersions(version, undefined);
  }
  setMaxProto(version) {
    this[kCell].setVersions(undefined, version);
  }
  getMinProto() {
    return this[kCell].versions()[0];
  }
  getMaxProto() {
    return this[kCell].versions()[1];
  }
  setSessionIdContext(text) {
    this[kCell].setSessionIdContext(text);
  }
  setSessionTimeout(seconds) {
    this[kCell].setSessionTimeout(seconds);
  }
  setTicketKeys(keys) {
    this[kCell].setTicketKeys(keys);
  }
  getTicketKeys() {
    return this[kCell].ticketKeys();
  }
  loadPKCS12(bytes, passphrase) {
    this[kCell].loadPkcs12(bytes, passphrase);
  }
  getCertificate() {
    return this[kCell].certificate();
  }
  getIssuer() {
    return this[kCell].issuer();
  }
  close() {
    this[kCell] = undefined;
  }
  // The pointer to OpenSSL's object, which only addons of Node's could use.
  get _external() {
    if (!Object.hasOwn(this, kCell)) throw new TypeError('Illegal invocation');
    return this[kCell];
  }
}
Object.defineProperty(NativeSecureContext, 'name', { __proto__: null, value: 'SecureContext' });

function versionOf(version, which) {
  const number = typeof version === 'string' ? versionNumbers[version] : undefined;
  if (number === undefined) throw new codes.ERR_TLS_INVALID_PROTOCOL_VERSION(version, which);
  return number;
}

function SecureContext(secureProtocol, secureOptions, minVersion, maxVersion) {
  if (!(this instanceof SecureContext)) return new SecureContext(secureProtocol, secureOptions, minVersion, maxVersion);
  if (secureProtocol) {
    for (const version of each([minVersion, maxVersion])) {
      if (version != null) throw new codes.ERR_TLS_PROTOCOL_VERSION_CONFLICT(version, secureProtocol);
    }
  }
  const defaults = require('internal/tls/tls');
  const lowest = versionOf(minVersion ?? defaults.DEFAULT_MIN_VERSION, 'minimum');
  const highest = versionOf(maxVersion ?? defaults.DEFAULT_MAX_VERSION, 'maximum');
  this.context = new NativeSecureContext();
  this.context.init(typeof secureProtocol === 'string' && secureProtocol !== '' ? secureProtocol : undefined, lowest, highest);
  if (secureOptions) {
    validateInteger(secureOptions, 'secureOptions');
    this.context.setOptions(secureOptions);
  }
}

const listOf = (value) => (Array.isArray(value) ? value : [value]);

function checkBytes(name, value) {
  if (typeof value === 'string' || ArrayBuffer.isView(value)) return;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
}

function setCiphers(context, given) {
  if (given !== undefined && given !== null) validateString(given, 'options.ciphers');
  const names = arrayFilter.call(stringSplit.call(given || require('internal/tls/tls').DEFAULT_CIPHERS, ':'), (name) => name.length > 0);
  const isModern = (name) => stringStartsWith.call(name, 'TLS_') || stringStartsWith.call(name, '!TLS_');
  const suites = arrayJoin.call(arrayFilter.call(names, isModern), ':');
  const list = arrayJoin.call(
    arrayFilter.call(names, (name) => !isModern(name)),
    ':',
  );
  if (suites === '' && list === '') throw new codes.ERR_INVALID_ARG_VALUE('options.ciphers', names);
  if (suites !== '') context.setCipherSuites(suites);
  context.setCiphers(list);
  const { 'TLSv1.2': v2, 'TLSv1.3': v3 } = versionNumbers;
  if (list === '' && context.getMinProto() < v3 && context.getMaxProto() > v2) context.setMinProto(v3);
}

function setKeys(context, key, passphrase) {
  const set = (pem, pass) => {
    checkBytes('options.key', pem);
    if (pass !== undefined && pass !== null) validateString(pass, 'options.passphrase');
    context.setKey(pem, pass ?? undefined);
  };
  if (!Array.isArray(key)) set(key, passphrase);
  else
    for (const item of each(key))
      set(item?.pem !== undefined ? item.pem : item, item?.passphrase !== undefined ? item.passphrase : passphrase);
}

function setBundles(context, pfx, passphrase) {
  const { Buffer } = require('internal/buffer/buffer');
  const toBytes = (value) => (typeof value === 'string' ? Buffer.from(value, 'utf8') : value);
  for (const item of each(listOf(pfx))) {
    const raw = Array.isArray(pfx) ? item.buf || item : item;
    const pass = (Array.isArray(pfx) ? item.passphrase : undefined) || passphrase;
    context.loadPKCS12(toBytes(raw), pass === undefined || pass === null ? undefined : toBytes(pass));
  }
}

// Engines are a thing of OpenSSL's past that Debian's build no longer loads.
function refuseEngines({ privateKeyIdentifier, privateKeyEngine, clientCertEngine, key }) {
  if (privateKeyIdentifier !== undefined && privateKeyIdentifier !== null) {
    if (privateKeyEngine === undefined || privateKeyEngine === null) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyEngine', privateKeyEngine);
    }
    if (key) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyIdentifier', privateKeyIdentifier);
    for (const [name, value] of eachEntry([
      ['privateKeyIdentifier', privateKeyIdentifier],
      ['privateKeyEngine', privateKeyEngine],
    ])) {
      if (typeof value !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'null', 'undefined'], value);
    }
    throw new codes.ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  }
  if (clientCertEngine === undefined || clientCertEngine === null) return;
  if (typeof clientCertEngine !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.clientCertEngine', ['string', 'null', 'undefined'], clientCertEngine);
  }
  throw new codes.ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
}

function setSessions(context, { sessionIdContext, ticketKeys, sessionTimeout }) {
  if (sessionIdContext !== undefined && sessionIdContext !== null) {
    validateString(sessionIdContext, 'options.sessionIdContext');
    context.setSessionIdContext(sessionIdContext);
  }
  if (ticketKeys !== undefined && ticketKeys !== null) {
    validateBuffer(ticketKeys, 'options.ticketKeys');
    if (ticketKeys.byteLength !== 48)
      throw new codes.ERR_INVALID_ARG_VALUE('options.ticketKeys', ticketKeys.byteLength, 'must be exactly 48 bytes');
    context.setTicketKeys(ticketKeys);
  }
  if (sessionTimeout !== undefined && sessionTimeout !== null) {
    validateInt32(sessionTimeout, 'options.sessionTimeout', 0);
    context.setSessionTimeout(sessionTimeout);
  }
}

// OpenSSL 3.0 knows no compression of certificates: what is asked for is checked, and refused.
function refuseCompression(algorithms) {
  if (algorithms === undefined || algorithms === null) return;
  validateArray(algorithms, 'options.certificateCompression');
  if (algorithms.length > 3) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.certificateCompression', algorithms, 'can specify at most 3 algorithms');
  }
  for (let i = 0; i < algorithms.length; i++) {
    if (arrayIncludes.call(['zlib', 'brotli', 'zstd'], algorithms[i])) continue;
    throw new codes.ERR_INVALID_ARG_VALUE(`options.certificateCompression[${i}]`, algorithms[i], "must be 'zlib', 'brotli', or 'zstd'");
  }
  if (algorithms.length > 0) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.certificateCompression', algorithms, 'is not supported by this version of OpenSSL');
  }
}

function setKeyExchange(context, { sigalgs, ecdhCurve = require('internal/tls/tls').DEFAULT_ECDH_CURVE || 'auto', dhparam }) {
  if (sigalgs !== undefined && sigalgs !== null) {
    validateString(sigalgs, 'options.sigalgs');
    if (sigalgs === '') throw new codes.ERR_INVALID_ARG_VALUE('options.sigalgs', sigalgs);
    context.setSigalgs(sigalgs);
  }
  validateString(ecdhCurve, 'options.ecdhCurve');
  context.setECDHCurve(ecdhCurve);
  if (dhparam === undefined || dhparam === null) return;
  checkBytes('options.dhparam', dhparam);
  const warning = context.setDHParam(dhparam === 'auto' || dhparam);
  if (warning) process.emitWarning(warning, 'SecurityWarning');
}

function configure(context, options) {
  const { allowPartialTrustChain, ca, cert, certificateCompression, ciphers, crl, key, passphrase, pfx } = options;
  setCiphers(context, ciphers);
  if (ca) {
    for (const one of each(listOf(ca))) {
      checkBytes('options.ca', one);
      context.addCACert(one);
    }
  } else {
    context.addRootCerts();
  }
  if (allowPartialTrustChain) context.setAllowPartialTrustChain();
  if (cert) {
    for (const one of each(listOf(cert))) {
      checkBytes('options.cert', one);
      context.setCert(one);
    }
  }
  if (key) setKeys(context, key, passphrase);
  refuseCompression(certificateCompression);
  refuseEngines(options);
  setKeyExchange(context, options);
  if (crl !== undefined && crl !== null) {
    for (const one of each(listOf(crl))) {
      checkBytes('options.crl', one);
      context.addCRL(one);
    }
  }
  if (pfx !== undefined && pfx !== null) setBundles(context, pfx, passphrase);
  setSessions(context, options);
}

function createSecureContext(given) {
  const options = given || {};
  const { honorCipherOrder, minVersion, maxVersion, secureProtocol } = options;
  let { secureOptions } = options;
  if (honorCipherOrder) secureOptions |= binding.kServerPreference;
  const made = new SecureContext(secureProtocol, secureOptions, minVersion, maxVersion);
  validateObject(options, 'options');
  configure(made.context, options);
  return made;
}

const isNativeContext = (value) => value instanceof NativeSecureContext;
const cellOf = (context) => context?.[kCell];

module.exports = { SecureContext, cellOf, createSecureContext, isNativeContext };
