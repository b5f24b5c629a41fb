// natives: http
//
// http.IncomingMessage: a request as a server gets it, or a response as a client gets it. A Readable whose state is made when somebody
// asks for it: most messages without a body are never read. Headers are parsed when they are asked for, too.

'use strict';

const binding = native('http');
const { kComplete, kHasBody, kHasExpect, kHasHost, kKeepAlive, kMinor, kUpgrade, kVersion09, kVersion20 } = binding;
const { Readable, finished } = require('internal/streams/stream');
const { enqueue } = require('internal/queues/ticks');
const { makeWithoutNew } = require('internal/http/validate');
const { withOwnPrototypes } = require('internal/http/poly_proto');

const methodNames = binding.methods();

const kHead = Symbol('text of the head');
const kFlags = Symbol('flags of the head');
const kMostPairs = Symbol('how many lines of the head count');
const kHeaders = Symbol('kHeaders');
const kRawHeaders = Symbol('rawHeaders');
const kDistinct = Symbol('kHeadersDistinct');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kRawTrailers = Symbol('rawTrailers');
const kState = Symbol('_readableState');
const kAbort = Symbol('kAbortController');
const kAbortSocket = Symbol('the socket whose close aborts');
const kOnAbort = Symbol('what that close calls');
const kDetached = Symbol('no close aborts any more');

const { ReadableState } = Readable;

// Every field that requests usually get, so that their shape is settled from the start.
const makeClass = () =>
  function IncomingMessage(socket) {
    if (!(this instanceof IncomingMessage)) return makeWithoutNew(IncomingMessage, socket);
    this._events = undefined;
    this._eventsCount = 0;
    this.socket = socket;
    this.complete = false;
    this.url = '';
    this.method = null;
    this.statusCode = null;
    this.statusMessage = null;
    this.httpVersionMajor = null;
    this.httpVersionMinor = null;
    this.httpVersion = null;
    this.upgrade = null;
    this._dumped = false;
    this._consuming = false;
    this[kState] = undefined;
    this[kHead] = undefined;
    this[kFlags] = 0;
    this[kMostPairs] = 0;
    this[kHeaders] = null;
    this[kDetached] = false;
  };
const IncomingMessage = withOwnPrototypes(makeClass, Readable, []);
const proto = IncomingMessage.prototype;

// Fields that few messages change.
Object.assign(proto, {
  aborted: false,
  joinDuplicateHeaders: false,
});
for (const [name, value] of eachEntry([
  [kRawHeaders, undefined],
  [kDistinct, null],
  [kTrailers, null],
  [kTrailersDistinct, null],
  [kRawTrailers, undefined],
  [kAbort, null],
  [kAbortSocket, null],
  [kOnAbort, null],
])) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, writable: true, value });
}

function hidden(name, get, set) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, get, set });
}

function makeState(message) {
  const mark = message.socket?.readableHighWaterMark;
  const state = new ReadableState(mark === undefined ? undefined : { highWaterMark: mark }, message, false);
  state.readingMore = true;
  message[kState] = state;
  if (message[kFlags] & kEndedUnseen) state.ended = true;
  if (message[kFlags] & kClosedUnseen) {
    state.endEmitted = state.destroyed = state.closed = state.closeEmitted = true;
  }
  return state;
}
// The end came before anybody looked; and nobody was there to hear of 'end' and 'close'.
const kEndedUnseen = 1 << 28;
const kClosedUnseen = 1 << 29;

hidden(
  '_readableState',
  function readableState() {
    return this[kState] ?? makeState(this);
  },
  function setState(state) {
    this[kState] = state;
  },
);
hidden(
  'connection',
  function connection() {
    return this.socket;
  },
  function setConnection(socket) {
    this.socket = socket;
  },
);

// The client's socket of old programs.
hidden(
  'client',
  function client() {
    return this.socket;
  },
  function setClient(value) {
    Object.defineProperty(this, 'client', { __proto__: null, configurable: true, enumerable: true, writable: true, value });
  },
);

function setRareVersion(message, flags) {
  const isOldest = (flags & kVersion09) !== 0;
  message.httpVersionMajor = isOldest ? 0 : 2;
  message.httpVersionMinor = isOldest ? 9 : 0;
  message.httpVersion = isOldest ? '0.9' : '2.0';
}

proto._setHead = function setHead(flags, text, head, mostPairs, isResponse) {
  this[kFlags] = flags;
  this[kHead] = head;
  this.httpVersionMajor = 1;
  if ((flags & kMinor) !== 0) {
    this.httpVersionMinor = 1;
    this.httpVersion = '1.1';
  } else {
    this.httpVersionMinor = 0;
    this.httpVersion = '1.0';
    if ((flags & (kVersion09 | kVersion20)) !== 0) setRareVersion(this, flags);
  }
  this.upgrade = (flags & kUpgrade) !== 0;
  if (mostPairs !== 2000) this[kMostPairs] = Math.max(mostPairs, 0) >> 1;
  else this[kMostPairs] = 1000;
  if (isResponse) {
    this.statusCode = flags & 1023;
    this.statusMessage = text;
  } else {
    this.method = methodNames[flags & 255];
    this.url = text;
  }
};
Object.defineProperty(proto, '_setHead', { __proto__: null, enumerable: false });

hidden(
  'rawHeaders',
  function rawHeaders() {
    return (this[kRawHeaders] ??= this[kHead] === undefined ? [] : binding.rawHeaders(this[kHead], this[kMostPairs]));
  },
  function setRawHeaders(value) {
    this[kRawHeaders] = value;
  },
);
hidden(
  'rawTrailers',
  function rawTrailers() {
    return (this[kRawTrailers] ??= []);
  },
  function setRawTrailers(value) {
    this[kRawTrailers] = value;
  },
);

// Made from the text of the head, or line by line where a program has its own way with lines.
hidden(
  'headers',
  function headers() {
    if (this[kHeaders] === null) {
      if (this[kHead] !== undefined && this._addHeaderLine === addHeaderLine && this[kRawHeaders] === undefined) {
        this[kHeaders] = binding.headers(this[kHead], Boolean(this.joinDuplicateHeaders), this[kMostPairs]);
      } else {
        this[kHeaders] = collect(this, '_addHeaderLine', this.rawHeaders, this[kMostPairs]);
      }
    }
    return this[kHeaders];
  },
  function setHeaders(value) {
    this[kHeaders] = value;
  },
);
hidden(
  'headersDistinct',
  function headersDistinct() {
    return (this[kDistinct] ??= collect(this, '_addHeaderLineDistinct', this.rawHeaders, this[kMostPairs], { __proto__: null }));
  },
  function setDistinct(value) {
    this[kDistinct] = value;
  },
);
hidden(
  'trailers',
  function trailers() {
    return (this[kTrailers] ??= collect(this, '_addHeaderLine', this.rawTrailers, 0));
  },
  function setTrailers(value) {
    this[kTrailers] = value;
  },
);
hidden(
  'trailersDistinct',
  function trailersDistinct() {
    return (this[kTrailersDistinct] ??= collect(this, '_addHeaderLineDistinct', this.rawTrailers, 0, { __proto__: null }));
  },
  function setTrailersDistinct(value) {
    this[kTrailersDistinct] = value;
  },
);

function collect(message, method, lines, most, made = {}) {
  const end = most > 0 ? Math.min(lines.length, most * 2) : lines.length;
  for (let i = 0; i < end; i += 2) message[method](lines[i], lines[i + 1], made);
  return made;
}

const firstOnly = new Set([
  'age',
  'host',
  'from',
  'etag',
  'server',
  'referer',
  'expires',
  'location',
  'user-agent',
  'retry-after',
  'content-type',
  'max-forwards',
  'authorization',
  'last-modified',
  'content-length',
  'if-modified-since',
  'proxy-authorization',
  'if-unmodified-since',
]);

// A field that comes again is joined, collected (set-cookie), or dropped where only one makes sense.
function addHeaderLine(field, value, dest) {
  const name = stringToLowerCase.call(field);
  if (name === 'set-cookie') {
    if (dest[name] === undefined) dest[name] = [value];
    else arrayPush.call(dest[name], value);
  } else if (typeof dest[name] !== 'string') {
    if (dest[name] === undefined || !firstOnly.has(name)) dest[name] = value;
  } else if (!firstOnly.has(name) || this.joinDuplicateHeaders) {
    dest[name] += (name === 'cookie' ? '; ' : ', ') + value;
  }
}

const methods = {
  _addHeaderLine: addHeaderLine,

  _addHeaderLineDistinct(field, value, dest) {
    const name = stringToLowerCase.call(field);
    if (!dest[name]) dest[name] = [value];
    else arrayPush.call(dest[name], value);
  },

  _addHeaderLines(lines, count) {
    if (!lines?.length) return;
    let dest;
    if (this.complete) {
      this.rawTrailers = lines;
      dest = this[kTrailers];
    } else {
      this.rawHeaders = lines;
      this[kMostPairs] = count >> 1;
      dest = this[kHeaders];
    }
    if (dest) for (let i = 0; i < count; i += 2) this._addHeaderLine(lines[i], lines[i + 1], dest);
  },

  setTimeout(msecs, callback) {
    if (callback) this.on('timeout', callback);
    this.socket.setTimeout(msecs);
    return this;
  },

  // The parser pushes; reading only lets the socket flow.
  _read() {
    if (!this._consuming) {
      this._readableState.readingMore = false;
      this._consuming = true;
    }
    const { socket } = this;
    if (socket?.readable && !socket._paused) socket.resume();
  },

  // The last byte has come.
  _end() {
    this.complete = true;
    if (this[kState] === undefined) this[kFlags] |= kEndedUnseen;
    else this.push(null);
  },

  _destroy(error, callback) {
    if (!this.readableEnded || !this.complete) {
      this.aborted = true;
      this.emit('aborted');
      abort(this);
    }
    const { socket } = this;
    if (socket && !socket.destroyed && this.aborted) {
      socket.destroy(error);
      const cleanup = finished(socket, (failure) => {
        if (failure?.code === 'ERR_STREAM_PREMATURE_CLOSE') failure = null;
        cleanup();
        enqueue(tellDestroyed, [this, failure || error, callback]);
      });
    } else {
      enqueue(tellDestroyed, [this, error, callback]);
    }
  },

  // The body has no reader: discard it.
  _dump() {
    if (this._dumped) return;
    this._dumped = true;
    if (this[kState] === undefined && (this[kFlags] & kEndedUnseen) !== 0 && (this._events === undefined || this._eventsCount === 0)) {
      this[kFlags] |= kClosedUnseen;
      return;
    }
    this.removeAllListeners('data');
    this.resume();
  },

  _dumpAndCloseReadable() {
    this._dumped = true;
    const state = this._readableState;
    state.ended = state.endEmitted = state.destroyed = state.closed = state.closeEmitted = true;
  },
};
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value: methods[name] });
}

// An error is told only to those who listen.
function tellDestroyed(message, error, callback) {
  if (message.listenerCount('error') === 0) callback();
  else callback(error);
}

// --- signal: aborted when the connection closes before the message is through

function attach(message) {
  const { socket } = message;
  if (message[kAbort].signal.aborted || message[kDetached] || message[kOnAbort] !== null || !socket) return;
  if (socket.destroyed) {
    abort(message);
    return;
  }
  message[kAbortSocket] = socket;
  message[kOnAbort] = () => abort(message);
  socket.once('close', message[kOnAbort]);
}

function detachSignal(message) {
  if (message[kAbort] === null) {
    if (message[kDetached] !== true) message[kDetached] = true;
    return;
  }
  const { [kAbortSocket]: socket, [kOnAbort]: listener } = message;
  message[kDetached] = true;
  message[kAbortSocket] = message[kOnAbort] = null;
  if (socket !== null && listener !== null) socket.removeListener('close', listener);
}

function abort(message) {
  detachSignal(message);
  message[kAbort]?.abort();
}

hidden('signal', function signal() {
  if (this[kAbort] === null) {
    const { AbortController } = require('internal/events/abort');
    this[kAbort] = new AbortController();
    if (this.destroyed && (!this.readableEnded || !this.complete)) this[kAbort].abort();
    else attach(this);
  }
  return this[kAbort].signal;
});

const hasHost = (message) => (message[kFlags] & kHasHost) !== 0 || message[kHead] === undefined;
const hasExpect = (message) => (message[kFlags] & kHasExpect) !== 0;
const hasBodyHeaders = (message) => (message[kFlags] & kHasBody) !== 0;
// The message has no reader, and no state of one was asked for.
const isUnread = (message) => message[kState] === undefined;

module.exports = { IncomingMessage, detachSignal, hasBodyHeaders, hasExpect, hasHost, isUnread, kComplete, kKeepAlive };
