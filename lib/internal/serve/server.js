// natives: net, stdio
// serve(options): listens at once, over the loop's own listener (or node:tls), and hands each request to the program's function.
'use strict';

const net = native('net');
const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateFunction, validateInteger, validateObject, validatePort, validateString } = require('internal/util/validators');
const { UVExceptionWithHostPort } = require('internal/errors/system');
const { Connection } = require('internal/serve/connection');
const { StreamLink, SocketLink } = require('internal/serve/link');
const { leanResponse } = require('internal/fetch/lean_response');
const { upgradeOf, makeUpgrade, ServerWebSocket, checkHandlers } = require('internal/serve/web_socket');

const kSweep = 1000;
const kBacklog = 511;

// The second argument of a handler.
class RequestInfo {
  #incoming;
  constructor(incoming) {
    this.#incoming = incoming;
  }

  get remoteAddress() {
    return this.#incoming.connection.link.remote?.[0];
  }
  get remotePort() {
    return this.#incoming.connection.link.remote?.[1];
  }
  get server() {
    return this.#incoming.connection.server.face;
  }
  // A Response that, returned from fetch, makes the connection a WebSocket.
  upgrade(options = {}) {
    const { connection } = this.#incoming;
    return makeUpgrade(this.#incoming, connection.server.webSocketHandlers, options);
  }
}

// The server's inside; the program holds a Server.
class Listening {
  constructor(options, face) {
    this.face = face;
    this.handler = options.fetch;
    this.userError = options.error;
    this.webSocketHandlers = options.websocket;
    this.maxHeaderSize = options.maxHeaderSize ?? 0;
    this.maxBodySize = options.maxRequestBodySize ?? 128 * 1024 * 1024;
    this.idleTimeout = (options.idleTimeout ?? 30) * 1000;
    this.requestTimeout = (options.requestTimeout ?? 300) * 1000;
    this.scheme = options.tls === undefined ? 'http:' : 'https:';
    this.defaultPort = options.tls === undefined ? ':80' : ':443';
    this.authority = '';
    this.connections = new Set();
    this.lingering = new Set();
    this.pending = 0;
    this.stopping = false;
    this.stopped = undefined;
    this.sweeper = undefined;
    this.handle = undefined;
    this.secure = undefined;
    this.defaultError = leanResponse('Internal Server Error', { status: 500 });
  }

  infoOf(incoming) {
    return new RequestInfo(incoming);
  }
  isUpgrade(response) {
    return upgradeOf(response) !== undefined;
  }
  takeOver(incoming, response) {
    return new ServerWebSocket(incoming, upgradeOf(response), this.webSocketHandlers);
  }

  onError(error, incoming) {
    if (this.userError !== undefined) return Reflect.apply(this.userError, this.face, [error, this.infoOf(incoming)]);
    this.report(error);
    return new (require('undici/lib/web/fetch/response').Response)('Internal Server Error', { status: 500 });
  }
  report(error) {
    native('stdio').writeText(2, `${require('internal/util/inspect').inspect(error)}\n`);
  }

  accept(link) {
    const connection = new Connection(this, link);
    this.connections.add(connection);
    this.sweeper ??= setInterval(() => this.sweep(), kSweep).unref();
  }
  forget(connection) {
    this.connections.delete(connection);
    if (this.stopping) this.checkStopped();
  }
  linger(link) {
    const entry = { link, sweeps: 0 };
    this.lingering.add(entry);
    link.end(() => {
      this.lingering.delete(entry);
      link.close();
    });
    if (this.stopping) this.checkStopped();
  }

  // Closes connections that are idle, or send, for too long.
  sweep() {
    for (const entry of each(this.lingering)) {
      if (++entry.sweeps < 3) continue;
      this.lingering.delete(entry);
      entry.link.close();
    }
    for (const connection of each(this.connections)) {
      connection.sweeps++;
      const quiet = connection.sweeps * kSweep;
      if (connection.isIdle) {
        const age = connection.age();
        const isLate = age > Math.min(this.requestTimeout || Infinity, 60_000);
        if (isLate) connection.refuse(408);
        else if (this.idleTimeout > 0 && quiet > this.idleTimeout) connection.close();
      } else if (connection.socket !== undefined) {
        connection.socket.sweep(quiet);
      } else if (this.idleTimeout > 0 && connection.stalledFor(kSweep) > this.idleTimeout) {
        connection.close();
      } else if (this.requestTimeout > 0 && -connection.age() > this.requestTimeout) {
        connection.refuse(408);
      }
    }
    if (this.connections.size === 0 && this.lingering.size === 0) {
      clearInterval(this.sweeper);
      this.sweeper = undefined;
    }
  }

  stop(closeActive) {
    if (this.stopped === undefined) {
      this.stopped = Promise.withResolvers();
      this.stopping = true;
      this.closeListener();
    }
    for (const connection of each([...each(this.connections)])) {
      if (closeActive || connection.isIdle) connection.close();
      else connection.socket?.close(1001, 'Server is going away');
    }
    this.checkStopped();
    return this.stopped.promise;
  }
  closeListener() {
    this.handle.close(() => {
      this.handle = undefined;
      this.checkStopped();
    });
  }
  checkStopped() {
    if (this.handle !== undefined || this.connections.size > 0) return;
    for (const { link } of each(this.lingering)) link.close();
    this.lingering.clear();
    clearInterval(this.sweeper);
    this.sweeper = undefined;
    this.stopped.resolve();
  }

  listen(hostname, port, reusePort) {
    const handle = net.newServer(false);
    const status =
      handle.bindTo(hostname, port, false, reusePort) ||
      handle.listen(kBacklog, (error, stream) => {
        if (error !== 0) return;
        stream.setNoDelay(true);
        if (this.secure === undefined) this.accept(new StreamLink(stream));
        else this.shakeHands(stream);
      });
    if (status !== 0) {
      handle.close();
      throw new UVExceptionWithHostPort(status, 'listen', hostname, port);
    }
    this.handle = handle;
    return handle.address()[1];
  }

  // Handshakes are node:tls's: a server of it that listens nowhere is given each connection.
  secureWith(tls) {
    const { createServer } = require('internal/tls/tls');
    this.secure = createServer({ ...tls, ALPNProtocols: ['http/1.1'] }, (socket) => this.accept(new SocketLink(socket)));
    this.secure.on('tlsClientError', () => {});
  }
  shakeHands(stream) {
    const { Socket } = require('internal/net/net');
    const { TCP } = require('internal/net/handle');
    const socket = new Socket({ handle: new TCP(stream), allowHalfOpen: true, readable: true, writable: true });
    socket.on('error', () => {});
    this.secure.emit('connection', socket);
  }
}

class Server {
  #inside;

  constructor(options) {
    checkOptions(options);
    const { hostname = '0.0.0.0', port = 3000, reusePort = false, tls } = options;
    const inside = (this.#inside = new Listening(options, this));
    if (tls !== undefined) inside.secureWith(tls);
    const bound = inside.listen(addressOf(hostname), Number(port), reusePort);
    const shown = hostname === '0.0.0.0' || hostname === '::' ? 'localhost' : hostname;
    inside.authority = `${stringIncludes.call(shown, ':') ? `[${shown}]` : shown}:${bound}`;
    Object.defineProperties(this, {
      port: { __proto__: null, value: bound, enumerable: true },
      hostname: { __proto__: null, value: hostname, enumerable: true },
      url: {
        __proto__: null,
        value: new (require('internal/url/url_class').URL)(`${inside.scheme}//${inside.authority}/`),
        enumerable: true,
      },
    });
  }

  get pendingRequests() {
    return this.#inside.pending;
  }
  get connections() {
    return this.#inside.connections.size;
  }

  stop(closeActive = false) {
    return this.#inside.stop(closeActive);
  }
  ref() {
    return this.#setRef(true);
  }
  unref() {
    return this.#setRef(false);
  }
  #setRef(on) {
    const { handle } = this.#inside;
    if (handle !== undefined) handle.setRef(on);
    return this;
  }
  [Symbol.asyncDispose]() {
    return this.stop();
  }
}

// Listening at once leaves no time to look a name up.
function addressOf(hostname) {
  if (hostname === 'localhost') return '127.0.0.1';
  if (net.isIP(hostname) === 0) throw new ERR_INVALID_ARG_VALUE('options.hostname', hostname, "must be an IP address or 'localhost'");
  return hostname;
}

const kNumbers = ['maxHeaderSize', 'maxRequestBodySize', 'idleTimeout', 'requestTimeout'];

function checkOptions(options) {
  validateObject(options, 'options');
  validateFunction(options.fetch, 'options.fetch');
  if (options.error !== undefined) validateFunction(options.error, 'options.error');
  if (options.port !== undefined) validatePort(options.port, 'options.port');
  if (options.hostname !== undefined) validateString(options.hostname, 'options.hostname');
  if (options.tls !== undefined) validateObject(options.tls, 'options.tls');
  if (options.websocket !== undefined) checkHandlers(options.websocket);
  for (const name of each(kNumbers)) {
    if (options[name] !== undefined) validateInteger(options[name], `options.${name}`, 0);
  }
}

function serve(options) {
  return new Server(options);
}

module.exports = { serve, Server };
