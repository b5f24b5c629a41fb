// natives: net
// net.Server: listens on a port or a path. A numeric or absent host binds before listen() returns; 'listening' comes in a tick, so a
// handler attached after listen() still hears it.
'use strict';

const binding = native('net');
const EventEmitter = require('events');
const { codes, ExceptionWithHostPort, UVExceptionWithHostPort } = require('internal/errors');
const { validateAbortSignal, validateObject, validatePort } = require('internal/validators');
const { normalizeArgs, toNumber, isPipeName } = require('internal/net/arguments');
const { Socket } = require('internal/net/socket');
const { enqueue } = require('internal/ticks');

const kDefaultBacklog = 511;
const kId = Symbol('id');

class Server extends EventEmitter {
  constructor(options, connectionListener) {
    super();
    if (typeof options === 'function') {
      connectionListener = options;
      options = {};
    } else if (options == null) {
      options = {};
    } else {
      validateObject(options, 'options');
    }
    if (typeof connectionListener === 'function') this.on('connection', connectionListener);
    this._connections = 0;
    this._listeningId = 0;
    this._usingWorkers = false;
    this._unref = false;
    this._pipeName = undefined;
    this[kId] = null;
    this.allowHalfOpen = options.allowHalfOpen || false;
    this.pauseOnConnect = Boolean(options.pauseOnConnect);
    this.noDelay = Boolean(options.noDelay);
    this.keepAlive = Boolean(options.keepAlive);
    this.keepAliveInitialDelay = options.keepAliveInitialDelay ?? 0;
    this.highWaterMark = options.highWaterMark;
  }

  get listening() { return this[kId] !== null; }
  get _handle() { return this[kId] === null ? null : { fd: this[kId] }; }

  listen(...args) {
    const [given, callback] = normalizeArgs(args);
    if (this[kId] !== null) throw new codes.ERR_SERVER_ALREADY_LISTEN();
    if (callback !== null) this.once('listening', callback);
    let options = given;
    if (args.length === 0 || typeof args[0] === 'function' || (given.port === null && given.path === undefined)) options = { ...given, port: 0 };
    const backlog = toNumber(typeof args[0] === 'object' ? options.backlog : args[1]) || toNumber(args[2]) || options.backlog || kDefaultBacklog;
    if (options.signal !== undefined) this.#closeOnAbort(options.signal);
    if (typeof options.fd === 'number' && options.fd >= 0) return this.#start(null, options, backlog);
    if (typeof options.port === 'number' || typeof options.port === 'string') {
      validatePort(options.port, 'options.port');
      return this.#listenOnPort(options, backlog);
    }
    if (options.path && isPipeName(options.path)) {
      this._pipeName = options.path;
      return this.#start(options.path, options, backlog);
    }
    if (options.port === undefined && options.path === undefined && 'port' in options === false) {
      throw new codes.ERR_INVALID_ARG_VALUE('options', given, 'must have the property "port" or "path"');
    }
    if (options.port === undefined) return this.#listenOnPort({ ...options, port: 0 }, backlog);
    throw new codes.ERR_INVALID_ARG_VALUE('options', given);
  }

  #closeOnAbort(signal) {
    validateAbortSignal(signal, 'options.signal');
    const onAbort = () => this.close();
    if (signal.aborted) enqueue(onAbort);
    else {
      signal.addEventListener('abort', onAbort);
      this.once('close', () => signal.removeEventListener('abort', onAbort));
    }
  }

  #listenOnPort(options, backlog) {
    const port = options.port | 0;
    const { host } = options;
    const { isIP, lookup } = require('internal/net/lookup');
    if (!host || isIP(host) !== 0) return this.#start(null, { ...options, port }, backlog);
    lookup(host, {}, (error, address) => {
      if (error) this.emit('error', error);
      else this.#start(null, { ...options, port, host: address }, backlog);
    });
    return this;
  }

  #start(path, options, backlog) {
    const id = binding.newServer(path !== null);
    const status = path !== null ? binding.serverBind(id, path, 0) :
      options.fd !== undefined ? binding.serverOpen(id, options.fd) : bindPort(id, options);
    const listening = status < 0 ? status : binding.serverListen(id, backlog, (result, fd) => this.#onConnection(result, fd));
    if (listening < 0) {
      binding.serverClose(id);
      const error = path !== null ? new UVExceptionWithHostPort(listening, 'listen', path) :
        new UVExceptionWithHostPort(listening, 'listen', options.host || '::', options.port);
      enqueue(() => this.emit('error', error));
      return this;
    }
    this[kId] = id;
    if (this._unref) this.unref();
    this._listeningId++;
    enqueue(() => { if (this[kId] !== null) this.emit('listening'); });
    return this;
  }

  #onConnection(status, fd) {
    if (status < 0) {
      this.emit('error', new ExceptionWithHostPort(status, 'accept'));
      return;
    }
    const isPipe = this._pipeName !== undefined;
    const stream = binding.newStream(isPipe);
    binding.open(stream, fd);
    if (this.maxConnections !== undefined && this._connections >= this.maxConnections) {
      const [localAddress, localPort, localFamily] = binding.localAddress(stream) ?? [];
      const [remoteAddress, remotePort, remoteFamily] = binding.remoteAddress(stream) ?? [];
      binding.close(stream);
      this.emit('drop', { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily });
      return;
    }
    if (this.noDelay) binding.setNoDelay(stream, true);
    if (this.keepAlive) binding.setKeepAlive(stream, true, Math.trunc(this.keepAliveInitialDelay / 1000));
    const socket = new Socket({
      handle: stream, allowHalfOpen: this.allowHalfOpen, pauseOnCreate: this.pauseOnConnect, highWaterMark: this.highWaterMark,
    });
    this._connections++;
    socket.server = this;
    socket._server = this;
    this.emit('connection', socket);
  }

  address() {
    if (this[kId] === null) return null;
    if (this._pipeName !== undefined) return this._pipeName;
    const [address, port, family] = binding.serverAddress(this[kId]) ?? [];
    return { address, family, port };
  }

  getConnections(callback) {
    enqueue(callback, [null, this._connections]);
    return this;
  }

  close(callback) {
    if (typeof callback === 'function') {
      if (this[kId] === null) this.once('close', () => callback(new codes.ERR_SERVER_NOT_RUNNING()));
      else this.once('close', callback);
    }
    if (this[kId] !== null) {
      const id = this[kId];
      this[kId] = null;
      binding.serverClose(id);
    }
    this._emitCloseIfDrained();
    return this;
  }

  [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    if (this[kId] === null) return Promise.resolve();
    return new Promise((resolve, reject) => this.close((error) => (error ? reject(error) : resolve())));
  }

  _emitCloseIfDrained() {
    if (this[kId] !== null || this._connections > 0) return;
    enqueue(() => { if (this[kId] === null && this._connections === 0) this.emit('close'); });
  }

  ref() {
    this._unref = false;
    if (this[kId] !== null) binding.serverSetRef(this[kId], true);
    return this;
  }

  unref() {
    this._unref = true;
    if (this[kId] !== null) binding.serverSetRef(this[kId], false);
    return this;
  }
}

// Without a host: both families through one IPv6 socket, IPv4 alone where there is no IPv6.
function bindPort(id, { host, port, ipv6Only, reusePort }) {
  if (host) return binding.serverBind(id, host, port, Boolean(ipv6Only), Boolean(reusePort));
  const status = binding.serverBind(id, '::', port, Boolean(ipv6Only), Boolean(reusePort));
  return status === -97 ? binding.serverBind(id, '0.0.0.0', port, false, Boolean(reusePort)) : status;
}

module.exports = { Server };
