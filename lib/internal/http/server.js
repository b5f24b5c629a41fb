// natives: none
// http.Server: a net.Server whose connections carry HTTP (internal/http/connection). Its options are shared with https.
'use strict';

const EventEmitter = require('internal/events/events');
const net = require('internal/net/net');
const {
  codes: { ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const defineMethods = require('internal/util/define_methods');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/util/validators');
const { IncomingMessage } = require('internal/http/incoming');
const { ServerResponse } = require('internal/http/response');
const { uniqueHeaders } = require('internal/http/outgoing');
const { makeWithoutNew, validateStrictness } = require('internal/http/validate');
const { checkConnections, connectionListener, isIdle } = require('internal/http/connection');
const STATUS_CODES = require('internal/http/status');
const {
  kConnections,
  kConnectionsCheckingInterval,
  kIncomingMessage,
  kOptimizeEmpty,
  kServerResponse,
  kUniqueHeaders,
} = require('internal/http/symbols');

const kEmpty = Object.freeze({ __proto__: null });

function time(server, options, name, usual) {
  const value = options[name];
  if (value !== undefined) validateInteger(value, name, 0);
  server[name] = value ?? usual;
}

function flag(options, name, usual) {
  const value = options[name];
  if (value !== undefined) validateBoolean(value, `options.${name}`);
  return value ?? usual;
}

// The options of an http.Server, also of an https.Server.
function storeHTTPOptions(options) {
  this[kIncomingMessage] = options.IncomingMessage || IncomingMessage;
  this[kServerResponse] = options.ServerResponse || ServerResponse;
  if (options.maxHeaderSize !== undefined) validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  this.maxHeaderSize = options.maxHeaderSize;
  this[kOptimizeEmpty] = flag(options, 'optimizeEmptyRequests', false);
  validateStrictness(options);
  this.insecureHTTPParser = options.insecureHTTPParser;
  this.httpValidation = options.httpValidation;
  time(this, options, 'requestTimeout', 300_000);
  time(this, options, 'headersTimeout', Math.min(60_000, this.requestTimeout));
  if (this.requestTimeout > 0 && this.headersTimeout > 0 && this.headersTimeout > this.requestTimeout) {
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', options.headersTimeout);
  }
  time(this, options, 'keepAliveTimeout', 5_000);
  time(this, options, 'keepAliveTimeoutBuffer', 1000);
  time(this, options, 'connectionsCheckingInterval', 30_000);
  this.requireHostHeader = flag(options, 'requireHostHeader', true);
  this.joinDuplicateHeaders = flag(options, 'joinDuplicateHeaders', undefined);
  this.rejectNonStandardBodyWrites = flag(options, 'rejectNonStandardBodyWrites', false);
  if (options.shouldUpgradeCallback !== undefined) validateFunction(options.shouldUpgradeCallback, 'options.shouldUpgradeCallback');
  this.shouldUpgradeCallback =
    options.shouldUpgradeCallback ??
    function shouldUpgrade() {
      return this.listenerCount('upgrade') > 0;
    };
}

function setupConnectionsTracking() {
  this[kConnections] ||= new Set();
  clearInterval(this[kConnectionsCheckingInterval]);
  this[kConnectionsCheckingInterval] = setInterval(() => checkConnections(this), this.connectionsCheckingInterval).unref();
}

function httpServerPreClose(server) {
  server.closeIdleConnections();
  clearInterval(server[kConnectionsCheckingInterval]);
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return makeWithoutNew(Server, options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = kEmpty;
  } else if (options == null) {
    options = kEmpty;
  } else {
    validateObject(options, 'options');
  }
  call1(storeHTTPOptions, this, options);
  call1(net.Server, this, {
    allowHalfOpen: true,
    noDelay: options.noDelay ?? true,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
    highWaterMark: options.highWaterMark,
  });
  if (requestListener) this.on('request', requestListener);
  this.httpAllowHalfOpen = false;
  this.on('connection', connectionListener);
  this.on('listening', setupConnectionsTracking);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this[kUniqueHeaders] = uniqueHeaders(options.uniqueHeaders);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

const methods = {
  close(...args) {
    httpServerPreClose(this);
    Reflect.apply(net.Server.prototype.close, this, args);
    return this;
  },

  closeAllConnections() {
    for (const { socket } of each([...each(this[kConnections] ?? [])])) socket.destroy();
  },

  closeIdleConnections() {
    for (const connection of each([...each(this[kConnections] ?? [])])) if (isIdle(connection)) connection.socket.destroy();
  },

  setTimeout(msecs, callback) {
    this.timeout = msecs;
    if (callback) this.on('timeout', callback);
    return this;
  },

  // An async request listener that failed.
  [EventEmitter.captureRejectionSymbol](error, event, ...args) {
    if (event !== 'request') {
      Reflect.apply(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, [error, event, ...each(args)]);
      return;
    }
    const response = args[1];
    if (response.headersSent || response.writableEnded) {
      response.destroy();
      return;
    }
    for (const name of each(response.getHeaderNames())) response.removeHeader(name);
    response.statusCode = 500;
    response.end(STATUS_CODES[500]);
  },

  async [Symbol.asyncDispose]() {
    await new Promise((resolve, reject) => {
      this.close((error) => (error ? reject(error) : resolve()));
    });
  },
};
defineMethods(Server, methods);

module.exports = { Server, httpServerPreClose, setupConnectionsTracking, storeHTTPOptions };
