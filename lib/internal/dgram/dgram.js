// natives: net
//
// node:dgram: UDP sockets over the loop's. Names are looked up by node:dns; what arrives before the socket is bound to be sent waits.

'use strict';

const { isIP, kindOf } = native('net');
const { Buffer } = require('internal/buffer/buffer');
const EventEmitter = require('internal/events/events');
const diagnostics = require('internal/events/diagnostics_channel');
const {
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_FD_TYPE,
    ERR_IP_BLOCKED,
    ERR_SOCKET_ALREADY_BOUND,
    ERR_SOCKET_DGRAM_IS_CONNECTED,
    ERR_SOCKET_DGRAM_NOT_CONNECTED,
    ERR_SOCKET_DGRAM_NOT_RUNNING,
  },
  ErrnoException,
  ExceptionWithHostPort,
} = require('internal/errors/coded');
const cluster = require('internal/process/cluster_role');
const { bufferSize, install } = require('internal/dgram/options');
const { kIpv6Only, kReuseAddress, kReusePort, kState, newHandle } = require('internal/dgram/handle');
const {
  validateAbortSignal,
  validateNumber,
  validateObject,
  validatePort,
  validateString,
  validateUint32,
} = require('internal/util/validators');

const udpSocketChannel = diagnostics.channel('udp.socket');

const kUnbound = 0;
const kBinding = 1;
const kBound = 2;
const kDisconnected = 0;
const kConnecting = 1;
const kConnected = 2;

function checkedBlockList(options, name) {
  const list = options[name];
  if (!list) return undefined;
  if (!require('internal/net/block_list').BlockList.isBlockList(list)) {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, 'net.BlockList', list);
  }
  return list;
}

function checkedBufferSize(options, name) {
  if (options[name]) validateUint32(options[name], `options.${name}`);
  return options[name];
}

function Socket(type, listener) {
  call0(EventEmitter, this);
  const options = type !== null && typeof type === 'object' ? type : { type };
  const recvBufferSize = checkedBufferSize(options, 'recvBufferSize');
  const sendBufferSize = checkedBufferSize(options, 'sendBufferSize');
  const receiveBlockList = checkedBlockList(options, 'receiveBlockList');
  const sendBlockList = checkedBlockList(options, 'sendBlockList');
  this.type = options.type;
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  const handle = newHandle(options.type, options.lookup);
  handle.owner = this;
  if (typeof listener === 'function') this.on('message', listener);
  this[kState] = {
    handle,
    receiving: false,
    bindState: kUnbound,
    connectState: kDisconnected,
    queue: undefined,
    reuseAddr: options.reuseAddr,
    reusePort: options.reusePort,
    ipv6Only: options.ipv6Only,
    recvBufferSize,
    sendBufferSize,
    receiveBlockList,
    sendBlockList,
  };
  if (options.signal !== undefined) closeWith(this, options.signal);
  if (udpSocketChannel.hasSubscribers) udpSocketChannel.publish({ socket: this });
}
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Socket, EventEmitter);

function closeWith(socket, signal) {
  const onAbort = () => {
    if (socket[kState].handle) socket.close();
  };
  if (signal.aborted) {
    onAbort();
    return;
  }
  const listening = require('internal/events/abort_listener').addAbortListener(signal, onAbort);
  socket.once('close', () => listening[Symbol.dispose]());
}

function runningState(socket) {
  const state = socket[kState];
  if (!state.handle) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
  return state;
}

function check(status, call) {
  if (status < 0) throw new ErrnoException(status, call);
}

function startReceiving(socket) {
  const state = socket[kState];
  state.handle.onmessage = (status, bytes, address, family, port) => onMessage(socket, status, bytes, address, family, port);
  state.handle.recvStart();
  state.receiving = true;
  state.bindState = kBound;
  if (state.recvBufferSize) bufferSize(state, state.recvBufferSize, true);
  if (state.sendBufferSize) bufferSize(state, state.sendBufferSize, false);
}

function startListening(socket) {
  startReceiving(socket);
  socket.emit('listening');
}

function onMessage(socket, status, bytes, address, family, port) {
  if (status < 0) {
    socket.emit('error', new ErrnoException(status, 'recvmsg'));
    return;
  }
  if (socket[kState].receiveBlockList?.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4')) return;
  socket.emit('message', bytes, { address, family, port, size: bytes.length });
}

// A handle from elsewhere takes the place of the socket's own.
function replaceHandle(socket, handle) {
  const state = socket[kState];
  const old = state.handle;
  if (!old.hasRef()) handle.unref();
  handle.lookup = old.lookup;
  handle.owner = socket;
  old.close();
  state.handle = handle;
}

function failBinding(socket, error) {
  socket[kState].bindState = kUnbound;
  socket.emit('error', error);
}

// In a worker of a cluster: the primary binds, and all workers share what it has bound.
function bindInPrimary(socket, options, makeError) {
  const state = socket[kState];
  cluster.getServer(socket, options, (error, handle) => {
    if (error) {
      if (state.handle) failBinding(socket, makeError(error));
      return;
    }
    if (!state.handle) {
      handle.close();
      return;
    }
    replaceHandle(socket, handle);
    startListening(socket);
  });
}

function bindFlags(state) {
  return (state.reuseAddr ? kReuseAddress : 0) | (state.ipv6Only ? kIpv6Only : 0) | (state.reusePort ? kReusePort : 0);
}

// An open descriptor instead of a new socket.
function bindDescriptor(socket, { fd, exclusive }) {
  const state = socket[kState];
  if (cluster.getServer !== undefined && !exclusive) {
    const options = { address: null, port: null, addressType: socket.type, fd, flags: null };
    bindInPrimary(socket, options, (error) => new ErrnoException(error, 'open'));
    return;
  }
  const kind = kindOf(fd);
  if (kind !== 'udp') throw new ERR_INVALID_FD_TYPE(stringToUpperCase.call(kind));
  check(state.handle.open(fd), 'open');
  startListening(socket);
}

function bindAddress(socket, address, port, exclusive) {
  const state = socket[kState];
  state.handle.lookup(address, (error, ip) => {
    if (!state.handle) return;
    if (error) {
      failBinding(socket, error);
      return;
    }
    const flags = bindFlags(state);
    if (cluster.getServer !== undefined && !exclusive && !state.reusePort) {
      const options = { address: ip, port, addressType: socket.type, fd: -1, flags };
      bindInPrimary(socket, options, (status) => new ExceptionWithHostPort(status, 'bind', ip, port));
      return;
    }
    const status = state.handle.bind(ip, port || 0, flags);
    if (status !== 0) failBinding(socket, new ExceptionWithHostPort(status, 'bind', ip, port));
    else startListening(socket);
  });
}

function anyAddress(socket) {
  return socket.type === 'udp4' ? '0.0.0.0' : '::';
}

Socket.prototype.bind = function (port, address, ...rest) {
  const state = runningState(this);
  if (state.bindState !== kUnbound) throw new ERR_SOCKET_ALREADY_BOUND();
  state.bindState = kBinding;
  const callback = arrayFindLast.call([port, address, ...each(rest)], (given) => given !== undefined);
  if (typeof callback === 'function') {
    const stop = () => {
      this.removeListener('error', stop);
      this.removeListener('listening', onListening);
    };
    const onListening = () => {
      stop();
      call0(callback, this);
    };
    this.on('error', stop);
    this.on('listening', onListening);
  }
  const options = port !== null && typeof port === 'object' ? port : undefined;
  if (typeof options?.recvStart === 'function') {
    replaceHandle(this, options);
    startListening(this);
  } else if (options !== undefined && Number.isInteger(options.fd) && options.fd > 0) {
    bindDescriptor(this, options);
  } else if (options !== undefined) {
    bindAddress(this, options.address || anyAddress(this), options.port, Boolean(options.exclusive));
  } else {
    bindAddress(this, (typeof address === 'function' ? '' : address) || anyAddress(this), port, false);
  }
  return this;
};

function checkNumeric(address, name, method) {
  validateString(address, name);
  if (isIP(address) !== 0) return;
  throw new ERR_INVALID_ARG_VALUE(name, address, `must be a numeric IP address; ${method} does not perform DNS resolution`);
}

// As bind(), at once: for addresses that need no look-up.
Socket.prototype.bindSync = function (options = {}) {
  const state = runningState(this);
  validateObject(options, 'options');
  if (state.bindState !== kUnbound) throw new ERR_SOCKET_ALREADY_BOUND();
  const port = validatePort(options.port ?? 0, 'options.port');
  let { address } = options;
  if (address) checkNumeric(address, 'options.address', 'bindSync');
  else address = anyAddress(this);
  const status = state.handle.bind(address, port, bindFlags(state));
  if (status !== 0) throw new ExceptionWithHostPort(status, 'bind', address, port);
  startReceiving(this);
  process.nextTick(() => {
    if (this[kState].handle) this.emit('listening');
  });
  return this.address();
};

Socket.prototype.connect = function (port, address, callback) {
  port = validatePort(port, 'Port', false);
  if (typeof address === 'function') {
    callback = address;
    address = '';
  } else if (address === undefined) {
    address = '';
  }
  validateString(address, 'address');
  const state = this[kState];
  if (state.connectState !== kDisconnected) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  state.connectState = kConnecting;
  if (state.bindState === kUnbound) this.bind({ port: 0, exclusive: true }, null);
  if (state.bindState === kBound) connectNow(this, port, address, callback);
  else whenBound(this, () => connectNow(this, port, address, callback));
};

function connectNow(socket, port, address, callback) {
  const state = socket[kState];
  if (callback) socket.once('connect', callback);
  state.handle.lookup(address, (error, ip) => {
    if (!state.handle) return;
    if (!error && state.sendBlockList?.check(ip, `ipv${isIP(ip)}`)) error = new ERR_IP_BLOCKED(ip);
    if (!error) {
      const status = state.handle.connect(ip, port);
      if (status !== 0) error = new ExceptionWithHostPort(status, 'connect', address, port);
    }
    if (!error) {
      state.connectState = kConnected;
      process.nextTick(() => socket.emit('connect'));
      return;
    }
    state.connectState = kDisconnected;
    process.nextTick(() => {
      if (callback) {
        socket.removeListener('connect', callback);
        callback(error);
      } else {
        socket.emit('error', error);
      }
    });
  });
}

// As connect(), at once: for addresses that need no look-up.
Socket.prototype.connectSync = function (port, address) {
  const state = runningState(this);
  port = validatePort(port, 'Port', false);
  if (state.connectState !== kDisconnected) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  if (address == null || address === '') address = this.type === 'udp4' ? '127.0.0.1' : '::1';
  else checkNumeric(address, 'address', 'connectSync');
  if (state.bindState === kUnbound) this.bindSync();
  else if (state.bindState !== kBound) throw new ERR_SOCKET_ALREADY_BOUND();
  if (state.sendBlockList?.check(address, `ipv${isIP(address)}`)) throw new ERR_IP_BLOCKED(address);
  const status = state.handle.connect(address, port);
  if (status !== 0) throw new ExceptionWithHostPort(status, 'connect', address, port);
  state.connectState = kConnected;
  process.nextTick(() => {
    if (this[kState].handle) this.emit('connect');
  });
};

Socket.prototype.disconnect = function () {
  const state = this[kState];
  if (state.connectState !== kConnected) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  check(state.handle.disconnect(), 'connect');
  state.connectState = kDisconnected;
};

// Functions to call when the socket is bound; dropped when that fails.
function whenBound(socket, action) {
  const state = socket[kState];
  if (state.queue === undefined) {
    state.queue = [];
    const onError = () => {
      socket.removeListener('listening', onListening);
      state.queue = undefined;
    };
    const onListening = () => {
      socket.removeListener(EventEmitter.errorMonitor, onError);
      const { queue } = state;
      state.queue = undefined;
      for (const run of each(queue)) run();
    };
    socket.once(EventEmitter.errorMonitor, onError);
    socket.once('listening', onListening);
  }
  arrayPush.call(state.queue, action);
}

const kMessageTypes = ['Buffer', 'TypedArray', 'DataView', 'string'];

function slice(message, offset, length) {
  if (typeof message === 'string') message = Buffer.from(message);
  else if (!ArrayBuffer.isView(message)) throw new ERR_INVALID_ARG_TYPE('buffer', kMessageTypes, message);
  offset >>>= 0;
  length >>>= 0;
  if (offset > message.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (offset + length > message.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return Buffer.from(message.buffer, message.byteOffset + offset, length);
}

// Bytes, or a list of them whose contents make one message.
function messageOfPieces(message) {
  if (typeof message === 'string') return Buffer.from(message);
  if (ArrayBuffer.isView(message)) return message;
  if (!Array.isArray(message)) throw new ERR_INVALID_ARG_TYPE('buffer', kMessageTypes, message);
  const list = arrayMap.call(message, (piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  if (!arrayEvery.call(list, ArrayBuffer.isView)) throw new ERR_INVALID_ARG_TYPE('buffer list arguments', kMessageTypes, message);
  return list;
}

// send(message[, offset, length][, port[, address]][, callback])
Socket.prototype.send = function (message, offset, length, port, address, callback) {
  const state = this[kState];
  const isConnected = state.connectState === kConnected;
  if (isConnected) {
    if (typeof length === 'number') {
      message = slice(message, offset, length);
      if (typeof port === 'function') {
        callback = port;
        port = null;
      }
    } else {
      callback = offset;
    }
    if (port || address) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  } else if (address || (port && typeof port !== 'function')) {
    message = slice(message, offset, length);
  } else {
    callback = port;
    port = offset;
    address = length;
  }
  message = messageOfPieces(message);
  if (!isConnected) port = validatePort(port, 'Port', false);
  if (typeof callback !== 'function') callback = undefined;
  if (typeof address === 'function') {
    callback = address;
    address = undefined;
  } else if (address != null) {
    validateString(address, 'address');
  }
  runningState(this);
  if (state.bindState === kUnbound) this.bind({ port: 0, exclusive: true }, null);
  if (state.bindState !== kBound) whenBound(this, () => this.send(message, port, address, callback));
  else if (isConnected) sendNow(this, null, message, undefined, address, port, callback);
  else state.handle.lookup(address, (error, ip) => sendNow(this, error, message, ip, address, port, callback));
};

function sendNow(socket, error, message, ip, address, port, callback) {
  const state = socket[kState];
  if (error) {
    if (callback) process.nextTick(callback, error);
    else process.nextTick(() => socket.emit('error', error));
    return;
  }
  if (!state.handle) return;
  if (ip && state.sendBlockList?.check(ip, `ipv${isIP(ip)}`)) {
    if (callback) process.nextTick(callback, new ERR_IP_BLOCKED(ip));
    return;
  }
  const fail = (status) => new ExceptionWithHostPort(status, 'send', address, port);
  const size =
    callback && (Array.isArray(message) ? arrayReduce.call(message, (sum, piece) => sum + piece.byteLength, 0) : message.byteLength);
  const status = state.handle.send(
    message,
    ip ?? undefined,
    port,
    callback &&
      ((late) => {
        if (late < 0) callback(fail(late));
        else callback(null, size);
      }),
  );
  if (!callback || status === 0) return;
  if (status > 0) process.nextTick(callback, null, size);
  else process.nextTick(callback, fail(status));
}

Socket.prototype.sendto = function (message, offset, length, port, address, callback) {
  validateNumber(offset, 'offset');
  validateNumber(length, 'length');
  validateNumber(port, 'port');
  validateString(address, 'address');
  this.send(message, offset, length, port, address, callback);
};

Socket.prototype.close = function (callback) {
  const state = this[kState];
  if (typeof callback === 'function') this.on('close', callback);
  if (state.queue !== undefined) {
    arrayPush.call(state.queue, () => this.close());
    return this;
  }
  runningState(this);
  if (state.receiving) state.handle.recvStop();
  state.receiving = false;
  state.handle.close();
  state.handle = null;
  process.nextTick(() => this.emit('close'));
  return this;
};

Socket.prototype[Symbol.asyncDispose] = async function () {
  if (!this[kState].handle) return;
  await new Promise((resolve) => {
    this.close(resolve);
  });
};

Socket.prototype.address = function () {
  const out = {};
  check(runningState(this).handle.getsockname(out), 'getsockname');
  return out;
};

Socket.prototype.remoteAddress = function () {
  const state = runningState(this);
  if (state.connectState !== kConnected) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  const out = {};
  check(state.handle.getpeername(out), 'getpeername');
  return out;
};

install(Socket, runningState, check, kState);

module.exports = {
  createSocket: function (type, listener) {
    return new Socket(type, listener);
  },
  Socket,
};
