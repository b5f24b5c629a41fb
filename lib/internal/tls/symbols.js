// natives: none
// Private symbols of internal/tls on sockets and servers.
'use strict';

module.exports = {
  kALPNCallback: Symbol('ALPNCallback'),
  kConnectOptions: Symbol('connect-options'),
  kDisableRenegotiation: Symbol('renegotiation is disabled'),
  kEnableTrace: Symbol('enableTrace'),
  kErrorEmitted: Symbol('tlsClientError has been emitted'),
  kHandshakeTimeout: Symbol('handshakeTimeout'),
  kIsVerified: Symbol('the peer has been verified'),
  kPendingSession: Symbol('session that came before the peer was verified'),
  kPskCallback: Symbol('pskCallback'),
  kPskIdentityHint: Symbol('pskIdentityHint'),
  kSNICallback: Symbol('SNICallback'),
};
