// natives: none
// tls.Server: a net.Server that puts a TLSSocket on each connection and emits 'secureConnection' when its handshake is over.
'use strict';

const EventEmitter = require('internal/events/events');
const net = require('internal/net/net');
const { codes, ConnResetException } = require('internal/errors/coded');
const defineMethods = require('internal/util/define_methods');
const { validateBuffer, validateFunction, validateNumber, validateObject, validateString } = require('internal/util/validators');
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { TLSSocket } = require('internal/tls/socket');
const { kEnableTrace, kErrorEmitted, kHandshakeTimeout, kPskCallback, kPskIdentityHint, kSNICallback } = require('internal/tls/symbols');

const kUsualHandshakeTimeout = 120 * 1000;

// addContext()'s, the newest first. A function of the socket.
function SNICallback(servername, callback) {
  const found = arrayFindLast.call(this.server._contexts, (entry) => regexpTest.call(entry[0], servername));
  callback(null, found?.[1]);
}

function authorize(socket) {
  const error = socket._handle.verifyError();
  // A resumed session of TLS 1.3 counts as verified even if it never had a certificate.
  const code = error?.code ?? (socket._handle.getPeerX509Certificate() ? undefined : 'UNABLE_TO_GET_ISSUER_CERT');
  if (code === undefined) {
    socket.authorized = true;
    return;
  }
  socket.authorizationError = code;
  if (socket._rejectUnauthorized) socket.destroy();
}

function onSecure() {
  if (this._requestCert) authorize(this);
  if (this.destroyed || !this._releaseControl()) return;
  this.secureConnecting = false;
  this._tlsOptions.server.emit('secureConnection', this);
}

function onTlsError(error) {
  if (this._controlReleased || this[kErrorEmitted]) return;
  this[kErrorEmitted] = true;
  this._tlsOptions.server.emit('tlsClientError', error, this);
}

function onKeylog(line) {
  this._tlsOptions.server.emit('keylog', line, this);
}

function onClose(hadError) {
  if (!hadError) call1(onTlsError, this, new ConnResetException('socket hang up'));
}

function onConnection(rawSocket) {
  const socket = new TLSSocket(rawSocket, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSNICallback] || SNICallback,
    enableTrace: this[kEnableTrace],
    pauseOnConnect: this.pauseOnConnect,
    pskCallback: this[kPskCallback],
    pskIdentityHint: this[kPskIdentityHint],
  });
  socket.on('secure', onSecure);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', onKeylog);
  socket[kErrorEmitted] = false;
  socket.on('close', onClose);
  socket.on('_tlsError', onTlsError);
  socket.on('error', onTlsError);
}

function Server(given, listener) {
  if (!(this instanceof Server)) return new Server(given, listener);
  let options = given;
  if (typeof given === 'function') {
    listener = given;
    options = {};
  } else if (given != null && typeof given !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', given);
  }
  options ??= {};
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.ALPNCallback = options.ALPNCallback;
  if (this.ALPNCallback && options.ALPNProtocols) throw new codes.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  if (options.ALPNProtocols) require('internal/tls/tls').convertALPNProtocols(options.ALPNProtocols, this);
  this.setSecureContext(options);
  this[kHandshakeTimeout] = options.handshakeTimeout || kUsualHandshakeTimeout;
  this[kSNICallback] = options.SNICallback;
  this[kPskCallback] = options.pskCallback;
  this[kPskIdentityHint] = options.pskIdentityHint;
  validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
  if (this[kSNICallback]) validateFunction(this[kSNICallback], 'options.SNICallback');
  if (this[kPskCallback]) validateFunction(this[kPskCallback], 'options.pskCallback');
  if (this[kPskIdentityHint]) validateString(this[kPskIdentityHint], 'options.pskIdentityHint');
  call2(net.Server, this, options, onConnection);
  if (listener) this.on('secureConnection', listener);
  this[kEnableTrace] = options.enableTrace;
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

const ifTruthy = [
  'pfx',
  'key',
  'passphrase',
  'cert',
  'clientCertEngine',
  'ca',
  'minVersion',
  'maxVersion',
  'secureProtocol',
  'crl',
  'ciphers',
  'dhparam',
  'secureOptions',
];
const asGiven = ['sigalgs', 'ecdhCurve', 'privateKeyIdentifier', 'privateKeyEngine', 'certificateCompression', 'allowPartialTrustChain'];

const methods = {
  setSecureContext(options) {
    validateObject(options, 'options');
    for (const name of each(ifTruthy)) this[name] = options[name] || undefined;
    for (const name of each(asGiven)) if (name !== 'allowPartialTrustChain') this[name] = options[name];
    this.honorCipherOrder = options.honorCipherOrder === undefined ? true : Boolean(options.honorCipherOrder);
    this.sessionIdContext =
      options.sessionIdContext ||
      stringSlice.call(require('internal/crypto/crypto').createHash('sha1').update(arrayJoin.call(process.argv, ' ')).digest('hex'), 0, 32);
    if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
    if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
    const chosen = { allowPartialTrustChain: options.allowPartialTrustChain };
    for (const name of each([
      ...each(ifTruthy),
      ...each(asGiven),
      'honorCipherOrder',
      'sessionIdContext',
      'sessionTimeout',
      'ticketKeys',
    ])) {
      if (name !== 'allowPartialTrustChain') chosen[name] = this[name];
    }
    this._sharedCreds = createSecureContext(chosen);
  },

  _getServerData() {
    return { ticketKeys: this.getTicketKeys().toString('hex') };
  },
  _setServerData(data) {
    this.setTicketKeys(require('internal/buffer/buffer').Buffer.from(data.ticketKeys, 'hex'));
  },
  getTicketKeys() {
    return this._sharedCreds.context.getTicketKeys();
  },
  setTicketKeys(keys) {
    validateBuffer(keys);
    require('internal/assert/assert')(keys.byteLength === 48, 'Session ticket keys must be a 48-byte buffer');
    this._sharedCreds.context.setTicketKeys(keys);
  },

  addContext(servername, context) {
    if (!servername) throw new codes.ERR_TLS_REQUIRED_SERVER_NAME();
    const pattern = stringReplaceAll.call(replaceMatches(servername, /([.^$+?\-\\[\]{}])/g, '\\$1'), '*', '[^.]*');
    const made = context instanceof SecureContext ? context : createSecureContext(context);
    arrayPush.call(this._contexts, [new RegExp(`^${pattern}$`, 'i'), made.context]);
  },

  [EventEmitter.captureRejectionSymbol](error, event, socket) {
    if (event === 'secureConnection') socket.destroy(error);
    else call3(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, error, event, socket);
  },
};
defineMethods(Server, methods);

function createServer(options, listener) {
  return new Server(options, listener);
}

module.exports = { SNICallback, Server, createServer };
