// natives: net
//
// socket.connect(): by path, by address, by name. A name with several addresses is tried family by family in turn, each attempt
// with its time (net.setDefaultAutoSelectFamily); the program hears of every attempt.

'use strict';

const { isIP } = native('net');
const { codes, ExceptionWithHostPort, NodeAggregateError } = require('internal/errors/coded');
const {
  validateBoolean,
  validateFunction,
  validateInt32,
  validateNumber,
  validatePort,
  validateString,
} = require('internal/util/validators');
const { enqueue } = require('internal/queues/ticks');
const { kNormalized, normalizeArgs } = require('internal/net/arguments');
const { Pipe, TCP } = require('internal/net/handle');
const {
  kKeepAlive,
  kKeepAliveCount,
  kKeepAliveDelay,
  kKeepAliveInterval,
  kNoDelay,
  kRenewHandle,
  kTypeOfService,
} = require('internal/net/symbols');
const defaults = require('internal/net/defaults');
const { beginEntry, endEntry, tellSocket } = require('internal/net/observers');

const ECANCELED = -125;
const ETIMEDOUT = -110;
const EADDRINUSE = -98;
const kShortestAttempt = 10;
const anyAddress = { 4: '0.0.0.0', 6: '::' };

function connect(socket, args) {
  const { Socket, attach } = require('internal/net/socket');
  const [options, callback] = each(Array.isArray(args[0]) && args[0][kNormalized] ? args[0] : normalizeArgs(args));
  const { path } = options;
  if (options.port === undefined && path == null) throw new codes.ERR_MISSING_ARGS(['options', 'port', 'path']);
  if (socket._parent?.connecting) return socket;
  if (socket.write !== Socket.prototype.write) socket.write = Socket.prototype.write;
  if (socket.destroyed) startAnew(socket);
  if (!socket._handle) {
    socket._handle = path ? new Pipe() : new TCP();
    attach(socket);
  }
  tellSocket('client', socket);
  if (callback !== null) socket.once('connect', callback);
  socket._unrefTimer();
  socket.connecting = true;
  if (path) {
    validateString(path, 'options.path');
    connectTo(socket, { address: path });
  } else {
    lookUpAndConnect(socket, options);
  }
  return socket;
}

function startAnew(socket) {
  socket._handle = null;
  socket._peername = undefined;
  socket._sockname = undefined;
  socket._undestroy();
}

function checkedTarget(options) {
  const { localAddress, localPort } = options;
  if (localAddress && isIP(localAddress) === 0) throw new codes.ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  const { port } = options;
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string')
      throw new codes.ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    validatePort(port);
  }
  let { autoSelectFamily, autoSelectFamilyAttemptTimeout: timeout } = options;
  if (autoSelectFamily != null) validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  else autoSelectFamily = defaults.autoSelectFamily;
  if (timeout != null) {
    validateInt32(timeout, 'options.autoSelectFamilyAttemptTimeout', 1);
    timeout = Math.max(timeout, kShortestAttempt);
  } else {
    timeout = defaults.attemptTimeout;
  }
  const host = options.host || 'localhost';
  validateString(host, 'options.host');
  if (stringIncludes.call(host, '\0')) throw new codes.ERR_INVALID_ARG_VALUE('options.host', host, 'must be a string without null bytes');
  return { host, port: port | 0, localAddress, localPort, autoSelectFamily, timeout };
}

function dnsFamily(family) {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : family;
}

function lookUpAndConnect(socket, options) {
  const isBound = socket._handle.isBound === true; // net.BoundSocket: its own address, one attempt
  if (isBound && (options.localAddress !== undefined || options.localPort !== undefined)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'localAddress and localPort cannot be used with an adopted bound socket');
  }
  const target = checkedTarget(options);
  const { host, port, localAddress, localPort } = target;
  const kind = isIP(host);
  if (kind !== 0 && isBound) {
    connectTo(socket, { address: host, port, family: kind });
    return;
  }
  if (kind !== 0) {
    enqueue(() => {
      if (socket.connecting) connectTo(socket, { address: host, port, family: kind, localAddress, localPort });
    });
    return;
  }
  if (options.lookup != null) validateFunction(options.lookup, 'options.lookup');
  const query = { family: dnsFamily(options.family), hints: options.hints || 0 };
  const lookup = options.lookup || requireLater('internal/dns/dns').lookup;
  socket._host = host;
  if (target.autoSelectFamily && !isBound && query.family !== 4 && query.family !== 6 && !localAddress) {
    query.all = true;
    lookup(host, query, (error, addresses) => foundMany(socket, options, target, error, addresses));
    return;
  }
  lookup(host, query, (error, address, family) => {
    socket.emit('lookup', error, address, family, host);
    if (!socket.connecting) return;
    const problem = error ?? unusable(address, family, options);
    if (problem) {
      enqueue(() => socket.destroy(problem));
      return;
    }
    socket._unrefTimer();
    connectTo(socket, { address, port, family, localAddress, localPort });
  });
}

function unusable(address, family, { host, port }) {
  if (typeof address !== 'string' || isIP(address) === 0) return new codes.ERR_INVALID_IP_ADDRESS(address);
  if (family !== 4 && family !== 6) return new codes.ERR_INVALID_ADDRESS_FAMILY(family, host, port);
  return undefined;
}

// The families take turns, the first answer's family first.
function interleaved(addresses) {
  const own = arrayFilter.call(addresses, ({ family }) => family === addresses[0].family);
  const other = arrayFilter.call(addresses, ({ family }) => family !== addresses[0].family);
  const order = [];
  for (let i = 0; i < Math.max(own.length, other.length); i++) {
    if (i < own.length) arrayPush.call(order, own[i]);
    if (i < other.length) arrayPush.call(order, other[i]);
  }
  return order;
}

function foundMany(socket, options, target, error, addresses) {
  const { host, port, localAddress, localPort, timeout } = target;
  if (!socket.connecting) return;
  if (error) {
    socket.emit('lookup', error, undefined, undefined, host);
    enqueue(() => socket.destroy(error));
    return;
  }
  const usable = [];
  for (const entry of each(addresses)) {
    socket.emit('lookup', error, entry.address, entry.family, host);
    if (unusable(entry.address, entry.family, options) === undefined) arrayPush.call(usable, entry);
  }
  if (!socket.connecting) return;
  if (usable.length === 0) {
    const problem =
      addresses.length === 0 ? new codes.ERR_INVALID_IP_ADDRESS(undefined) : unusable(addresses[0].address, addresses[0].family, options);
    enqueue(() => socket.destroy(problem));
    return;
  }
  socket._unrefTimer();
  const order = interleaved(usable);
  if (order.length === 1) {
    connectTo(socket, { ...order[0], port, localAddress, localPort });
    return;
  }
  socket.autoSelectFamilyAttemptedAddresses = [];
  new Attempts(socket, order, { port, localPort, timeout }).next();
}

function bindFirst(socket, { family, localAddress, localPort }) {
  if (!localAddress && !localPort) return undefined;
  const address = localAddress || anyAddress[family];
  let status = socket._handle.bind(address, localPort | 0);
  const own = {};
  if (status === 0 && localPort > 0 && socket._handle.getsockname(own) === 0 && own.port !== localPort) status = EADDRINUSE;
  return status !== 0 ? new ExceptionWithHostPort(status, 'bind', address, localPort) : undefined;
}

function failure(socket, status, target) {
  const { address, port, localAddress, localPort } = target;
  const details = localAddress && localPort ? `${localAddress}:${localPort}` : undefined;
  const error = new ExceptionWithHostPort(status, 'connect', address, port, details);
  if (details) Object.assign(error, { localAddress, localPort });
  return error;
}

// Asks the handle, which a program may have made its own: Node's names and arguments.
function request(handle, { address, port, family, localAddress, localPort }, done) {
  const asked = { oncomplete: done, address, port, localAddress, localPort };
  if (family === undefined) return handle.connect(asked, address);
  return family === 6 ? handle.connect6(asked, address, port) : handle.connect(asked, address, port);
}

// One address or path. `target.family` is undefined for a path.
function connectTo(socket, target) {
  const { address, port, family } = target;
  const unbound = bindFirst(socket, target);
  if (unbound) {
    socket.destroy(unbound);
    return;
  }
  socket.emit('connectionAttempt', address, port, family);
  if (!socket.connecting) return;
  if (family !== undefined && socket.blockList?.check(address, `ipv${family}`)) {
    socket.destroy(new codes.ERR_IP_BLOCKED(address));
    return;
  }
  const handle = socket._handle;
  const begun = family === undefined ? undefined : beginEntry('net', 'connect', { host: address, port });
  const status = request(handle, target, (result) => {
    if (socket.destroyed || socket._handle !== handle) return;
    if (result === 0) {
      endEntry(begun);
      connected(socket);
      return;
    }
    socket.connecting = false;
    const error = failure(socket, result, target);
    socket.emit('connectionAttemptFailed', address, port, family, error);
    socket.destroy(error);
  });
  if (status) socket.destroy(failure(socket, status, target));
}

function connected(socket) {
  const handle = socket._handle;
  socket.connecting = false;
  socket._sockname = null;
  socket._unrefTimer();
  if (socket[kNoDelay] && handle.setNoDelay) handle.setNoDelay(true);
  if (socket[kKeepAlive] && handle.setKeepAlive) {
    handle.setKeepAlive(true, socket[kKeepAliveDelay], socket[kKeepAliveInterval], socket[kKeepAliveCount]);
  }
  if (socket[kTypeOfService] !== undefined && handle.setTypeOfService) handle.setTypeOfService(socket[kTypeOfService]);
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.isPaused()) socket.read(0);
}

class Attempts {
  #socket;
  #addresses;
  #options;
  #errors = [];
  #at = 0;
  #timer;

  constructor(socket, addresses, options) {
    this.#socket = socket;
    this.#addresses = addresses;
    this.#options = options;
  }

  next(cancelled = false) {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (cancelled || this.#at === this.#addresses.length) {
      socket.destroy(this.#errors.length === 0 ? new codes.ERR_SOCKET_CONNECTION_TIMEOUT() : new NodeAggregateError(this.#errors));
      return;
    }
    if (this.#at > 0) this.#renewHandle();
    const { port, localPort } = this.#options;
    this.#try({ ...this.#addresses[this.#at++], port, localPort });
  }

  #renewHandle() {
    const { attach } = require('internal/net/socket');
    const socket = this.#socket;
    socket._handle?.close();
    if (socket[kRenewHandle] === undefined) socket._handle = new TCP();
    else socket[kRenewHandle](new TCP());
    attach(socket);
  }

  #try(target) {
    const socket = this.#socket;
    const { address, port, family } = target;
    const unbound = bindFirst(socket, target);
    if (unbound) {
      arrayPush.call(this.#errors, unbound);
      this.next();
      return;
    }
    if (socket.blockList?.check(address, `ipv${family}`)) {
      this.#failed(target, new codes.ERR_IP_BLOCKED(address));
      return;
    }
    socket.emit('connectionAttempt', address, port, family);
    if (!socket.connecting) return;
    const handle = socket._handle;
    const attempt = { over: false, begun: beginEntry('net', 'connect', { host: address, port }) };
    arrayPush.call(socket.autoSelectFamilyAttemptedAddresses, `${address}:${port}`);
    const status = request(handle, target, (result) => this.#ended(attempt, handle, target, result));
    if (status) {
      this.#failed(target, failure(socket, status, target));
      return;
    }
    if (this.#at < this.#addresses.length) {
      this.#timer = setTimeout(() => this.#late(attempt, handle, target), this.#options.timeout);
    }
  }

  #ended(attempt, handle, target, status) {
    const socket = this.#socket;
    if (attempt.over || socket._handle !== handle) return;
    attempt.over = true;
    clearTimeout(this.#timer);
    if (socket.destroyed) return;
    if (status === 0) {
      endEntry(attempt.begun);
      connected(socket);
    } else this.#failed(target, failure(socket, status, target), status === ECANCELED);
  }

  #late(attempt, handle, target) {
    if (attempt.over) return;
    attempt.over = true;
    const socket = this.#socket;
    socket.emit('connectionAttemptTimeout', target.address, target.port, target.family);
    arrayPush.call(this.#errors, failure(socket, ETIMEDOUT, target));
    if (socket.connecting) this.next();
  }

  #failed(target, error, cancelled) {
    arrayPush.call(this.#errors, error);
    this.#socket.emit('connectionAttemptFailed', target.address, target.port, target.family, error);
    if (this.#socket.connecting) this.next(cancelled);
  }
}

module.exports = { connect };
