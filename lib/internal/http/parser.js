// natives: http
//
// A parser between a socket and its messages. Either it reads the socket's handle itself (consume: bytes never become a Buffer, and
// one piece is one entry into JavaScript), or somebody hands it Buffers (execute). It makes the IncomingMessage, calls
// onIncoming(message, keepAlive), and fills the message's body. The server and the client give it onIncoming, and onDone, which hears
// what became of a piece: an Error, or undefined. When an upgraded message ends, `upgraded` is true and leftover() what follows it.

'use strict';

const binding = native('http');
const { kBody, kEnd, kFailed, kHead, kMore, kUpgrade, kUpgraded } = binding;
const { codes, genericNodeError } = require('internal/errors/coded');
const { IncomingMessage, kComplete, kKeepAlive } = require('internal/http/incoming');
const { kIncomingMessage, kSkipPendingData } = require('internal/http/symbols');

const kRequest = 1;
const kResponse = 2;
const kMostPairs = 2000;

function readStart(socket) {
  if (socket && !socket._paused && socket.readable) socket.resume();
}

function readStop(socket) {
  if (socket) socket.pause();
}

// Whether a head has more than `most` fields; 0: any number will do. Of its lines the first and the last are none, and each has at least
// three characters: `a:` and its end.
function hasMoreLines(head, most) {
  if (most === 0 || head.length <= most * 3) return false;
  let lines = 0;
  for (let at = stringIndexOf.call(head, '\n'); at >= 0; at = stringIndexOf.call(head, '\n', at + 1)) if (++lines > most + 2) return true;
  return false;
}

class HTTPParser {
  constructor() {
    this.native = undefined;
    this.isResponse = false;
    this.socket = null;
    this.handle = undefined; // that is consumed
    this.incoming = null;
    this.outgoing = null;
    this.maxHeaderPairs = kMostPairs;
    this.joinDuplicateHeaders = null;
    this.onIncoming = null;
    this.onDone = null;
    this._consumed = false;
    this.paused = false;
    this.upgraded = false;
    this.refused = false; // a request with too many lines: nothing more is read
    this.running = false;
    this.isHandling = false;
    this.lastPiece = undefined;
    this.failure = undefined; // the Error of the piece that is being read
    this.callback = undefined;
  }

  initialize(kind, maxHeaderSize, lenientBits) {
    this.isResponse = kind === kResponse;
    this.native = binding.newParser(this.isResponse, maxHeaderSize, lenientBits);
    this.paused = this.upgraded = this.refused = false;
  }

  // From now on what the handle reads comes here.
  consume(handle) {
    this._consumed = true;
    this.handle = handle;
    this.callback ??= (size, event, a, b, c) => this.onPiece(size, event, a, b, c);
    handle.setConsumer((stream) => this.native.consume(stream, this.isResponse, this.callback));
  }

  unconsume() {
    if (!this._consumed) return;
    this._consumed = false;
    this.handle.setConsumer(undefined);
    this.handle = undefined;
  }

  // Called by native code.
  onPiece(size, event, a, b, c) {
    const { socket } = this;
    if (size <= 0) {
      socket?._handle?.onread?.(size);
      return;
    }
    this.running = true;
    this.failure = undefined;
    if (event === kHead) {
      this.onHead(a, b, c);
      if ((a & kMore) !== 0) this.pull();
    } else if (event !== 0) {
      if (this.onEvent(event, a, b, c)) this.pull();
    }
    this.running = false;
    // Not before: a head puts an idle connection's time-out out of action.
    if (socket?.timeout) socket._unrefTimer();
    this.onDone?.(this.failure);
  }

  // The number of bytes taken, or an Error.
  execute(bytes) {
    if (this.native === undefined) {
      if (!(this instanceof HTTPParser)) throw new codes.ERR_INVALID_THIS('HTTPParser');
      return bytes.length;
    }
    this.lastPiece = bytes;
    this.native.feed(bytes);
    this.running = true;
    this.failure = undefined;
    this.pull();
    this.running = false;
    const { native: cell } = this;
    if (cell === undefined) return bytes.length;
    if (this.failure !== undefined) return this.failure;
    const taken = cell.taken();
    if (!this.upgraded) cell.keepRest();
    return taken;
  }

  // The connection has ended.
  finish() {
    if (this.native === undefined) return undefined;
    const event = this.native.finish();
    if (Array.isArray(event)) {
      this.onFailed(event[0], event[1], event[2]);
      this.failure.message = 'Parse Error';
      return this.failure;
    }
    if (event === kEnd) this.onEnd();
    return undefined;
  }

  pull() {
    while (!this.paused && !this.refused && this.native !== undefined) {
      const found = this.native.next(this.isResponse);
      if (found === undefined) return;
      if (typeof found === 'number') {
        if (!this.onEvent(found)) return;
      } else if (Array.isArray(found)) {
        if (typeof found[0] === 'string') return this.onFailed(found[0], found[1], found[2]);
        this.onHead(found[0], found[1], found[2]);
      } else {
        this.onBody(found);
      }
    }
  }

  // Whether there may be more.
  onEvent(event, a, b, c) {
    if (event === kBody) this.onBody(a);
    else if (event === kEnd) this.onEnd();
    else if (event === kFailed) this.onFailed(a, b, c);
    return event !== kFailed && event !== kUpgraded;
  }

  onFailed(code, reason, bytesParsed) {
    const error = (this.failure = genericNodeError(`Parse Error: ${reason}`, { code, reason }));
    error.bytesParsed = bytesParsed;
    error.rawPacket = this._consumed ? this.native.piece() : this.lastPiece;
  }

  onHead(flags, text, head) {
    const { socket } = this;
    if (!this.isResponse && hasMoreLines(head, this.maxHeaderPairs >> 1)) {
      this.refused = true;
      this.onFailed('HPE_HEADER_OVERFLOW', 'Header overflow', this.native.taken());
      return;
    }
    const Message = socket?.server?.[kIncomingMessage] ?? IncomingMessage;
    const message = (this.incoming = new Message(socket));
    message._setHead(flags, text, head, this.maxHeaderPairs, this.isResponse);
    const joins = socket?.server?.joinDuplicateHeaders || this.joinDuplicateHeaders;
    if (joins) message.joinDuplicateHeaders = joins;
    const parser = this.native;
    this.isHandling = true;
    const treatment = this.onIncoming(message, (flags & kKeepAlive) !== 0);
    this.isHandling = false;
    if (treatment !== 0 && treatment !== undefined) {
      parser.skipBody();
      if (treatment === 2) parser.setUpgrade(true);
    }
    if ((flags & kUpgrade) !== 0 && !message.upgrade) parser.setUpgrade(false);
    if ((flags & kComplete) !== 0) message._end();
  }

  onBody(bytes) {
    const { incoming } = this;
    if (incoming === null || incoming[kSkipPendingData] || incoming._dumped) return;
    if (!incoming.push(bytes)) readStop(this.socket);
  }

  onEnd() {
    const { incoming } = this;
    if (incoming !== null && !incoming[kSkipPendingData]) {
      const trailers = this.native === undefined ? [] : this.native.trailers();
      incoming.complete = true;
      if (trailers.length !== 0) incoming._addHeaderLines(trailers, trailers.length);
      incoming._end();
      if (incoming.upgrade) this.upgraded = true;
    }
    readStart(this.socket);
  }

  pause() {
    this.paused = true;
  }
  resume() {
    if (!this.paused) return;
    this.paused = false;
    if (this.running) return;
    this.failure = undefined;
    this.pull();
    const { native: cell } = this;
    if (cell === undefined) return;
    cell.keepRest();
    this.onDone?.(this.failure);
  }

  // Bytes after an upgraded message; asked for once.
  leftover() {
    return this.native?.leftover();
  }
  // No message is under way, nor the function that answers one on the stack.
  isIdle() {
    return this.native !== undefined && !this.isHandling && this.native.isIdle();
  }
  // See ageOf in src/modules/net/net_http.cpp.
  age() {
    return this.native === undefined ? NaN : this.native.ageOf();
  }

  forgetAge() {
    if (this.native !== undefined) this.native.forgetAge();
  }

  free() {
    clean(this);
  }
  close() {
    clean(this);
  }
  remove() {}
}

function clean(parser) {
  parser.unconsume();
  parser.native = undefined;
  parser.socket = parser.incoming = parser.outgoing = parser.onIncoming = parser.onDone = parser.joinDuplicateHeaders = null;
  parser.maxHeaderPairs = kMostPairs;
  parser.isHandling = false;
  parser.lastPiece = parser.failure = undefined;
}

HTTPParser.REQUEST = kRequest;
HTTPParser.RESPONSE = kResponse;
HTTPParser.kLenientNone = 0;
HTTPParser.kLenientAll = binding.kLenientAll;
HTTPParser.kLenientHeaderValueRelaxed = binding.kLenientValues;

// Parsers that nobody uses at the moment; at most `max` are kept.
const parsers = {
  name: 'parsers',
  max: 1000,
  list: [],
  alloc() {
    return this.list.length > 0 ? arrayPop.call(this.list) : new HTTPParser();
  },
  free(parser) {
    if (this.list.length >= this.max) return false;
    arrayPush.call(this.list, parser);
    return true;
  },
};

function freeParser(parser, request, socket) {
  if (parser && parser.native !== undefined) {
    parser.free();
    parsers.free(parser);
  }
  if (request) request.parser = null;
  if (socket) socket.parser = null;
}

module.exports = { HTTPParser, freeParser, methods: binding.methods(), parsers, readStart, readStop };
