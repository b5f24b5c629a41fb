// natives: none
// https.Server: a tls.Server whose connections speak HTTP.
'use strict';

const tls = require('internal/tls/tls');
const defineMethods = require('internal/util/define_methods');
const { validateObject } = require('internal/util/validators');
const { connectionListener } = require('internal/http/connection');
const { Server: HttpServer, httpServerPreClose, setupConnectionsTracking, storeHTTPOptions } = require('internal/http/server');

function onTlsClientError(error, socket) {
  if (!this.emit('clientError', error, socket)) socket.destroy(error);
}

function Server(given, requestListener) {
  if (!(this instanceof Server)) return new Server(given, requestListener);
  let options = given ?? {};
  if (typeof given === 'function') {
    requestListener = given;
    options = {};
  } else if (given != null) {
    validateObject(given, 'options');
  }
  call1(storeHTTPOptions, this, options);
  const ALPNProtocols = options.ALPNProtocols || options.ALPNCallback ? undefined : ['http/1.1'];
  call2(tls.Server, this, { noDelay: true, ALPNProtocols, ...options }, connectionListener);
  this.httpAllowHalfOpen = false;
  if (requestListener) this.on('request', requestListener);
  this.on('tlsClientError', onTlsClientError);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this.on('listening', setupConnectionsTracking);
}
Object.setPrototypeOf(Server.prototype, tls.Server.prototype);
Object.setPrototypeOf(Server, tls.Server);

const { closeAllConnections, closeIdleConnections, setTimeout: setServerTimeout } = HttpServer.prototype;
const methods = {
  closeAllConnections,
  closeIdleConnections,
  setTimeout: setServerTimeout,

  close(...args) {
    httpServerPreClose(this);
    Reflect.apply(tls.Server.prototype.close, this, args);
    return this;
  },

  async [Symbol.asyncDispose]() {
    await new Promise((resolve, reject) => {
      this.close((error) => (error ? reject(error) : resolve()));
    });
  },
};
defineMethods(Server, methods);

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

module.exports = { Server, createServer };
