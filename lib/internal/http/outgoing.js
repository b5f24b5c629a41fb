// natives: none
//
// http.OutgoingMessage: what a server answers or a client asks. Head and body leave in one write where they can: straight to the
// kernel when the socket is idle, through the socket's own queue otherwise. A message whose turn has not come (pipelining) or that
// has no socket yet keeps its data in outputData.

'use strict';

const EventEmitter = require('internal/events/events');
const { Buffer } = require('internal/buffer/buffer');
const { Stream } = require('internal/streams/legacy');
const { getDefaultHighWaterMark } = require('internal/streams/state');
const {
  codes: {
    ERR_HTTP_BODY_NOT_ALLOWED,
    ERR_HTTP_CONTENT_LENGTH_MISMATCH,
    ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED,
    ERR_STREAM_ALREADY_FINISHED,
    ERR_STREAM_CANNOT_PIPE,
    ERR_STREAM_DESTROYED,
    ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
  },
} = require('internal/errors/coded');
const { enqueue } = require('internal/queues/ticks');
const { isUint8Array } = require('internal/util/types');
const { makeWithoutNew } = require('internal/http/validate');
const { methods: headerMethods, uniqueHeaders } = require('internal/http/outgoing_headers');
const { kHighWaterMark, kNeedDrain, kOnFinish, kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { Socket } = require('internal/net/socket');
const { isIdle } = require('internal/streams/writable_state');

const kCorked = Symbol('corked');
const kSocket = Symbol('kSocket');
const kChunkedBuffer = Symbol('chunks held back while corked');
const kChunkedLength = Symbol('their bytes');
const kBytesWritten = Symbol('kBytesWritten');
const kErrored = Symbol('errored');
const kFinished = Symbol('kWritableFinished');
const kEndCallbacks = Symbol('kEndCallbacks');
const kFlushError = Symbol('kFlushError');
const kRejectBody = Symbol('kRejectNonStandardBodyWrites');

const nop = () => {};
const noData = [];
const crlf = Buffer.from('\r\n');

function OutgoingMessage(options) {
  if (!(this instanceof OutgoingMessage)) return makeWithoutNew(OutgoingMessage, options);
  this._events = undefined;
  this._eventsCount = 0;
  this[kSocket] = null;
  this[kOutHeaders] = null;
  this._header = null;
  this._headerSent = false;
  this.finished = false;
  this.destroyed = false;
  this._last = false;
  this.shouldKeepAlive = true;
  this._contentLength = null;
  this._hasBody = true;
  this[kFinished] = false;
  this._closed = false;
  if (options?.highWaterMark != null) this[kHighWaterMark] = options.highWaterMark;
  if (options?.rejectNonStandardBodyWrites) this[kRejectBody] = true;
}
const proto = OutgoingMessage.prototype;
Object.setPrototypeOf(proto, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// Fields that few messages change.
Object.assign(proto, {
  outputData: noData,
  outputSize: 0,
  writable: true,
  chunkedEncoding: false,
  maxRequestsOnConnectionReached: false,
  _defaultKeepAlive: true,
  useChunkedEncodingByDefault: true,
  sendDate: false,
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  strictContentLength: false,
  _trailer: '',
  _keepAliveTimeout: 0,
  _onPendingData: nop,
});
for (const [name, value] of eachEntry([
  [kBytesWritten, 0],
  [kNeedDrain, false],
  [kCorked, 0],
  [kChunkedBuffer, null],
  [kChunkedLength, 0],
  [kErrored, null],
  [kEndCallbacks, null],
  [kFlushError, null],
  [kRejectBody, false],
  [kUniqueHeaders, null],
  [kHighWaterMark, undefined],
  [kOnFinish, nop],
])) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, writable: true, value });
}

function getter(name, get, set, enumerable = false) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, enumerable, get, set });
}
getter('errored', function errored() {
  return this[kErrored];
});
getter('closed', function closed() {
  return this._closed;
});
getter('writableFinished', function writableFinished() {
  return this[kFinished];
});
getter('writableObjectMode', function writableObjectMode() {
  return false;
});
getter('writableLength', function writableLength() {
  return this.outputSize + this[kChunkedLength] + (this[kSocket] ? this[kSocket].writableLength : 0);
});
getter('writableHighWaterMark', function writableHighWaterMark() {
  return this[kSocket] ? this[kSocket].writableHighWaterMark : markOf(this);
});
getter('writableCorked', function writableCorked() {
  return this[kCorked];
});
getter('writableEnded', function writableEnded() {
  return this.finished;
});
getter('writableNeedDrain', function writableNeedDrain() {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});
getter(
  'headersSent',
  function headersSent() {
    return Boolean(this._header);
  },
  undefined,
  true,
);
getter(
  'connection',
  function connection() {
    return this[kSocket];
  },
  function setConnection(socket) {
    this.socket = socket;
  },
);
getter(
  'socket',
  function socket() {
    return this[kSocket];
  },
  function setSocket(socket) {
    for (let i = 0; i < this[kCorked]; i++) {
      socket?.cork();
      this[kSocket]?.uncork();
    }
    this[kSocket] = socket;
  },
);

const markOf = (message) => message[kHighWaterMark] ?? getDefaultHighWaterMark(false);
const sizeOf = (chunk, encoding) => (typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength);

// Writable straight to the kernel: a plain socket with nothing queued.
function isDirect(message, socket) {
  return (
    socket !== null &&
    socket._httpMessage === message &&
    socket.write === Socket.prototype.write &&
    socket._writeGeneric === Socket.prototype._writeGeneric &&
    socket._handle?.native !== undefined &&
    !socket.connecting &&
    isIdle(socket._writableState) &&
    message[kCorked] === 0 &&
    message.outputData.length === 0
  );
}

// Everything at once. Bytes that the kernel does not take go the socket's usual way.
function sendDirect(message, socket, head, body, encoding, tail) {
  if (socket.timeout) socket._unrefTimer();
  const rest = socket._handle.native.sendMessage(head, body, encoding === 'latin1' || encoding === 'binary', tail);
  message._headerSent = true;
  if (rest === undefined) enqueue(onFinish, [message]);
  else
    socket.write(typeof rest === 'number' ? Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body, encoding)]) : rest, (error) =>
      onFinish(message, error),
    );
}

const isDirectText = (encoding) =>
  encoding == null || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1' || encoding === 'binary';

const methods = {
  cork() {
    this[kCorked]++;
    this[kSocket]?.cork();
  },

  uncork() {
    this[kCorked]--;
    this[kSocket]?.uncork();
    if (this[kCorked] || this[kChunkedBuffer] === null || this[kChunkedBuffer].length === 0) return;
    const chunks = this[kChunkedBuffer];
    const callbacks = [];
    this._send(numberToString.call(this[kChunkedLength], 16), 'latin1', null);
    this._send(crlf, null, null);
    for (const { chunk, encoding, callback } of each(chunks)) {
      this._send(chunk, encoding, null);
      if (callback) arrayPush.call(callbacks, callback);
    }
    this._send(
      crlf,
      null,
      callbacks.length === 0
        ? null
        : (error) => {
            for (const callback of each(callbacks)) callback(error);
          },
    );
    this[kChunkedBuffer] = null;
    this[kChunkedLength] = 0;
    if (this[kNeedDrain] && this.writableLength === 0) {
      this[kNeedDrain] = false;
      this.emit('drain');
    }
  },

  setTimeout(msecs, callback) {
    if (callback) this.on('timeout', callback);
    if (this[kSocket]) this[kSocket].setTimeout(msecs);
    else this.once('socket', (socket) => socket.setTimeout(msecs));
    return this;
  },

  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kErrored] = error;
    if (this[kSocket]) this[kSocket].destroy(error);
    else enqueue(emitClose, [this]);
    return this;
  },

  // The head goes along with the first data.
  _send(data, encoding, callback, size) {
    if (!this._headerSent && this._header !== null) {
      const header = this._header;
      if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'latin1' || !encoding)) {
        data = header + data;
      } else {
        keep(this, { data: header, encoding: 'latin1', callback: null }, true);
      }
      this._headerSent = true;
    }
    return this._writeRaw(data, encoding, callback, size);
  },

  _writeRaw(data, encoding, callback, size) {
    const socket = this[kSocket];
    if (socket?.destroyed) return false;
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = null;
    }
    if (socket && socket._httpMessage === this && socket.writable) {
      if (this.outputData.length > 0) this._flushOutput(socket);
      return socket.write(data, encoding, callback);
    }
    keep(this, { data, encoding, callback }, false);
    return this.outputSize < markOf(this);
  },

  _implicitHeader() {
    throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
  },

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = null;
    }
    const more = write(this, chunk, encoding, callback, false);
    if (!more) this[kNeedDrain] = true;
    return more;
  },

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') {
      callback = chunk;
      chunk = encoding = null;
    } else if (typeof encoding === 'function') {
      callback = encoding;
      encoding = null;
    }
    if (chunk && this.finished) {
      failLater(this, new ERR_STREAM_WRITE_AFTER_END(), typeof callback === 'function' ? callback : nop);
      return this;
    }
    if (this.finished) {
      if (typeof callback === 'function') queueEndCallback(this, callback);
      return this;
    }
    if (!this._headerSent && endAtOnce(this, chunk, encoding, callback)) return this;
    return endInParts(this, chunk, encoding, callback);
  },

  _finish() {
    this.emit('prefinish');
  },

  // The socket has come, or is this message's now.
  _flush() {
    const socket = this[kSocket];
    if (!socket?.writable) return;
    const more = this._flushOutput(socket);
    if (this.finished) {
      this._finish();
    } else if (this[kNeedDrain] && more !== false) {
      this[kNeedDrain] = false;
      this.emit('drain');
    }
  },

  _flushOutput(socket) {
    const { outputData } = this;
    if (outputData.length === 0) return undefined;
    let more;
    socket.cork();
    for (let i = 0; i < outputData.length; i++) {
      const { data, encoding, callback } = outputData[i];
      more = socket.write(data, encoding, callback);
    }
    socket.uncork();
    this.outputData = noData;
    this._onPendingData(-this.outputSize);
    this.outputSize = 0;
    return more;
  },

  flushHeaders() {
    if (!this._header) this._implicitHeader();
    this._send('');
  },

  pipe() {
    this.emit('error', new ERR_STREAM_CANNOT_PIPE());
  },

  [EventEmitter.captureRejectionSymbol](error) {
    this.destroy(error);
  },
};
for (const table of each([headerMethods, methods])) {
  for (const name of each(Reflect.ownKeys(table))) {
    Object.defineProperty(proto, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value: table[name] });
  }
}

function keep(message, item, first) {
  if (message.outputData === noData) message.outputData = [];
  if (first) arrayUnshift.call(message.outputData, item);
  else arrayPush.call(message.outputData, item);
  const { length } = item.data;
  message.outputSize += length;
  message._onPendingData(length);
}

function emitClose(message) {
  if (message._closed) return;
  message._closed = true;
  message.emit('close');
}

function failLater(message, error, callback) {
  if (message.destroyed) return;
  enqueue(fail, [message, error, callback]);
}

function fail(message, error, callback) {
  callback(error);
  if (typeof message.emit === 'function' && !message.destroyed) message.emit('error', error);
}

const isCounted = (message) =>
  message.strictContentLength &&
  message._contentLength != null &&
  message._hasBody &&
  !message._removedContLen &&
  !message.chunkedEncoding &&
  !message.hasHeader('transfer-encoding');

function checkChunk(chunk) {
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isUint8Array(chunk)) throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
}

function write(message, chunk, encoding, callback, isLast) {
  if (typeof callback !== 'function') callback = nop;
  checkChunk(chunk);
  if (message.finished || message.destroyed) {
    const error = message.finished ? new ERR_STREAM_WRITE_AFTER_END() : new ERR_STREAM_DESTROYED('write');
    if (message.destroyed) enqueue(callback, [error]);
    else failLater(message, error, callback);
    return false;
  }
  if (message.strictContentLength) count(message, sizeOf(chunk, encoding), isLast);
  if (!message._header) {
    if (isLast) message._contentLength = sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectBody]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    enqueue(callback, []);
    return true;
  }
  const socket = message[kSocket];
  if (!isLast && socket && !socket.writableCorked) {
    socket.cork();
    enqueue(uncork, [socket]);
  }
  if (!message.chunkedEncoding || chunk.length === 0) return message._send(chunk, encoding, callback);
  const size = sizeOf(chunk, encoding);
  if (message[kCorked] && message._headerSent) {
    arrayPush.call((message[kChunkedBuffer] ??= []), { chunk, encoding, callback: callback === nop ? null : callback });
    message[kChunkedLength] += size;
    return message[kChunkedLength] < markOf(message);
  }
  if (typeof chunk === 'string' && isDirectText(encoding)) {
    if (!message._headerSent) {
      // A head is Latin-1, whatever the body is.
      message._send(`${numberToString.call(size, 16)}\r\n`, 'latin1', null);
      return message._send(`${chunk}\r\n`, encoding === 'binary' ? 'latin1' : encoding, callback);
    }
    return message._send(`${numberToString.call(size, 16)}\r\n${chunk}\r\n`, encoding === 'binary' ? 'latin1' : encoding, callback);
  }
  message._send(`${numberToString.call(size, 16)}\r\n`, 'latin1', null);
  message._send(chunk, encoding, null);
  return message._send(crlf, null, callback);
}

function count(message, size, isLast) {
  const total = message[kBytesWritten] + size;
  if (isCounted(message) && (isLast ? total !== message._contentLength : total > message._contentLength)) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(total, message._contentLength);
  }
  message[kBytesWritten] = total;
}

function uncork(socket) {
  socket.uncork();
}

// The usual answer: nothing has been sent, and this is all of it. False when it must go another way.
function endAtOnce(message, chunk, encoding, callback) {
  const socket = message[kSocket];
  if (socket === null || message.strictContentLength || message.destroyed || !isDirect(message, socket)) return false;
  if (chunk) {
    if (typeof chunk === 'string' ? !isDirectText(encoding) : !isUint8Array(chunk)) return false;
  } else {
    chunk = '';
  }
  if (!message._header) {
    message._contentLength =
      typeof chunk === 'string' ? (encoding === 'latin1' || encoding === 'binary' ? chunk.length : Buffer.byteLength(chunk)) : chunk.length;
    message._implicitHeader();
    if (message._headerSent) return false; // sent by what the program has put in the way
  }
  if (!message._hasBody && chunk.length > 0) {
    if (message[kRejectBody]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    chunk = '';
  }
  if (typeof callback === 'function') queueEndCallback(message, callback);
  if (message.chunkedEncoding && message._hasBody) {
    const size = chunk.length === 0 ? 0 : sizeOf(chunk, encoding);
    const head = size === 0 ? message._header : `${message._header}${numberToString.call(size, 16)}\r\n`;
    sendDirect(message, socket, head, chunk, encoding, `${size === 0 ? '' : '\r\n'}0\r\n${message._trailer}\r\n`);
  } else {
    sendDirect(message, socket, message._header, chunk, encoding, undefined);
  }
  message.finished = true;
  message._finish();
  return true;
}

function endInParts(message, chunk, encoding, callback) {
  const socket = message[kSocket];
  if (chunk) {
    socket?.cork();
    write(message, chunk, encoding, null, true);
  } else if (!message._header) {
    socket?.cork();
    message._contentLength = 0;
    message._implicitHeader();
  }
  if (typeof callback === 'function') queueEndCallback(message, callback);
  if (isCounted(message) && message[kBytesWritten] !== message._contentLength) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(message[kBytesWritten], message._contentLength);
  }
  const finish = (error) => onFinish(message, error);
  if (message._hasBody && message.chunkedEncoding) message._send(`0\r\n${message._trailer}\r\n`, 'latin1', finish);
  else if (!message._headerSent || message.writableLength || chunk) message._send('', 'latin1', finish);
  else enqueue(finish, []);

  if (message[kSocket]) {
    message[kSocket]._writableState.corked = 1;
    message[kSocket].uncork();
  }
  message[kCorked] = 1;
  message.uncork();
  message.finished = true;
  if (message.outputData.length === 0 && message[kSocket] && message[kSocket]._httpMessage === message) message._finish();
  return message;
}

function callEndCallbacks(message, error) {
  const callbacks = message[kEndCallbacks];
  if (callbacks === null) return;
  message[kEndCallbacks] = null;
  for (let i = 0; i < callbacks.length; i++) callbacks[i](error);
}

function queueEndCallback(message, callback) {
  if (message[kFinished]) callback(new ERR_STREAM_ALREADY_FINISHED('end'));
  else if (message[kFlushError] !== null) enqueue(callback, [message[kFlushError]]);
  else if (message[kEndCallbacks] === null) message[kEndCallbacks] = [callback];
  else arrayPush.call(message[kEndCallbacks], callback);
}

// Everything has been handed to the kernel, or never will be.
function onFinish(message, error) {
  const socket = message[kSocket];
  if (error || message[kErrored] || socket?.errored || socket?._hadError) {
    message[kFlushError] = error ?? message[kErrored] ?? socket?.errored ?? new ERR_STREAM_DESTROYED('end');
    callEndCallbacks(message, message[kFlushError]);
    return;
  }
  message[kFinished] = true;
  callEndCallbacks(message, null);
  message[kOnFinish](message);
  message.emit('finish');
}

module.exports = { OutgoingMessage, uniqueHeaders };
