// natives: none
// Bytes of a net.Socket, both ways: reading with back-pressure or into the program's buffer, writing, the end of either side.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { Duplex } = require('internal/streams/stream');
const { codes, ErrnoException, genericNodeError } = require('internal/errors/coded');
const { enqueue } = require('internal/queues/ticks');
const { kBuffer, kBufferCallback, kLastQueueSize, kNextBuffer, kUndelivered, kWriting } = require('internal/net/symbols');

const ENOTCONN = -107;
const latin = new Set(['latin1', 'binary']);
const textual = new Set(['utf8', 'utf-8', 'latin1', 'binary', 'ascii', 'UTF-8', 'UTF8']);

function startReading(socket) {
  if (socket[kUndelivered] !== undefined) {
    socket._handle.reading = true;
    setImmediate(deliverLater, socket); // not before the stream has resumed
    return;
  }
  const status = socket._handle.readStart();
  if (status < 0) socket.destroy(new ErrnoException(status, 'read'));
}

function stopReading(socket) {
  const status = socket._handle.readStop();
  if (status < 0) socket.destroy(new ErrnoException(status, 'read'));
}

function read(socket, count) {
  if (socket.connecting || !socket._handle) socket.once('connect', () => socket._read(count));
  else if (!socket._handle.reading) startReading(socket);
}

// Bytes that came before a pause.
function deliverLater(socket) {
  const chunk = socket[kUndelivered];
  if (chunk === undefined || socket.destroyed || !socket._handle?.reading) return;
  socket[kUndelivered] = undefined;
  if (deliver(socket, chunk)) startReading(socket);
}

// Copies a piece into the program's buffer, as often as it takes. False from the callback, and pause(), end it until reading goes on.
function deliver(socket, chunk) {
  const handle = socket._handle;
  for (let at = 0; at < chunk.length; ) {
    const makes = typeof socket[kBuffer] === 'function';
    const target = makes ? (socket[kNextBuffer] ?? socket[kBuffer]()) : socket[kBuffer];
    const count = Math.min(target.byteLength, chunk.length - at);
    bytesSet.call(target, bytesSubarray.call(chunk, at, at + count));
    at += count;
    if (socket[kBufferCallback](count, target) === false) handle.reading = false;
    if (makes) socket[kNextBuffer] = socket[kBuffer](); // asked for ahead, as in Node
    if (count === 0 || socket.destroyed) break;
    if (!handle.reading) {
      if (at < chunk.length) socket[kUndelivered] = Buffer.from(bytesSubarray.call(chunk, at));
      return false;
    }
  }
  return true;
}

// size: bytes in `chunk`, 0 at the end, or an errno.
function onRead(socket, handle, size, chunk) {
  if (socket._handle !== handle || socket.destroyed) return;
  socket._unrefTimer();
  if (size > 0) {
    if (socket[kBuffer]) {
      if (!deliver(socket, chunk)) handle.readStop();
    } else if (!socket.push(chunk) && handle.reading) {
      handle.readStop();
    }
    return;
  }
  handle.reading = false;
  if (size < 0) {
    socket.destroy(new ErrnoException(size, 'read'));
    return;
  }
  socket.push(null);
  socket.read(0);
}

function onEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterEnd;
}

function writeAfterEnd(chunk, encoding, callback) {
  if (!this.writableEnded) return call3(Duplex.prototype.write, this, chunk, encoding, callback);
  if (typeof encoding === 'function') callback = encoding;
  const error = genericNodeError('This socket has been ended by the other party', { code: 'EPIPE' });
  if (typeof callback === 'function') enqueue(callback, [error]);
  this.destroy(error);
  return false;
}

const toBytes = ({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);

function dispatch(handle, isMany, data, encoding, done) {
  if (isMany) return handle.writeMany(arrayMap.call(data, toBytes), done);
  if (typeof data !== 'string') return handle.writeBytes(data, done);
  if (textual.has(encoding)) return handle.writeText(data, latin.has(encoding), done);
  return handle.writeBytes(Buffer.from(data, encoding), done);
}

function write(socket, isMany, data, encoding, callback) {
  if (socket.connecting) {
    writeWhenConnected(socket, isMany, data, encoding, callback);
    return;
  }
  socket._pendingData = null;
  const handle = socket._handle;
  if (!handle) {
    callback(new codes.ERR_SOCKET_CLOSED());
    return;
  }
  socket._unrefTimer();
  if (!isMany && typeof data !== 'string') {
    const taken = handle.tryBytes(data);
    if (taken === data.length) {
      callback(null);
      return;
    }
    if (taken > 0) data = bytesSubarray.call(data, taken);
  }
  let ended = false;
  const status = dispatch(handle, isMany, data, encoding, (result) => {
    if (ended) return;
    ended = true;
    socket[kWriting] = null;
    socket[kLastQueueSize] = 0;
    callback(result < 0 ? new ErrnoException(result, 'write') : null);
  });
  if (status === 0) {
    callback(null);
  } else if (status < 0) {
    callback(new ErrnoException(status, 'write'));
  } else {
    socket[kWriting] = callback;
    socket[kLastQueueSize] = handle.writeQueueSize;
  }
}

function writeWhenConnected(socket, isMany, data, encoding, callback) {
  socket._pendingData = data;
  socket._pendingEncoding = encoding;
  const onClose = () => callback(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket.once('connect', () => {
    socket.off('close', onClose);
    write(socket, isMany, data, encoding, callback);
  });
  socket.once('close', onClose);
}

// Closing drops the handle's own callbacks; the write that was under way ends here.
function endWriting(socket, error) {
  const writing = socket[kWriting];
  socket[kWriting] = null;
  if (writing !== null) enqueue(writing, [error ?? new codes.ERR_STREAM_DESTROYED('write')]);
}

function shutdown(socket, callback) {
  if (socket.connecting) {
    socket.once('connect', () => socket._final(callback));
    return;
  }
  if (!socket._handle) {
    callback();
    return;
  }
  const oncomplete = (result) => callback(result < 0 && result !== ENOTCONN ? new ErrnoException(result, 'shutdown') : null);
  const status = socket._handle.shutdown({ oncomplete });
  if (status !== 0) enqueue(oncomplete, [Math.min(status, 0)]);
}

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
}

function bytesWritten(socket) {
  let bytes = socket._bytesDispatched;
  const { writableBuffer, _pendingData: data } = socket;
  if (!writableBuffer) return undefined;
  for (const { chunk, encoding } of each(writableBuffer)) bytes += sizeOf(chunk, encoding);
  if (Array.isArray(data)) {
    for (const item of each(data)) bytes += sizeOf(item.chunk, item.encoding);
  } else if (data) {
    bytes += sizeOf(data, socket._pendingEncoding);
  }
  return bytes;
}

module.exports = { bytesWritten, endWriting, onEnd, onRead, read, shutdown, startReading, stopReading, write };
