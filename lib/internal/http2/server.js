// natives: none
// Http2Server and Http2SecureServer: a net or tls server each of whose connections is an Http2Session. The secure one may hand a client
// that speaks HTTP/1.1 only to node:http (allowHTTP1).
'use strict';

const net = require('internal/net/net');
const tls = require('internal/tls/tls');
const {
  codes: {
    ERR_HTTP2_ALTSVC_INVALID_ORIGIN,
    ERR_HTTP2_ALTSVC_LENGTH,
    ERR_HTTP2_INVALID_ORIGIN,
    ERR_HTTP2_ORIGIN_LENGTH,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_CHAR,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors/coded');
const {
  validateBoolean,
  validateFunction,
  validateNumber,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/util/validators');
const { Http2Session } = require('internal/http2/session');
const observers = require('internal/http2/observers');
const { ServerHttp2Stream } = require('internal/http2/server_stream');
const { kState } = require('internal/http2/stream');
const { checkSettings } = require('internal/http2/settings');

const kOptions = Symbol('options');
const kSessions = Symbol('sessions');
const kTimeout = Symbol('timeout');

const kMostOrigin = 2 ** 14 - 2; // bytes in a frame
const kQuotable = /^[\x09\x20-\x5b\x5d-\x7e\x80-\xff]*$/;

// Of an address, or of an object that says its own: a URL.
function originOf(value) {
  if (typeof value !== 'string') return value === null || typeof value !== 'object' ? value : value.origin;
  const { URL } = require('internal/url/url_class');
  return new URL(value).origin;
}

class ServerHttp2Session extends Http2Session {
  constructor(options, socket, server) {
    super(true, options, socket);
    Object.defineProperty(this, 'server', { __proto__: null, value: server, enumerable: false });
  }

  onNewStream(id, headers, flags, raw, endsStream) {
    const stream = new ServerHttp2Stream(this, id, headers);
    observers.created(stream, headers);
    observers.started(stream, headers);
    if (endsStream) {
      stream[kState].endAfterHeaders = true;
      stream.push(null);
    }
    if (!this.emit('stream', stream, headers, flags, raw)) stream.respond({ ':status': 404 }, { endStream: true });
  }

  altsvc(value, originOrStream = undefined) {
    this.needOpen();
    const id = typeof originOrStream === 'number' ? originOrStream : 0;
    if (typeof originOrStream === 'number' && (id >>> 0 !== id || id === 0)) {
      throw new ERR_OUT_OF_RANGE('originOrStream', `> 0 && < ${2 ** 32}`, originOrStream);
    }
    const origin = originOrStream === undefined || id !== 0 ? '' : originOf(originOrStream);
    if (typeof origin !== 'string') throw new ERR_INVALID_ARG_TYPE('originOrStream', ['string', 'number', 'URL', 'object'], originOrStream);
    if (origin === 'null' || (origin === '' && originOrStream !== undefined && id === 0)) throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
    validateString(value, 'alt');
    if (!regexpTest.call(kQuotable, value)) throw new ERR_INVALID_CHAR('alt');
    if (value.length + origin.length > kMostOrigin) throw new ERR_HTTP2_ALTSVC_LENGTH();
    this.handle.altsvc(id, origin, value);
    this.scheduleFlush();
  }

  origin(...given) {
    this.needOpen();
    if (given.length === 0) return;
    const origins = arrayMap.call(given, (one) => {
      const origin = originOf(one);
      validateString(origin, 'origin');
      if (origin === 'null') throw new ERR_HTTP2_INVALID_ORIGIN();
      return origin;
    });
    if (arrayJoin.call(origins, '').length > kMostOrigin) throw new ERR_HTTP2_ORIGIN_LENGTH();
    this.handle.origin(
      arrayJoin.call(
        arrayMap.call(origins, (origin) => `${origin}\0`),
        '',
      ),
    );
    this.scheduleFlush();
  }

  // Clients promise nothing.
  onPromise() {}
}

function setUpSession(server, socket) {
  const session = new ServerHttp2Session(server[kOptions], socket, server);
  session.on('stream', (stream, headers, flags, raw) => {
    if (!server.emit('stream', stream, headers, flags, raw) && stream.listenerCount('error') === 0) stream.on('error', () => {});
  });
  session.on('error', (error) => server.emit('sessionError', error, session));
  session.on('timeout', () => {
    if (session.destroyed) return;
    if (!server.emit('timeout', session)) session.destroy();
  });
  session.on('close', () => server[kSessions].delete(session));
  server[kSessions].add(session);
  if (server[kTimeout] > 0) session.setTimeout(server[kTimeout]);
  if (Array.isArray(server[kOptions].origins) && session.encrypted) session.origin(...each(server[kOptions].origins));
  server.emit('session', session);
  process.nextTick(() => {
    if (!session.destroyed) session.emit('connect', session, session.socket);
  });
  return session;
}

function onConnection(socket) {
  const options = this[kOptions];
  if (socket.encrypted && socket.alpnProtocol !== 'h2') {
    const isHttp1 = socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1';
    if (options.allowHTTP1 === true && isHttp1) {
      Reflect.apply(require('internal/http/connection').connectionListener, this, [socket]);
      return;
    }
    if (!this.emit('unknownProtocol', socket)) refuseProtocol(socket, options);
    return;
  }
  socket.setNoDelay?.(true);
  setUpSession(this, socket);
}

// A client of HTTP/1 understands this much.
function refuseProtocol(socket, { unknownProtocolTimeout = 10000 }) {
  const timer = setTimeout(() => {
    if (!socket.destroyed) socket.destroy();
  }, unknownProtocolTimeout).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => {});
  if (socket.alpnProtocol) {
    socket.destroy();
    return;
  }
  socket.end(
    'HTTP/1.0 403 Forbidden\r\nContent-Type: text/plain\r\n\r\nMissing ALPN Protocol, expected `h2` to be available.\n' +
      'If this is a HTTP request: The server was not configured with the `allowHTTP1` option ' +
      'or a listener for the `unknownProtocol` event.\n',
  );
}

function checkOptions(given) {
  if (given !== undefined) validateObject(given, 'options');
  const options = { ...given };
  options.settings = checkSettings(options.settings, 'options.settings');
  for (const name of each(['maxSessionInvalidFrames', 'maxSessionRejectedStreams', 'unknownProtocolTimeout'])) {
    if (options[name] !== undefined) validateUint32(options[name], `options.${name}`);
  }
  if (options.strictSingleValueFields !== undefined) validateBoolean(options.strictSingleValueFields, 'options.strictSingleValueFields');
  return options;
}

function setUpServer(server, options, listener) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server[kTimeout] = 0;
  server.on('newListener', function addCompat(name) {
    if (name !== 'request' && name !== 'checkContinue') return;
    server.removeListener('newListener', addCompat);
    server.on('stream', (...args) => Reflect.apply(require('internal/http2/compat').onStream, server, [server[kOptions], ...each(args)]));
  });
  if (listener !== undefined) {
    validateFunction(listener, 'requestListener');
    server.on('request', listener);
  }
}

// A listener has rejected: the client hears of it as well as it can.
function failStream(stream, error) {
  if (stream.sentHeaders) {
    stream.destroy(error);
    return;
  }
  stream.respond({ ':status': 500 });
  stream.end();
}

function failResponse(response) {
  if (response.headersSent || response.finished) {
    response.destroy();
    return;
  }
  for (const name of each(response.getHeaderNames())) response.removeHeader(name);
  response.statusCode = 500;
  response.end('Internal Server Error');
}

// Common part of plain and encrypted servers, beyond their sockets.
const withSessions = (Server) =>
  class extends Server {
    constructor(options, onSocket) {
      super(options, onSocket);
    }

    get timeout() {
      return this[kTimeout];
    }
    set timeout(milliseconds) {
      this[kTimeout] = milliseconds;
    }

    setTimeout(milliseconds, callback = undefined) {
      validateNumber(milliseconds, 'msecs');
      this[kTimeout] = milliseconds;
      if (callback !== undefined) {
        validateFunction(callback, 'callback');
        this.on('timeout', callback);
      }
      return this;
    }

    updateSettings(settings) {
      validateObject(settings, 'settings');
      this[kOptions].settings = { ...this[kOptions].settings, ...checkSettings(settings) };
    }

    close(callback) {
      super.close(callback);
      if (this[kOptions].allowHTTP1 === true) require('internal/http/server').httpServerPreClose(this);
      for (const session of each([...each(this[kSessions])])) session.close();
      return this;
    }

    [Symbol.for('nodejs.rejection')](error, event, ...args) {
      if (event === 'stream') failStream(args[0], error);
      else if (event === 'request') failResponse(args[1]);
      else super[Symbol.for('nodejs.rejection')](error, event, ...each(args));
    }

    async [Symbol.asyncDispose]() {
      await new Promise((resolve, reject) => {
        this.close((error) => (error ? reject(error) : resolve()));
      });
    }
  };

class Http2Server extends withSessions(net.Server) {
  constructor(given, listener) {
    const options = checkOptions(given);
    super({ noDelay: true, ...options }, onConnection);
    setUpServer(this, options, listener);
  }
}

// Protocols that the server offers by default.
function ownProtocols({ ALPNCallback, allowHTTP1 }) {
  if (ALPNCallback !== undefined) return undefined;
  return allowHTTP1 === true ? ['h2', 'http/1.1'] : ['h2'];
}

class Http2SecureServer extends withSessions(tls.Server) {
  constructor(given, listener) {
    const options = checkOptions(given);
    super({ noDelay: true, ALPNProtocols: ownProtocols(options), ...options });
    setUpServer(this, options, listener);
    if (options.allowHTTP1 === true) {
      const { setupConnectionsTracking, storeHTTPOptions } = require('internal/http/server');
      call1(storeHTTPOptions, this, { ...options, ...options.http1Options });
      this.on('listening', setupConnectionsTracking);
    }
    this.on('secureConnection', onConnection);
    this.on('tlsClientError', (error, socket) => {
      if (!this.emit('clientError', error, socket)) socket.destroy(error);
    });
  }

  // Of clients that speak HTTP/1.1 (allowHTTP1).
  closeIdleConnections() {
    if (this[kOptions].allowHTTP1 !== true) return;
    call0(require('internal/http/server').Server.prototype.closeIdleConnections, this);
  }
}

function createServer(options, listener) {
  if (typeof options === 'function') [options, listener] = each([undefined, options]);
  return new Http2Server(options, listener);
}

function createSecureServer(options, listener) {
  return new Http2SecureServer(options, listener);
}

// A session on a connection that somebody else has accepted.
function performServerHandshake(socket, given = {}) {
  return new ServerHttp2Session(checkOptions(given), socket, undefined);
}

module.exports = { createServer, createSecureServer, performServerHandshake };
