// natives: none
// Private symbols of internal/http on messages, sockets and agents.
'use strict';

module.exports = {
  kIncomingMessage: Symbol('IncomingMessage'),
  kServerResponse: Symbol('ServerResponse'),
  kConnections: Symbol('http.server.connections'),
  kConnectionsCheckingInterval: Symbol('http.server.connectionsCheckingInterval'),
  kNeedDrain: Symbol('kNeedDrain'),
  kOnFinish: Symbol('what the connection does when a message is sent, before anybody hears'),
  kOptimizeEmpty: Symbol('kOptimizeEmptyRequests'),
  kOutHeaders: Symbol('kOutHeaders'),
  kProxyConfig: Symbol('kProxyConfig'),
  kSkipPendingData: Symbol('SkipPendingData'),
  kUniqueHeaders: Symbol('kUniqueHeaders'),
  kWaitForProxyTunnel: Symbol('kWaitForProxyTunnel'),
  kHighWaterMark: Symbol('kHighWaterMark'),
};
