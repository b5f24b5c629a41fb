// natives: net
//
// net.Server: listens on a port, a path or a descriptor. A numeric or absent host binds before listen() returns; 'listening' comes
// in a tick, so a handler attached after listen() still hears it.

'use strict';

const { isIP, kindOf } = native('net');
const EventEmitter = require('internal/events/events');
const { codes, ErrnoException, UVExceptionWithHostPort } = require('internal/errors/coded');
const defineMethods = require('internal/util/define_methods');
const { validateAbortSignal, validateNumber, validatePort } = require('internal/util/validators');
const { normalizeArgs, toNumber, isPipeName } = require('internal/net/arguments');
const cluster = require('internal/process/cluster_role');
const { Listener, PipeListener, TCPListener } = require('internal/net/handle');
const { Socket } = require('internal/net/socket');
const { tellListen, tellSocket } = require('internal/net/observers');
const { kAdoptListener, kKeepAlive, kKeepAliveDelay, kNoDelay } = require('internal/net/symbols');
const { enqueue } = require('internal/queues/ticks');

const kBacklog = 511;
const EINVAL = -22;
const EADDRINUSE = -98;
const EAFNOSUPPORT = -97;
const EADDRNOTAVAIL = -99;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  call0(EventEmitter, this);
  if (typeof options === 'function') {
    connectionListener = options;
    options = {};
    this.on('connection', connectionListener);
  } else if (options == null || typeof options === 'object') {
    options = { ...options };
    if (typeof connectionListener === 'function') this.on('connection', connectionListener);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) options.highWaterMark = undefined;
  }
  this._connections = 0;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  this.highWaterMark = options.highWaterMark;
  if (options.blockList) {
    const { BlockList } = require('internal/net/block_list');
    if (!BlockList.isBlockList(options.blockList))
      throw new codes.ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
    this.blockList = options.blockList;
  }
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

function adopted(server, bound) {
  const { handle, path } = bound[kAdoptListener]();
  if (path !== undefined) server._pipeName = path;
  return handle;
}

const methods = {
  listen(...args) {
    const [given, callback] = each(normalizeArgs(args));
    tellListen('asyncStart', { server: this, options: given });
    if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
    this._listeningId++;
    if (callback !== null) this.once('listening', callback);
    const bound = typeof given[kAdoptListener] === 'function' ? given : given.handle;
    let options = typeof bound?.[kAdoptListener] === 'function' ? adopted(this, bound) : given._handle || given.handle || given;
    const backlog = options.backlog || toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]) || kBacklog;
    if (options instanceof Listener) {
      this._handle = options;
      return start(this, { address: null, port: -1, backlog });
    }
    if (options.signal !== undefined) closeOnAbort(this, options.signal);
    if (typeof options.fd === 'number' && options.fd >= 0) return start(this, { fd: options.fd, backlog, exclusive: options.exclusive });
    if (args.length === 0 || typeof args[0] === 'function' || options.port === null || (options.port === undefined && 'port' in options)) {
      options = { ...options, port: 0 };
    }
    if (typeof options.port === 'number' || typeof options.port === 'string') {
      validatePort(options.port, 'options.port');
      return listenOnPort(this, { ...options, port: options.port | 0, backlog });
    }
    if (options.path && isPipeName(options.path)) {
      this._pipeName = options.path;
      const { path, exclusive, readableAll, writableAll } = options;
      if (path[0] === '\0' && (readableAll || writableAll)) {
        const reason = 'can not set readableAll or writableAllt to true when path is abstract unix socket';
        throw new codes.ERR_INVALID_ARG_VALUE('options', options, reason);
      }
      start(this, { path, backlog, exclusive, readableAll, writableAll });
      if (this._handle) widenAccess(options);
      return this;
    }
    if (!('port' in options || 'path' in options)) {
      throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
    }
    throw new codes.ERR_INVALID_ARG_VALUE('options', options);
  },

  address() {
    if (this._handle?.getsockname) {
      const out = {};
      const status = this._handle.getsockname(out);
      if (status < 0) throw new ErrnoException(status, 'address');
      return { address: out.address, family: out.family, port: out.port };
    }
    return this._pipeName ?? null;
  },

  getConnections(callback) {
    if (this._workers.length === 0) enqueue(callback, [null, this._connections]);
    else countEverywhere(this, callback);
    return this;
  },

  close(callback) {
    this._listeningId++;
    if (typeof callback === 'function') {
      if (!this._handle) this.once('close', () => callback(new codes.ERR_SERVER_NOT_RUNNING()));
      else this.once('close', callback);
    }
    if (this._handle) {
      this._handle.close();
      this._handle = null;
    }
    if (this._workers.length > 0) awaitChildren(this);
    this._emitCloseIfDrained();
    return this;
  },

  _emitCloseIfDrained() {
    if (this._handle || this._connections > 0) return;
    enqueue(() => {
      if (!this._handle && this._connections === 0) this.emit('close');
    });
  },

  ref() {
    this._unref = false;
    this._handle?.ref();
    return this;
  },

  unref() {
    this._unref = true;
    this._handle?.unref();
    return this;
  },

  [EventEmitter.captureRejectionSymbol](error, event, socket) {
    if (event === 'connection') socket.destroy(error);
    else this.emit('error', error);
  },

  async [Symbol.asyncDispose]() {
    if (!this._handle) return;
    await new Promise((resolve, reject) => {
      this.close((error) => (error ? reject(error) : resolve()));
    });
  },
};
defineMethods(Server, methods);
Object.defineProperty(Server.prototype, 'listening', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return Boolean(this._handle);
  },
});

// Connections that children have count too (internal/child_process/socket_lists).
function countEverywhere(server, callback) {
  let total = server._connections,
    left = server._workers.length;
  const counted = (error, count) => {
    if (left <= 0) return;
    left = error ? 0 : left - 1;
    total += count;
    if (left === 0) enqueue(callback, error ? [error] : [null, total]);
  };
  for (const list of each(server._workers)) list.getConnections(counted);
}

// For 'close' each child is one more connection until it has closed its last.
function awaitChildren(server) {
  for (const list of each(arraySlice.call(server._workers))) {
    server._connections++;
    list.close(() => {
      server._connections--;
      server._emitCloseIfDrained();
    });
  }
}

function closeOnAbort(server, signal) {
  validateAbortSignal(signal, 'options.signal');
  const onAbort = () => server.close();
  if (signal.aborted) {
    enqueue(onAbort);
    return;
  }
  signal.addEventListener('abort', onAbort);
  server.once('close', () => signal.removeEventListener('abort', onAbort));
}

function listenOnPort(server, options) {
  const { host, port, backlog, ipv6Only, reusePort } = options;
  // Sockets that share a port by themselves need no primary.
  const how = { port, backlog, ipv6Only, reusePort, exclusive: options.exclusive || reusePort };
  if (!host) return start(server, how);
  if (isIP(host) !== 0) return start(server, { ...how, address: host, takesTick: true });
  const listeningId = server._listeningId;
  requireLater('internal/dns/dns').lookup(host, { all: true }, (error, addresses) => {
    if (listeningId !== server._listeningId) return; // closed in between
    // A link-local address alone does not say on which interface.
    if (error) server.emit('error', error);
    else
      start(server, {
        ...how,
        address: (arrayFind.call(addresses, ({ address }) => !regexpTest.call(/^fe80:/i, address)) ?? addresses[0]).address,
      });
  });
  return server;
}

function openHandle({ fd, path, address, port, ipv6Only, reusePort }) {
  let handle;
  let status;
  if (fd !== undefined) {
    const kind = kindOf(fd);
    if (kind !== 'tcp' && kind !== 'pipe') return EINVAL;
    handle = kind === 'tcp' ? new TCPListener() : new PipeListener();
    status = handle.open(fd);
  } else if (path !== undefined) {
    handle = new PipeListener();
    status = handle.bind(path);
  } else {
    handle = new TCPListener();
    status = handle.bind(address, port, ipv6Only, reusePort);
  }
  if (status === 0) return handle;
  handle.close();
  return status;
}

// Without a host: both families through one IPv6 socket, IPv4 alone where there is no IPv6.
function openAnyFamily(target) {
  const made = openHandle({ ...target, address: '::' });
  return made === EAFNOSUPPORT || made === EADDRNOTAVAIL ? openHandle({ ...target, address: '0.0.0.0' }) : made;
}

// A listener for others, bound and not yet listening, or an errno: what the primary of a cluster shares.
function openListener({ address, port, fd, ipv6Only, isPath }) {
  if (fd >= 0) return openHandle({ fd });
  if (isPath) return openHandle({ path: address });
  return address === null || address === undefined ? openAnyFamily({ port, ipv6Only }) : openHandle({ address, port, ipv6Only });
}

// In a worker of a cluster the primary has the socket, and says where it listens.
function startThroughPrimary(server, target) {
  const { fd, path, port = null, address = null, ipv6Only, backlog, readableAll, writableAll } = target;
  const addressType = fd !== undefined ? null : path !== undefined ? -1 : address === null ? 4 : isIP(address);
  const query = {
    address: path ?? address,
    port: path === undefined ? port : -1,
    addressType,
    fd,
    flags: ipv6Only ? 1 : 0,
    backlog,
    readableAll,
    writableAll,
  };
  const listeningId = server._listeningId;
  cluster.getServer(server, query, (errno, handle) => {
    if (listeningId !== server._listeningId) {
      handle?.close();
      return;
    }
    const status = errno || boundElsewhere(handle, port);
    if (status) {
      const error = new UVExceptionWithHostPort(status, 'bind', query.address, port ?? -1);
      server.emit('error', error);
      return;
    }
    server._handle = handle;
    start(server, { ...target, address, port });
  });
  return server;
}

// The port of a shared socket whose binding failed only when it was used.
function boundElsewhere(handle, port) {
  const own = {};
  if (!(port > 0) || !handle?.getsockname) return 0;
  return handle.getsockname(own) || (own.port === port ? 0 : EADDRINUSE);
}

function start(server, target) {
  if (cluster.getServer !== undefined && !server._handle && !target.exclusive) return startThroughPrimary(server, target);
  const { fd, path, backlog } = target;
  const anyFamily = fd === undefined && path === undefined && target.address === undefined;
  const shown = path ?? (anyFamily ? '::' : (target.address ?? null));
  const fail = (status) => {
    const error = new UVExceptionWithHostPort(status, 'listen', shown, path === undefined ? target.port : -1);
    tellListen('error', { server, error });
    enqueue(() => server.emit('error', error));
    return server;
  };
  if (!server._handle) {
    const made = anyFamily ? openAnyFamily(target) : openHandle(target);
    if (typeof made === 'number') return fail(made);
    server._handle = made;
  }
  const handle = server._handle;
  handle.owner = server;
  handle.onconnection = onConnection;
  const status = handle.listen(backlog);
  if (status < 0) {
    handle.close();
    server._handle = null;
    return fail(status);
  }
  server._connectionKey = `${isIP(`${shown}`) || -1}:${shown}:${target.port ?? -1}`;
  if (server._unref) server.unref();
  const tell = () => {
    if (!server._handle) return;
    tellListen('asyncEnd', { server });
    server.emit('listening');
  };
  // Node looks up a numeric host too, which takes a tick.
  enqueue(target.takesTick ? () => enqueue(tell) : tell);
  return server;
}

// options.readableAll and writableAll: everybody may connect to the path.
function widenAccess({ path, readableAll, writableAll }) {
  const more = (readableAll ? 0o444 : 0) | (writableAll ? 0o222 : 0);
  if (more === 0 || stringStartsWith.call(path, '\0')) return;
  const fs = require('internal/fs/fs');
  fs.chmodSync(path, (fs.statSync(path).mode & 0o777) | more);
}

function endsOf(handle) {
  if (!handle.getsockname) return undefined;
  const own = {};
  const peer = {};
  handle.getsockname(own);
  handle.getpeername(peer);
  return {
    localAddress: own.address,
    localPort: own.port,
    localFamily: own.family,
    remoteAddress: peer.address,
    remotePort: peer.port,
    remoteFamily: peer.family,
  };
}

function isBlocked(server, client) {
  if (!server.blockList || !client.getpeername) return false;
  const peer = {};
  if (client.getpeername(peer) !== 0) return true;
  const kind = isIP(peer.address);
  return kind !== 0 && server.blockList.check(peer.address, `ipv${kind}`);
}

// A function of the handle, as programs that wrap it expect.
function onConnection(status, client) {
  const server = this.owner;
  if (status < 0) {
    server.emit('error', new ErrnoException(status, 'accept'));
    return;
  }
  if (server.maxConnections != null && server._connections >= server.maxConnections) {
    const ends = endsOf(client);
    client.close();
    server.emit('drop', ends);
    return;
  }
  if (isBlocked(server, client)) {
    const ends = endsOf(client);
    client.close();
    server.emit('drop', ends);
    return;
  }
  const socket = new Socket({
    handle: client,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
    manualStart: true,
    readable: true,
    writable: true,
    readableHighWaterMark: server.highWaterMark,
    writableHighWaterMark: server.highWaterMark,
  });
  if (server.noDelay && client.setNoDelay) {
    socket[kNoDelay] = true;
    client.setNoDelay(true);
  }
  if (server.keepAlive && client.setKeepAlive) {
    socket[kKeepAlive] = true;
    socket[kKeepAliveDelay] = server.keepAliveInitialDelay;
    client.setKeepAlive(true, server.keepAliveInitialDelay);
  }
  server._connections++;
  socket.server = server;
  socket._server = server;
  // Reading begins when the program has seen it: it may send the socket to another thread.
  try {
    server.emit('connection', socket);
  } finally {
    if (!server.pauseOnConnect && socket._handle !== null) socket.read(0);
  }
  tellSocket('server', socket);
}

require('internal/net/movable').makeMovable(Server.prototype, 'Server');

module.exports = { openListener, Server };
