// natives: none
// tls.connect(): options and sockets put together, and the server's certificate judged when the handshake is over.
'use strict';

const net = require('internal/net/net');
const { codes, ConnResetException } = require('internal/errors/coded');
const { validateFunction, validateNumber } = require('internal/util/validators');
const { TLSSocket } = require('internal/tls/socket');
const { identityOf, sessionForReuse } = require('internal/tls/sessions');
const { kConnectOptions, kIsVerified, kPendingSession } = require('internal/tls/symbols');

let warnedOfInsecurity = false;
function allowsUnauthorized() {
  const allowed = process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (allowed && !warnedOfInsecurity) {
    process.emitWarning(
      "Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS " +
        'requests insecure by disabling certificate verification.',
    );
    warnedOfInsecurity = true;
  }
  return allowed;
}

// ([port], [host], [options], [callback]): the options hold over what stands before them.
function argumentsOf(args) {
  const [options, callback] = each(net._normalizeArgs(args));
  Object.assign(options, args[1] !== null && typeof args[1] === 'object' ? args[1] : args[2]);
  return [options, callback];
}

function identityError(socket, options) {
  const error = socket._handle.verifyError();
  if (error || socket.isSessionReused()) return error;
  return options.checkServerIdentity(identityOf(options), socket.getPeerCertificate(true));
}

function onSecure() {
  const options = this[kConnectOptions];
  const key = this.getEphemeralKeyInfo();
  if (key.type === 'DH' && key.size < options.minDHSize) {
    this.emit('error', new codes.ERR_TLS_DH_PARAM_SIZE(key.size));
    this.destroy();
    return;
  }
  const error = identityError(this, options);
  this.authorized = !error;
  if (error) {
    this.authorizationError = error.code || error.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(error);
      return;
    }
  }
  this.secureConnecting = false;
  this.emit('secureConnect');
  this[kIsVerified] = true;
  const session = this[kPendingSession];
  this[kPendingSession] = null;
  if (session) this.emit('session', session);
  this.removeListener('end', onEarlyEnd);
}

function onEarlyEnd() {
  if (this._hadError) return;
  this._hadError = true;
  const error = new ConnResetException('Client network socket disconnected before secure TLS connection was established');
  const { path, host, port, localAddress } = this[kConnectOptions];
  this.destroy(Object.assign(error, { path, host, port, localAddress }));
}

// Options of tls.connect() that are its socket's.
const kSocketOptions = [
  'allowHalfOpen',
  'rejectUnauthorized',
  'session',
  'ALPNProtocols',
  'requestOCSP',
  'enableTrace',
  'pskCallback',
  'highWaterMark',
  'onread',
  'signal',
  'noDelay',
  'keepAlive',
  'keepAliveInitialDelay',
];

function connect(...args) {
  const [given, callback] = each(argumentsOf(args));
  const { DEFAULT_CIPHERS, checkServerIdentity } = require('internal/tls/tls');
  const options = { rejectUnauthorized: !allowsUnauthorized(), ciphers: DEFAULT_CIPHERS, checkServerIdentity, minDHSize: 1024, ...given };
  if (!options.keepAlive) options.singleUse = true;
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validateNumber(options.minDHSize, 'options.minDHSize', 1);
  const secureContext = options.secureContext || require('internal/tls/shared_contexts').contextFor(options);
  if (options.servername && net.isIP(options.servername)) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'options.servername',
      options.servername,
      'Setting the TLS ServerName to an IP address is not permitted.',
    );
  }
  options.session = sessionForReuse(options.session, options);
  options.rejectUnauthorized = options.rejectUnauthorized !== false;
  const { socket } = options;
  const settings = { pipe: Boolean(options.path), secureContext, isServer: false, requestCert: true };
  for (let i = 0; i < kSocketOptions.length; i++) settings[kSocketOptions[i]] = options[kSocketOptions[i]];
  const made = new TLSSocket(socket, settings);
  made[kConnectOptions] = options;
  if (callback) made.once('secureConnect', callback);
  if (!socket) {
    if (options.timeout) made.setTimeout(options.timeout);
    made.connect(options, made._start);
  }
  made._releaseControl();
  if (options.servername) made.setServername(options.servername);
  if (socket) made._start();
  made.on('secure', onSecure);
  made.prependListener('end', onEarlyEnd);
  return made;
}

module.exports = { connect };
