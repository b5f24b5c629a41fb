// natives: none
//
// tls.TLSSocket: a net.Socket whose handle encrypts. It stands on a connected net.Socket, on any other Duplex, or, for tls.connect(), on
// a handle of its own that is still to be connected. Questions of the handshake are answered in internal/tls/handshake.

'use strict';

const net = require('internal/net/net');
const { codes } = require('internal/errors/coded');
const { enqueue } = require('internal/queues/ticks');
const {
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/util/validators');
const { Pipe, TCP, kNative } = require('internal/net/handle');
const { kRenewHandle } = require('internal/net/symbols');
const { TLSHandle } = require('internal/tls/handle');
const { handleEvents, onError, pskFunction } = require('internal/tls/handshake');
const { SecureContext, createSecureContext, isNativeContext } = require('internal/tls/secure_context');
const { sessionForReuse, wrapSession } = require('internal/tls/sessions');
const {
  kALPNCallback,
  kConnectOptions,
  kDisableRenegotiation,
  kIsVerified,
  kPendingSession,
  kPskCallback,
} = require('internal/tls/symbols');
const defineMethods = require('internal/util/define_methods');

Object.assign(TLSHandle.prototype, handleEvents);

const kHoldsBack = Symbol('bytes of the socket below leave first');

function wantsTrace({ enableTrace }) {
  if (enableTrace == null) return Boolean(require('internal/process/options').getOptionValue('--trace-tls'));
  validateBoolean(enableTrace, 'options.enableTrace');
  return enableTrace;
}

function TLSSocket(socket, given) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(socket, given);
  const options = { ...given };
  const isTraced = wantsTrace(options);
  if (options.ALPNProtocols) require('internal/tls/tls').convertALPNProtocols(options.ALPNProtocols, options);
  this._tlsOptions = options;
  this._secureEstablished = false;
  this._securePending = false;
  this._newSessionPending = false;
  this._controlReleased = false;
  this.secureConnecting = true;
  this._SNICallback = null;
  this[kALPNCallback] = null;
  this.servername = null;
  this.alpnProtocol = null;
  this.authorized = false;
  this.authorizationError = null;
  this[kIsVerified] = false;
  this[kPendingSession] = null;
  this.encrypted = true;
  call1(net.Socket, this, {
    handle: socket ? this._wrapHandle(socket, handleBelow(socket), socket.writableLength > 0) : this._wrapHandle(null, null, false),
    allowHalfOpen: socket ? socket.allowHalfOpen : options.allowHalfOpen,
    pauseOnCreate: options.pauseOnConnect,
    manualStart: true,
    highWaterMark: options.highWaterMark,
    onread: socket ? null : options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  });
  this.ssl = this._handle;
  this.on('error', this._tlsError);
  this.on('newListener', onNewListener);
  this._init(socket);
  if (isTraced) this._handle.enableTrace();
  this[kHoldsBack] = false;
  if (socket && socket.writableLength > 0 && this._handle._parent !== undefined) holdBack(this, socket);
  else enqueue(() => beginReading(this, socket));
}
Object.setPrototypeOf(TLSSocket.prototype, net.Socket.prototype);
Object.setPrototypeOf(TLSSocket, net.Socket);

// The socket below is a net.Socket with a handle of the loop, or else any Duplex, which is its own handle then.
function handleBelow(socket) {
  const handle = socket instanceof net.Socket ? socket._handle : undefined;
  return handle?.[kNative] === undefined ? socket : handle;
}

// Complete records are still read; pending writes fail.
function onClosedBelow(tlsSocket) {
  const isWhole = tlsSocket._handle?._ended && !tlsSocket.readableEnded;
  if (!isWhole) tlsSocket.destroy();
  else if (!tlsSocket.writableFinished) tlsSocket.once('end', () => tlsSocket.destroy());
}

// Pending writes of the socket below go first.
function holdBack(tlsSocket, socket) {
  tlsSocket[kHoldsBack] = true;
  socket.write('', (error) => {
    if (error) {
      tlsSocket.destroy(error);
      return;
    }
    tlsSocket[kHoldsBack] = false;
    beginReading(tlsSocket, socket);
    tlsSocket.emit('_heldBack');
  });
}

function beginReading(tlsSocket, socket) {
  const handle = tlsSocket._handle;
  if (!handle) return;
  // Bytes that the socket below had already read are ciphertext.
  if (socket?.readableLength && handle._stream === undefined) {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) handle.receive(chunk);
  }
  tlsSocket.read(0);
}

// Only somebody who listens makes OpenSSL tell.
function onNewListener(event) {
  if (event === 'keylog') this._handle?.want('keylog');
  else if (event === 'session' && !this._tlsOptions.isServer) this._handle?.want('sessions');
}

function prepareServer(socket, handle, options) {
  handle.lastHandshakeTime = 0;
  handle.handshakes = 0;
  if (options.ALPNCallback) {
    validateFunction(options.ALPNCallback, 'options.ALPNCallback');
    socket[kALPNCallback] = options.ALPNCallback;
    handle.want('alpn');
  }
  const heard = (event) => socket.server?.listenerCount(event) > 0;
  if (heard('resumeSession') || heard('newSession')) {
    handle.want('sessions');
    handle.want('hello');
  }
  if (heard('OCSPRequest')) handle.want('certificate');
  const { SNICallback } = options;
  const { SNICallback: byContexts } = require('internal/tls/server');
  if (SNICallback && (SNICallback !== byContexts || options.server?._contexts.length)) {
    validateFunction(SNICallback, 'options.SNICallback');
    socket._SNICallback = SNICallback;
    handle.want('certificate');
  }
}

function preparePsk(socket, handle, { pskCallback, pskIdentityHint, isServer }) {
  if (!pskCallback) return;
  validateFunction(pskCallback, 'pskCallback');
  socket[kPskCallback] = pskCallback;
  handle._psk = pskFunction(socket, Boolean(isServer));
  handle.want('psk');
  if (!pskIdentityHint) return;
  validateString(pskIdentityHint, 'options.pskIdentityHint');
  if (!handle.setPskIdentityHint(pskIdentityHint)) enqueue(() => onError(socket, new codes.ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED()));
}

let warnedOfKeylog = false;
function logKeys(socket) {
  const path = require('internal/process/options').getOptionValue('--tls-keylog');
  if (!path) return;
  if (!warnedOfKeylog)
    process.emitWarning(`Using --tls-keylog makes TLS connections insecure by writing secret key material to file ${path}`);
  warnedOfKeylog = true;
  socket.on('keylog', (line) =>
    require('internal/fs/fs').appendFile(path, line, { mode: 0o600 }, (error) => {
      if (error) process.emitWarning(`Failed to write TLS keylog (this warning will not be repeated): ${error}`);
    }),
  );
}

function prepareHandle(socket) {
  const options = socket._tlsOptions;
  const handle = socket._handle;
  handle.onerror = (error) => onError(socket, error);
  // Clients always want the server's certificate.
  const requestCert = Boolean(options.requestCert) || !options.isServer;
  socket._requestCert = requestCert;
  socket._rejectUnauthorized = Boolean(options.rejectUnauthorized);
  handle.setVerifyMode(requestCert, socket._rejectUnauthorized);
  if (options.isServer) prepareServer(socket, handle, options);
  else if (options.session) handle.setSession(options.session);
  if (options.ALPNProtocols) handle.setALPNProtocols(options.ALPNProtocols);
  preparePsk(socket, handle, options);
}

const methods = {
  // Without a handle below one is made that is still to be connected. Programs that stand between a socket and its peer replace this.
  _wrapHandle(socket, handle) {
    const { secureContext, credentials, isServer, pipe } = this._tlsOptions;
    const context = secureContext || credentials || createSecureContext(this._tlsOptions);
    if (!isNativeContext(context?.context)) throw new codes.ERR_TLS_INVALID_CONTEXT('context');
    if (socket) socket.on('close', () => onClosedBelow(this));
    const below = { context, isServer: Boolean(isServer) };
    if (!handle) return new TLSHandle({ ...below, parent: pipe ? new Pipe() : new TCP() });
    if (handle[kNative] === undefined) return new TLSHandle({ ...below, stream: handle });
    return new TLSHandle({ ...below, parent: handle, wrapped: socket });
  },

  _init(socket) {
    const options = this._tlsOptions;
    this.server = options.server;
    prepareHandle(this);
    logKeys(this);
    if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);
    if (socket instanceof net.Socket) {
      this._parent = socket;
      this.connecting = socket.connecting || !socket._handle;
      if (this.connecting) {
        socket.once('connect', () => {
          this.connecting = false;
          if (socket._handle?.[kNative] !== undefined && this._handle?._wrapped === socket) this._handle.standOn(socket._handle);
          this.emit('connect');
        });
      }
    }
    if (socket) {
      socket.on('error', (error) => this._emitTLSError(error));
    } else {
      this.connecting = true;
      if (!options.isServer) this.once('connect', this._start); // new TLSSocket().connect()
    }
  },

  // The next address of a name is tried with a handle of its own.
  [kRenewHandle](parent) {
    const { secureContext, credentials } = this._tlsOptions;
    const old = this._handle;
    const context = old?._secureContext ?? secureContext ?? credentials;
    this._handle = new TLSHandle({ parent, context, isServer: false });
    this.ssl = this._handle;
    prepareHandle(this);
    for (const event of each(['keylog', 'session'])) if (this.listenerCount(event) > 0) call1(onNewListener, this, event);
    const options = this[kConnectOptions];
    if (options?.servername) this.setServername(options.servername);
    if (options?.session) this._handle.setSession(options.session);
  },

  disableRenegotiation() {
    this[kDisableRenegotiation] = true;
  },

  renegotiate(options, callback) {
    validateObject(options, 'options');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.destroyed) return undefined;
    let { _requestCert: requestCert, _rejectUnauthorized: rejectUnauthorized } = this;
    if (options.requestCert !== undefined) requestCert = Boolean(options.requestCert);
    if (options.rejectUnauthorized !== undefined) rejectUnauthorized = Boolean(options.rejectUnauthorized);
    if (requestCert !== this._requestCert || rejectUnauthorized !== this._rejectUnauthorized) {
      this._handle.setVerifyMode(requestCert, rejectUnauthorized);
      this._requestCert = requestCert;
      this._rejectUnauthorized = rejectUnauthorized;
    }
    try {
      this._handle.renegotiate();
    } catch (error) {
      if (callback) enqueue(callback, [error]);
      return false;
    }
    if (callback) this.once('secure', () => callback(null));
    enqueue(() => this._handle?.advance());
    return true;
  },

  exportKeyingMaterial(length, label, context) {
    validateUint32(length, 'length', true);
    validateString(label, 'label');
    if (context !== undefined) validateBuffer(context, 'context');
    if (!this._secureEstablished) throw new codes.ERR_TLS_INVALID_STATE();
    return this._handle.exportKeyingMaterial(length, label, context);
  },

  setMaxSendFragment(size) {
    validateInt32(size, 'size');
    return this._handle.setMaxSendFragment(size);
  },

  _handleTimeout() {
    this._emitTLSError(new codes.ERR_TLS_HANDSHAKE_TIMEOUT());
  },

  _emitTLSError(error) {
    const shown = this._tlsError(error);
    if (shown) this.emit('error', shown);
  },

  // Until the handshake is over errors are the server's or connect()'s to judge.
  _tlsError(error) {
    this.emit('_tlsError', error);
    return this._controlReleased ? error : null;
  },

  _releaseControl() {
    if (this._controlReleased) return false;
    this._controlReleased = true;
    this.removeListener('error', this._tlsError);
    return true;
  },

  _destroySSL() {
    this._handle?.destroySSL();
  },

  _finishInit() {
    if (!this._handle) return;
    this.alpnProtocol = this._handle.getALPNNegotiatedProtocol();
    this.servername ??= this._handle.getServername();
    this._secureEstablished = true;
    if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
    this.emit('secure');
  },

  _start() {
    if (this.connecting) {
      this.once('connect', this._start);
      return;
    }
    if (this[kHoldsBack]) {
      this.once('_heldBack', this._start);
      return;
    }
    if (!this._handle) return;
    if (this._tlsOptions.requestOCSP) this._handle.want('ocsp');
    this._handle.start();
  },

  setServername(name) {
    validateString(name, 'name');
    if (this._tlsOptions.isServer) throw new codes.ERR_TLS_SNI_FROM_SERVER();
    this._handle.setServername(name);
  },

  setSession(session) {
    const offered = sessionForReuse(session, this[kConnectOptions] ?? this._tlsOptions);
    if (offered !== undefined) this._handle.setSession(offered);
  },

  getSession() {
    if (!this._handle) return null;
    return wrapSession(this._handle.getSession(), this[kConnectOptions] ?? this._tlsOptions);
  },

  getPeerCertificate(detailed) {
    if (!this._handle) return null;
    return require('internal/tls/certificate').translate(this._handle.getPeerCertificate(detailed)) ?? {};
  },

  getCertificate() {
    if (!this._handle) return null;
    return require('internal/tls/certificate').translate(this._handle.getCertificate()) ?? {};
  },

  getPeerX509Certificate() {
    const chain = [];
    for (let one = this._handle?.getPeerCertificate(true); one?.raw; one = one.issuerCertificate) {
      arrayPush.call(chain, one.raw);
      if (one.issuerCertificate === one) break;
    }
    return require('internal/crypto/x509').certificateOfChain(chain);
  },
  getX509Certificate() {
    return x509Of(this._handle?.getX509Certificate());
  },

  setKeyCert(context) {
    if (!this._handle) return;
    this._handle.setKeyCert((context instanceof SecureContext ? context : createSecureContext(context)).context);
  },
};

function x509Of(bytes) {
  if (bytes === undefined) return undefined;
  const { X509Certificate } = require('internal/crypto/crypto');
  return new X509Certificate(bytes);
}

for (const name of each([
  'getCipher',
  'getSharedSigalgs',
  'getEphemeralKeyInfo',
  'getFinished',
  'getPeerFinished',
  'getProtocol',
  'getTLSTicket',
  'isSessionReused',
  'enableTrace',
])) {
  methods[name] = function (...args) {
    return this._handle ? this._handle[name](...each(args)) : null;
  };
}
defineMethods(TLSSocket, methods);

module.exports = { TLSSocket };
