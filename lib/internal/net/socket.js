// natives: net
//
// net.Socket: a Duplex over a handle of internal/net/handle. A destroyed socket emits 'close' from the closing phase, when its
// handle is gone; everything else follows the stream's own rules. Connecting is in internal/net/connect, moving bytes in
// internal/net/transfer.

'use strict';

const { Duplex } = require('internal/streams/stream');
const { codes, ErrnoException } = require('internal/errors/coded');
const { enqueue } = require('internal/queues/ticks');
const { Pipe, TCP } = require('internal/net/handle');
const asyncContext = require('internal/async_hooks/context');
const { kGoesOn } = require('internal/streams/readable_state');
const transfer = require('internal/net/transfer');
const {
  kAdoptStream,
  kBuffer,
  kBufferCallback,
  kBytesRead,
  kBytesWritten,
  kKeepAlive,
  kKeepAliveCount,
  kKeepAliveDelay,
  kKeepAliveInterval,
  kNoDelay,
  kTimeout,
  kTypeOfService,
  kWriting,
} = require('internal/net/symbols');

function streamOptions(options) {
  if (options === undefined || options === null) options = {};
  else if (typeof options === 'number') options = { fd: options };
  else options = { ...options };
  for (const name of each(['objectMode', 'readableObjectMode', 'writableObjectMode'])) {
    if (options[name]) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is not supported');
  }
  if (options.keepAliveInitialDelay !== undefined) {
    const { validateNumber } = require('internal/util/validators');
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  options.allowHalfOpen = Boolean(options.allowHalfOpen);
  options.emitClose = false;
  options.autoDestroy = true;
  options.decodeStrings = false;
  return options;
}

function Socket(given) {
  if (!(this instanceof Socket)) return new Socket(given);
  const options = streamOptions(given);
  this.connecting = false;
  this._hadError = false;
  this._parent = null;
  this._host = null;
  this._closeAfterHandlingError = false;
  this._handle = null;
  this._sockname = null;
  this._pendingData = null;
  this._pendingEncoding = '';
  this[kTimeout] = null;
  this[kBuffer] = null;
  this[kBufferCallback] = null;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;
  this[kWriting] = null;
  this[kNoDelay] = Boolean(options.noDelay);
  this[kKeepAlive] = Boolean(options.keepAlive);
  this[kKeepAliveDelay] = ~~(options.keepAliveInitialDelay / 1000);
  this[kKeepAliveInterval] = undefined;
  this[kKeepAliveCount] = undefined;
  this[kTypeOfService] = undefined;
  this.server = null;
  this._server = null;
  this.allowHalfOpen = options.allowHalfOpen;
  if (options.blockList) {
    const { BlockList } = require('internal/net/block_list');
    if (!BlockList.isBlockList(options.blockList))
      throw new codes.ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
    this.blockList = options.blockList;
  }
  const { signal } = options;
  options.signal = undefined;
  call1(Duplex, this, options);
  const bound = options.handle?.[kAdoptStream]?.(); // net.BoundSocket: not connected yet
  if (options.handle) this._handle = bound ?? options.handle;
  else if (options.fd !== undefined) this._handle = adopt(options.fd);
  if (signal) endOnAbort(this, signal);
  useOnRead(this, options.onread);
  this.on('end', transfer.onEnd);
  attach(this);
  if (this._handle === null || bound !== undefined) return;
  if (options.pauseOnCreate) {
    this._handle.readStop?.();
    this._readableState.flowing = false;
  } else if (!options.manualStart) {
    this.read(0);
  }
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

// A signal that was aborted before lets the caller have its socket first.
function endOnAbort(socket, signal) {
  require('internal/util/validators').validateAbortSignal(signal, 'options.signal');
  const { addAbortSignal } = require('internal/streams/add_abort_signal');
  if (signal.aborted) enqueue(() => addAbortSignal(signal, socket));
  else addAbortSignal(signal, socket);
}

function adopt(fd) {
  const { validateInt32 } = require('internal/util/validators');
  validateInt32(fd, 'fd', 0);
  const kind = native('net').kindOf(fd);
  if (kind !== 'tcp' && kind !== 'pipe') throw new codes.ERR_INVALID_FD_TYPE(stringToUpperCase.call(kind));
  const handle = kind === 'tcp' ? new TCP() : new Pipe();
  const status = handle.open(fd);
  if (status < 0) {
    handle.close();
    throw new ErrnoException(status, 'open');
  }
  return handle;
}

// options.onread: data goes into the program's own buffer instead of through the stream.
function useOnRead(socket, onread) {
  if (onread === null || typeof onread !== 'object' || typeof onread.callback !== 'function') return;
  const { buffer } = onread;
  if (ArrayBuffer.isView(buffer) && buffer instanceof Uint8Array) socket[kBuffer] = buffer;
  else if (typeof buffer === 'function') socket[kBuffer] = buffer;
  else return;
  socket[kBufferCallback] = onread.callback;
}

function attach(socket) {
  const handle = socket._handle;
  if (!handle) return;
  handle.owner = socket;
  handle.onread = (size, chunk) => transfer.onRead(socket, handle, size, chunk);
}

function closeHandle(socket, handle, hadError) {
  const closed = () => socket.emit('close', hadError);
  if (!socket.resetAndClosing) {
    handle.close(closed);
    return;
  }
  socket.resetAndClosing = false;
  const status = handle.reset(closed);
  if (status < 0) socket.emit('error', new ErrnoException(status, 'reset'));
}

const methods = {
  connect(...args) {
    return require('internal/net/connect').connect(this, args);
  },

  _destroy(error, callback) {
    this.connecting = false;
    for (let socket = this; socket !== null; socket = socket._parent ?? null) clearTimeout(socket[kTimeout]);
    const handle = this._handle;
    if (handle) {
      this[kBytesRead] = handle.bytesRead;
      this[kBytesWritten] = handle.bytesWritten;
      this._getsockname();
      closeHandle(this, handle, Boolean(error));
      this._handle = null;
      this._sockname = null;
      callback(error);
      transfer.endWriting(this, error);
    } else {
      callback(error);
      enqueue(() => this.emit('close', false));
    }
    if (this._server) {
      this._server._connections--;
      this._server._emitCloseIfDrained?.();
    }
  },

  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', this.destroy);
  },

  _reset() {
    this.resetAndClosing = true;
    return this.destroy();
  },

  resetAndDestroy() {
    if (!this._handle) {
      this.destroy(new codes.ERR_SOCKET_CLOSED());
      return this;
    }
    if (typeof this._handle.reset !== 'function') throw new codes.ERR_INVALID_HANDLE_TYPE();
    if (this.connecting) this.once('connect', () => this._reset());
    else this._reset();
    return this;
  },

  setTimeout(msecs, callback) {
    return require('internal/net/timeouts').setTimeout(this, msecs, callback);
  },
  _onTimeout() {
    require('internal/net/timeouts').onTimeout(this);
  },
  _unrefTimer() {
    for (let socket = this; socket !== null; socket = socket._parent ?? null) socket[kTimeout]?.refresh();
  },

  setNoDelay(enable) {
    const on = Boolean(enable === undefined ? true : enable);
    if (!this._handle) {
      this[kNoDelay] = on;
    } else if (this._handle.setNoDelay && on !== this[kNoDelay]) {
      this[kNoDelay] = on;
      this._handle.setNoDelay(on);
    }
    return this;
  },

  setKeepAlive(enable, initialDelay, interval, count) {
    if (enable !== null && typeof enable === 'object') ({ enable, initialDelay, interval, count } = enable);
    const on = Boolean(enable);
    const delay = ~~(initialDelay / 1000);
    if (interval !== undefined) interval = ~~(interval / 1000);
    const isOther =
      on !== this[kKeepAlive] ||
      (on && (delay !== this[kKeepAliveDelay] || interval !== this[kKeepAliveInterval] || count !== this[kKeepAliveCount]));
    if (this._handle && (!this._handle.setKeepAlive || !isOther)) return this;
    this[kKeepAlive] = on;
    this[kKeepAliveDelay] = delay;
    this[kKeepAliveInterval] = interval;
    this[kKeepAliveCount] = count;
    this._handle?.setKeepAlive(on, delay, interval, count);
    return this;
  },

  setTypeOfService(tos) {
    if (Number.isNaN(tos)) throw new codes.ERR_INVALID_ARG_TYPE('tos', 'number', tos);
    require('internal/util/validators').validateInt32(tos, 'tos', 0, 255);
    if (!this._handle?.setTypeOfService) {
      this[kTypeOfService] = tos;
    } else if (tos !== this[kTypeOfService]) {
      this[kTypeOfService] = tos;
      const status = this._handle.setTypeOfService(tos);
      if (status < 0) throw new ErrnoException(status, 'setTypeOfService');
    }
    return this;
  },

  getTypeOfService() {
    if (!this._handle?.getTypeOfService) return this[kTypeOfService] ?? 0;
    const found = this._handle.getTypeOfService();
    if (found < 0) throw new ErrnoException(found, 'getTypeOfService');
    return found;
  },

  address() {
    return this._getsockname();
  },

  _getpeername() {
    if (!this._handle?.getpeername || this.connecting) return this._peername || {};
    if (!this._peername) {
      const found = {};
      if (this._handle.getpeername(found) !== 0) return found;
      this._peername = found;
    }
    return this._peername;
  },

  _getsockname() {
    if (!this._handle?.getsockname) return {};
    if (!this._sockname) {
      this._sockname = {};
      this._handle.getsockname(this._sockname);
    }
    return this._sockname;
  },

  ref() {
    return whenOpen(this, 'ref');
  },
  unref() {
    return whenOpen(this, 'unref');
  },

  pause() {
    if (this[kBuffer] && !this.connecting && this._handle?.reading) transfer.stopReading(this);
    return call0(Duplex.prototype.pause, this);
  },

  resume() {
    if (this[kBuffer] && !this.connecting && this._handle && !this._handle.reading) transfer.startReading(this);
    return call0(Duplex.prototype.resume, this);
  },

  read(count) {
    if (this[kBuffer] && !this.connecting && this._handle && !this._handle.reading) transfer.startReading(this);
    return call1(Duplex.prototype.read, this, count);
  },

  end(data, encoding, callback) {
    call3(Duplex.prototype.end, this, data, encoding, callback);
    return this;
  },

  _read(count) {
    transfer.read(this, count);
  },
  // Programs that stand between a socket and its peer put a _writeGeneric of their own on it.
  _write(data, encoding, callback) {
    this._writeGeneric(false, data, encoding, callback);
  },
  _writev(chunks, callback) {
    this._writeGeneric(true, chunks, '', callback);
  },
  _writeGeneric(isMany, data, encoding, callback) {
    transfer.write(this, isMany, data, encoding, callback);
  },
  _final(callback) {
    transfer.shutdown(this, callback);
  },
};
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(Socket.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    writable: true,
    value: methods[name],
  });
}

// Not while hooks may see the tick that it saves, nor where a program has a _read of its own.
Object.defineProperty(Socket.prototype, kGoesOn, {
  __proto__: null,
  value: function goesOn() {
    const handle = this._handle;
    return (
      handle !== null &&
      handle.reading === true &&
      asyncContext.tracker === null &&
      !this.connecting &&
      this._read === methods._read &&
      this.read === methods.read
    );
  },
});

function whenOpen(socket, verb) {
  if (!socket._handle) socket.once('connect', socket[verb]);
  else if (typeof socket._handle[verb] === 'function') socket._handle[verb]();
  return socket;
}

function getter(name, get, enumerable = true) {
  Object.defineProperty(Socket.prototype, name, { __proto__: null, configurable: !enumerable, enumerable, get });
}
getter('bytesRead', function bytesRead() {
  return this._handle ? this._handle.bytesRead : this[kBytesRead];
});
getter('_bytesDispatched', function dispatched() {
  return this._handle ? this._handle.bytesWritten : this[kBytesWritten];
});
getter('bytesWritten', function bytesWritten() {
  return transfer.bytesWritten(this);
});
getter('remoteAddress', function remoteAddress() {
  return this._getpeername().address;
});
getter('remoteFamily', function remoteFamily() {
  return this._getpeername().family;
});
getter('remotePort', function remotePort() {
  return this._getpeername().port;
});
getter('localAddress', function localAddress() {
  return this._getsockname().address;
});
getter('localFamily', function localFamily() {
  return this._getsockname().family;
});
getter('localPort', function localPort() {
  return this._getsockname().port;
});
getter(
  '_connecting',
  function connecting() {
    return this.connecting;
  },
  false,
);
getter(
  'pending',
  function pending() {
    return !this._handle || this.connecting;
  },
  false,
);
getter(
  'bufferSize',
  function bufferSize() {
    return this._handle ? this.writableLength : undefined;
  },
  false,
);
getter(
  'readyState',
  function readyState() {
    if (this.connecting) return 'opening';
    if (this.readable && this.writable) return 'open';
    if (this.readable) return 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  },
  false,
);

require('internal/net/movable').makeMovable(Socket.prototype, 'Socket');

module.exports = { Socket, attach };
