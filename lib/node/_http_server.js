// natives: none
// node:_http_server, an old name for the server's half of node:http.
'use strict';

const { ServerResponse } = require('internal/http/response');
const { connectionListener } = require('internal/http/connection');
const { Server, httpServerPreClose, setupConnectionsTracking, storeHTTPOptions } = require('internal/http/server');
const { kConnectionsCheckingInterval, kServerResponse } = require('internal/http/symbols');

module.exports = {
  STATUS_CODES: require('internal/http/status'),
  Server,
  ServerResponse,
  setupConnectionsTracking,
  storeHTTPOptions,
  _connectionListener: connectionListener,
  kServerResponse,
  httpServerPreClose,
  kConnectionsCheckingInterval,
};
