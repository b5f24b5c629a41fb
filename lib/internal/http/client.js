// natives: none
// http.ClientRequest: one request of a client. Where it goes and what it says is decided here; what happens on its connection is in
// internal/http/client_socket.
'use strict';

const net = require('internal/net/net');
const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_HTTP_TOKEN, ERR_INVALID_PROTOCOL, ERR_UNESCAPED_CHARACTERS },
} = require('internal/errors/coded');
const { validateBoolean, validateInteger, validateString } = require('internal/util/validators');
const { enqueue } = require('internal/queues/ticks');
const { OutgoingMessage, uniqueHeaders } = require('internal/http/outgoing');
const observers = require('internal/http/observers');
const { isToken, makeWithoutNew, validateStrictness } = require('internal/http/validate');
const { kHighWaterMark, kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { rewriteForProxy } = require('internal/http/proxy');
const clientSocket = require('internal/http/client_socket');
const agents = require('internal/http/agent');

const kPath = Symbol('kPath');
const kAuthority = Symbol('kAuthority');
const kIsAbsolute = Symbol('the path is a whole URL');
const badPath = /[^\u0021-\u00ff]/;
const withoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function hostOption(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

// (url, options, callback), (options, callback), … → { options, callback }
function normalize(input, options, callback) {
  const { URL, urlToHttpOptions } = require('internal/url/url');
  const { isURL } = require('internal/url/url_class');
  if (typeof input === 'string') {
    input = urlToHttpOptions(new URL(input));
  } else if (isURL(input)) {
    input = urlToHttpOptions(input);
  } else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') return { options: input ?? { __proto__: null }, callback: options };
  return { options: { __proto__: null, ...input, ...options }, callback };
}

function chooseAgent(options) {
  const usual = options._defaultAgent || agents.globalAgent;
  const { agent } = options;
  if (agent === false) return new usual.constructor();
  if (agent === null || agent === undefined) return typeof options.createConnection === 'function' ? agent : usual;
  if (typeof agent.addRequest !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  return agent;
}

function chooseMethod(method) {
  if (method != null) validateString(method, 'options.method');
  if (!method) return 'GET';
  if (!isToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
  return stringToUpperCase.call(method);
}

// As it stands in a URL: IPv6 in brackets.
function hostInUrl(host) {
  const colon = stringIndexOf.call(host, ':');
  return colon !== -1 && stringIncludes.call(host, ':', colon + 1) && !stringStartsWith.call(host, '[') ? `[${host}]` : host;
}

function ClientRequest(input, given, givenCallback) {
  if (!(this instanceof ClientRequest)) return makeWithoutNew(ClientRequest, input, given, givenCallback);
  call0(OutgoingMessage, this);
  const { options, callback } = normalize(input, given, givenCallback);
  if (options.highWaterMark != null) this[kHighWaterMark] = options.highWaterMark;
  this.agent = chooseAgent(options);
  const usual = options._defaultAgent || agents.globalAgent;
  const protocol = options.protocol || usual.protocol;
  const expected = this.agent?.protocol || usual.protocol;
  if (options.path && regexpTest.call(badPath, String(options.path))) throw new ERR_UNESCAPED_CHARACTERS('Request path');
  if (protocol !== expected) throw new ERR_INVALID_PROTOCOL(protocol, expected);

  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  const target = { __proto__: null, ...options };
  target.port = options.port || defaultPort || 80;
  target.host = hostOption(options.hostname, 'hostname') || hostOption(options.host, 'host') || 'localhost';
  this._removedConnection = this._removedContLen = this._removedTE = options.setDefaultHeaders === false;
  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) this.timeout = require('internal/net/timeouts').duration(options.timeout, 'timeout');
  if (options.signal) {
    require('internal/streams/stream').addAbortSignal(options.signal, this);
    delete target.signal;
  }
  this.method = chooseMethod(options.method);
  configure(this, options);
  this[kPath] = options.path || '/';
  if (callback) this.once('response', callback);
  this.useChunkedEncodingByDefault = !withoutBody.has(this.method);
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = target.host;
  this.protocol = protocol;
  if (this.agent) {
    // Worth announcing only if the agent will use the connection again.
    this.shouldKeepAlive = Boolean(this.agent.keepAlive) || Number.isFinite(this.agent.maxSockets);
    this._last = !this.shouldKeepAlive;
  }
  writeHead(this, options, target, defaultPort);
  this[kUniqueHeaders] = uniqueHeaders(options.uniqueHeaders);
  connect(this, target);
  observers.clientRequestCreated(this);
}
const proto = ClientRequest.prototype;
Object.setPrototypeOf(proto, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

function configure(request, options) {
  if (options.maxHeaderSize !== undefined) validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  request.maxHeaderSize = options.maxHeaderSize;
  validateStrictness(options);
  request.insecureHTTPParser = options.insecureHTTPParser;
  request.httpValidation = options.httpValidation;
  if (options.joinDuplicateHeaders !== undefined) validateBoolean(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  request.joinDuplicateHeaders = options.joinDuplicateHeaders;
}

// The headers that were given and those that every request has. A list is sent as it is, at once.
function writeHead(request, options, target, defaultPort) {
  const host = hostInUrl(target.host);
  const authority = { host, port: target.port };
  request[kAuthority] = target.port && +target.port !== defaultPort ? `${host}:${target.port}` : host;
  const firstLine = () => `${request.method} ${request.path} HTTP/1.1\r\n`;
  if (Array.isArray(options.headers)) {
    request[kIsAbsolute] = rewriteForProxy(request, target, authority, undefined, options.headers);
    request._storeHeader(firstLine(), options.headers);
    return;
  }
  if (options.headers) for (const name of each(Object.keys(options.headers))) request.setHeader(name, options.headers[name]);
  const userHost = request.getHeader('host');
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : options.setDefaultHeaders !== false;
  if (target.host && !userHost && setHost) {
    request.setHeader('Host', request.method === 'CONNECT' && options.path ? String(request.path) : request[kAuthority]);
  }
  if (options.auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
  }
  if (request.getHeader('expect') && request._header) throw new ERR_HTTP_HEADERS_SENT('render');
  request[kIsAbsolute] = rewriteForProxy(request, target, authority, userHost);
  if (request.getHeader('expect')) request._storeHeader(firstLine(), request[kOutHeaders]);
}

function connect(request, target) {
  if (request.agent) {
    request.agent.addRequest(request, target);
    return;
  }
  request._last = true;
  request.shouldKeepAlive = false;
  const options = { ...target };
  if (options.socketPath) options.path = options.socketPath;
  else if (options.path) options.path = undefined;
  if (typeof options.createConnection !== 'function') {
    request.onSocket(net.createConnection(options));
    return;
  }
  let called = false;
  const onCreate = (error, socket) => {
    if (called) return;
    called = true;
    if (error) enqueue(() => clientSocket.emitError(request, error));
    else request.onSocket(socket);
  };
  try {
    const socket = options.createConnection(options, onCreate);
    if (socket) onCreate(null, socket);
  } catch (error) {
    onCreate(error);
  }
}

Object.defineProperty(proto, 'path', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return this[kPath];
  },
  set(value) {
    const path = String(value);
    if (regexpTest.call(badPath, path)) throw new ERR_UNESCAPED_CHARACTERS('Request path');
    this[kPath] = path;
  },
});

const methods = {
  _finish() {
    call0(OutgoingMessage.prototype._finish, this);
    observers.clientRequestSent(this, () => (this[kIsAbsolute] ? this.path : `${this.protocol}//${this[kAuthority]}${this.path}`));
  },

  _implicitHeader() {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
    this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kOutHeaders]);
  },

  abort() {
    if (this.aborted) return;
    this.aborted = true;
    enqueue(() => this.emit('abort'));
    this.destroy();
  },

  destroy(error) {
    return clientSocket.destroy(this, error);
  },
  onSocket(socket, error) {
    clientSocket.onSocket(this, socket, error);
  },
  _deferToConnect(method, args) {
    clientSocket.whenConnected(this, method, args);
  },
  setTimeout(msecs, callback) {
    return clientSocket.setTimeout(this, msecs, callback);
  },
  setNoDelay(on) {
    clientSocket.whenConnected(this, 'setNoDelay', [on]);
  },
  setSocketKeepAlive(enable, initialDelay) {
    clientSocket.whenConnected(this, 'setKeepAlive', [enable, initialDelay]);
  },
  clearTimeout(callback) {
    this.setTimeout(0, callback);
  },
};
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value: methods[name] });
}

module.exports = { ClientRequest };
