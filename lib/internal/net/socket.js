// natives: net, stdio
// net.Socket: a Duplex over one of the loop's streams. A destroyed socket emits 'close' from the closing phase, when its handle is
// gone; everything else follows the stream's own rules.
'use strict';

const binding = native('net');
const { Duplex } = require('stream');
const { codes, ErrnoException, ExceptionWithHostPort } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateNumber, validatePort, validateString } = require('internal/validators');
const { normalizeArgs, requirePortOrPath } = require('internal/net/arguments');
const { enqueue } = require('internal/ticks');

const kHandle = Symbol('handle');
const kTimeout = Symbol('timeout');
const kSetNoDelay = Symbol('setNoDelay');
const kSetKeepAlive = Symbol('setKeepAlive');
const kBytes = Symbol('bytes of a closed handle');
const kWriting = Symbol('callback of the write in flight');
const kEnd = 0;

class Socket extends Duplex {
  constructor(options) {
    if (typeof options === 'number') options = { fd: options };
    options = { ...options };
    if (options.objectMode || options.readableObjectMode || options.writableObjectMode) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.objectMode', options.objectMode, 'is not supported');
    }
    if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
    super({ ...options, allowHalfOpen: Boolean(options.allowHalfOpen), emitClose: false, autoDestroy: true, decodeStrings: false });
    this.connecting = false;
    this.server = null;
    this._hadError = false;
    this._host = null;
    this._peername = undefined;
    this._sockname = undefined;
    this._parent = null;
    this.timeout = 0;
    this[kHandle] = null;
    this[kTimeout] = null;
    this[kBytes] = null;
    this[kWriting] = null;
    this[kSetNoDelay] = Boolean(options.noDelay);
    this[kSetKeepAlive] = options.keepAlive ? Math.trunc((options.keepAliveInitialDelay ?? 0) / 1000) : undefined;
    this.on('end', onEnd);
    if (options.fd !== undefined) adoptDescriptor(this, options);
    else if (options.handle !== undefined) this[kHandle] = options.handle;
    if (this[kHandle] !== null && options.pauseOnCreate) this.pause();
    else if (this[kHandle] !== null && !options.manualStart) this.read(0);
  }

  connect(...args) {
    const [options, callback] = Array.isArray(args[0]) && args[0].normalized ? args[0] : normalizeArgs(args);
    requirePortOrPath(options);
    if (this.write !== Socket.prototype.write) this.write = Socket.prototype.write;
    if (this.destroyed) {
      this[kHandle] = null;
      this._peername = this._sockname = undefined;
      this._undestroy?.();
    }
    if (callback !== null) this.once('connect', callback);
    this._unrefTimer();
    this.connecting = true;
    if (options.path != null) {
      validateString(options.path, 'options.path');
      startConnect(this, true, options.path, 0);
    } else {
      lookUpAndConnect(this, options);
    }
    return this;
  }

  get _handle() { return this[kHandle] === null ? null : handleFace(this); }
  get pending() { return this[kHandle] === null || this.connecting; }
  get readyState() {
    if (this.connecting) return 'opening';
    if (this.readable && this.writable) return 'open';
    if (this.readable) return 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  }
  get bufferSize() { return this[kHandle] === null ? undefined : this.writableLength; }
  get bytesRead() { return counts(this)[0]; }
  get bytesWritten() { return this[kHandle] === null && this[kBytes] === null ? undefined : counts(this)[1] + this.writableLength; }
  get remoteAddress() { return peer(this)[0]; }
  get remotePort() { return peer(this)[1]; }
  get remoteFamily() { return peer(this)[2]; }
  get localAddress() { return own(this)[0]; }
  get localPort() { return own(this)[1]; }
  get localFamily() { return own(this)[2]; }

  address() {
    const [address, port, family] = own(this);
    return address === undefined ? {} : { address, family, port };
  }

  setTimeout(msecs, callback) {
    validateNumber(msecs, 'msecs', 0, 2 ** 31 - 1);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.destroyed) return this;
    this.timeout = msecs;
    clearTimeout(this[kTimeout]);
    this[kTimeout] = null;
    if (msecs > 0) {
      this[kTimeout] = setTimeout(() => this._onTimeout(), msecs).unref();
      if (callback) this.once('timeout', callback);
    } else if (callback) {
      this.removeListener('timeout', callback);
    }
    return this;
  }

  _onTimeout() { this.emit('timeout'); }
  _unrefTimer() { this[kTimeout]?.refresh(); }

  setNoDelay(on = true) {
    this[kSetNoDelay] = Boolean(on);
    if (this[kHandle] !== null && !this.connecting) binding.setNoDelay(this[kHandle], Boolean(on));
    return this;
  }

  setKeepAlive(on, initialDelay) {
    const seconds = Math.trunc((Number(initialDelay) || 0) / 1000);
    this[kSetKeepAlive] = on ? seconds : undefined;
    if (this[kHandle] !== null && !this.connecting) binding.setKeepAlive(this[kHandle], Boolean(on), seconds);
    return this;
  }

  ref() { return setRef(this, true); }
  unref() { return setRef(this, false); }

  pause() {
    if (this[kHandle] !== null && !this.connecting && !this.destroyed) stopReading(this);
    return super.pause();
  }

  resume() {
    const result = super.resume();
    if (this[kHandle] !== null && !this.connecting && !this.destroyed) startReading(this);
    return result;
  }

  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', this.destroy);
  }

  resetAndDestroy() {
    if (this[kHandle] === null && !this.connecting) {
      this.destroy(new codes.ERR_SOCKET_CLOSED());
      return this;
    }
    this.resetOnClose = true;
    return this.destroy();
  }

  _read() {
    if (this.connecting || this[kHandle] === null) {
      if (this.connecting) this.once('connect', () => this._read());
      return;
    }
    startReading(this);
  }

  _write(data, encoding, callback) { writeGeneric(this, false, data, encoding, callback); }
  _writev(chunks, callback) { writeGeneric(this, true, chunks, '', callback); }

  _final(callback) {
    if (this.connecting) {
      this.once('connect', () => this._final(callback));
      return;
    }
    if (this[kHandle] === null) {
      callback();
      return;
    }
    const status = binding.shutdown(this[kHandle], (result) => callback(result === 0 || result === -107 ? null : errorOf(result, 'shutdown')));
    if (status === 0 || status === -107) enqueue(callback);
    else if (status < 0) callback(errorOf(status, 'shutdown'));
  }

  _destroy(error, callback) {
    this.connecting = false;
    clearTimeout(this[kTimeout]);
    this[kTimeout] = null;
    const id = this[kHandle];
    const hadError = Boolean(error);
    if (id === null) {
      callback(error);
      enqueue(() => emitClose(this, hadError));
    } else {
      this[kBytes] = counts(this);
      this._sockname = own(this);
      this._peername = peer(this);
      this[kHandle] = null;
      const close = this.resetOnClose ? binding.reset : binding.close;
      close(id, () => emitClose(this, hadError));
      callback(error);
      // Closing drops the handle's own callbacks; the write that was under way ends here.
      const writing = this[kWriting];
      this[kWriting] = null;
      if (writing !== null) enqueue(writing, [error ?? new codes.ERR_STREAM_DESTROYED('write')]);
    }
    if (this.server !== null) {
      this.server._connections--;
      this.server._emitCloseIfDrained?.();
    }
  }
}

Object.defineProperty(Socket.prototype, 'end', {
  __proto__: null, configurable: true, writable: true,
  value: function end(data, encoding, callback) {
    Duplex.prototype.end.call(this, data, encoding, callback);
    return this;
  },
});

function emitClose(socket, hadError) {
  socket._closeEmitted = true;
  if (socket._readableState !== undefined) socket._readableState.closeEmitted = true;
  if (socket._writableState !== undefined) socket._writableState.closeEmitted = true;
  socket.emit('close', hadError);
}

function errorOf(status, syscall) { return new ErrnoException(status, syscall); }

// What programs may do with socket._handle: enough to ask and to ref.
function handleFace(socket) {
  const id = socket[kHandle];
  return {
    ref: () => binding.setRef(id, true), unref: () => binding.setRef(id, false), hasRef: () => true,
    close: (callback) => binding.close(id, callback), fd: id, readStart: () => startReading(socket), readStop: () => stopReading(socket),
  };
}

function adoptDescriptor(socket, { fd }) {
  const isPipe = native('stdio').kindOf(fd) !== 'tcp';
  const id = binding.newStream(isPipe);
  const status = binding.open(id, fd);
  if (status < 0) {
    binding.close(id);
    throw errorOf(status, 'open');
  }
  socket[kHandle] = id;
}

function counts(socket) {
  return (socket[kHandle] === null ? socket[kBytes] : binding.counts(socket[kHandle])) ?? [0, 0, 0];
}

function peer(socket) {
  if (socket[kHandle] === null || socket.connecting) return socket._peername ?? [];
  return socket._peername ??= binding.remoteAddress(socket[kHandle]) ?? [];
}

function own(socket) {
  if (socket[kHandle] === null || socket.connecting) return socket._sockname ?? [];
  return socket._sockname ??= binding.localAddress(socket[kHandle]) ?? [];
}

function setRef(socket, on) {
  if (socket[kHandle] === null) socket.once('connect', on ? socket.ref : socket.unref);
  else binding.setRef(socket[kHandle], on);
  return socket;
}

// ---- connecting ----

function lookUpAndConnect(socket, options) {
  validatePort(options.port);
  const host = options.host ?? 'localhost';
  const { isIP, lookup: systemLookup } = require('internal/net/lookup');
  if (options.localAddress !== undefined && isIP(options.localAddress) === 0) throw new codes.ERR_INVALID_IP_ADDRESS(options.localAddress);
  if (options.lookup !== undefined) validateFunction(options.lookup, 'options.lookup');
  const port = options.port | 0;
  if (isIP(host) !== 0) {
    startConnect(socket, false, host, port, options);
    return;
  }
  socket._host = host;
  const lookup = options.lookup ?? systemLookup;
  lookup(host, { family: options.family ?? 0, hints: options.hints ?? 0, all: true }, (error, addresses, family) => {
    if (!socket.connecting) return;
    if (error) {
      socket.emit('lookup', error, undefined, undefined, host);
      socket.destroy(error);
      return;
    }
    const list = Array.isArray(addresses) ? addresses : [{ address: addresses, family: family ?? isIP(addresses) }];
    for (const entry of list) socket.emit('lookup', null, entry.address, entry.family, host);
    socket._unrefTimer();
    tryAddresses(socket, list, port, options);
  });
}

function tryAddresses(socket, [first, ...rest], port, options) {
  const onFailure = rest.length === 0 ? undefined : () => tryAddresses(socket, rest, port, options);
  startConnect(socket, false, first.address, port, options, onFailure);
}

function startConnect(socket, isPipe, address, port, options = {}, onFailure) {
  if (!socket.connecting) return;
  const id = binding.newStream(isPipe);
  socket[kHandle] = id;
  const fail = (status) => {
    const error = isPipe ? new ExceptionWithHostPort(status, 'connect', address) : new ExceptionWithHostPort(status, 'connect', address, port);
    if (onFailure !== undefined && socket.connecting) {
      binding.close(id);
      socket[kHandle] = null;
      onFailure();
      return;
    }
    socket.destroy(error);
  };
  let status = 0;
  if (!isPipe && (options.localAddress !== undefined || options.localPort !== undefined)) {
    status = binding.bind(id, options.localAddress ?? (address.includes(':') ? '::' : '0.0.0.0'), options.localPort | 0);
  }
  if (status === 0) {
    status = binding.connect(id, address, port, (result) => {
      if (socket.destroyed || socket[kHandle] !== id) return;
      if (result < 0) fail(result);
      else afterConnect(socket);
    });
  }
  if (status < 0) enqueue(fail, [status]);
}

function afterConnect(socket) {
  socket.connecting = false;
  socket._sockname = undefined;
  if (socket[kSetNoDelay]) binding.setNoDelay(socket[kHandle], true);
  if (socket[kSetKeepAlive] !== undefined) binding.setKeepAlive(socket[kHandle], true, socket[kSetKeepAlive]);
  socket._unrefTimer();
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.isPaused()) socket.read(0);
}

// ---- reading and writing ----

function startReading(socket) {
  if (socket._reading) return;
  socket._reading = true;
  const status = binding.readStart(socket[kHandle], (size, chunk) => onRead(socket, size, chunk));
  if (status < 0) socket.destroy(errorOf(status, 'read'));
}

function stopReading(socket) {
  if (!socket._reading) return;
  socket._reading = false;
  binding.readStop(socket[kHandle]);
}

function onRead(socket, size, chunk) {
  if (socket.destroyed) return;
  socket._unrefTimer();
  if (size > kEnd) {
    if (!socket.push(chunk)) stopReading(socket);
    return;
  }
  socket._reading = false;
  if (size < 0) {
    socket.destroy(errorOf(size, 'read'));
    return;
  }
  socket.push(null);
  socket.read(0);
}

function onEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterEnd;
}

function writeAfterEnd(chunk, encoding, callback) {
  if (!this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, callback);
  if (typeof encoding === 'function') callback = encoding;
  const error = new Error('This socket has been ended by the other party');
  error.code = 'EPIPE';
  if (typeof callback === 'function') enqueue(callback, [error]);
  this.destroy(error);
  return false;
}

const kTextEncodings = new Set(['utf8', 'utf-8', 'latin1', 'binary', 'ascii']);

function toBytes({ chunk, encoding }) { return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk; }

function writeGeneric(socket, isMany, data, encoding, callback) {
  if (socket.connecting) {
    const onClose = () => callback(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    socket.once('close', onClose);
    socket.once('connect', () => {
      socket.off('close', onClose);
      writeGeneric(socket, isMany, data, encoding, callback);
    });
    return;
  }
  const id = socket[kHandle];
  if (id === null) {
    callback(new codes.ERR_SOCKET_CLOSED());
    return;
  }
  socket._unrefTimer();
  const done = (status) => {
    socket[kWriting] = null;
    callback(status < 0 ? errorOf(status, 'write') : null);
  };
  let status;
  if (isMany) status = binding.writeMany(id, data.map(toBytes), done);
  else if (typeof data !== 'string') status = binding.writeBytes(id, data, done);
  else if (kTextEncodings.has(encoding)) status = binding.writeText(id, data, encoding === 'latin1' || encoding === 'binary', done);
  else status = binding.writeBytes(id, Buffer.from(data, encoding), done);
  if (status === 0) callback(null);
  else if (status < 0) callback(errorOf(status, 'write'));
  else socket[kWriting] = callback;
}

module.exports = { Socket, kHandle };
