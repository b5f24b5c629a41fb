// natives: none
// The other face of a server's stream: a request and a response as node:http's programs know them.
'use strict';

const { Readable } = require('internal/streams/stream');
const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateString } = require('internal/util/validators');
const { Http2ServerResponse } = require('internal/http2/compat_response');
const { forgetSocket, kRequest, shownSocket } = require('internal/http2/compat_socket');

const kStream = Symbol('stream');
const kHeaders = Symbol('headers');
const kRawHeaders = Symbol('rawHeaders');
const kTrailers = Symbol('trailers');
const kRawTrailers = Symbol('rawTrailers');
const kAborted = Symbol('aborted');
const kIsClosed = Symbol('the stream is closed');
const kDidRead = Symbol('somebody has asked for the body');

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this[kStream] = stream;
    this[kHeaders] = headers;
    this[kRawHeaders] = rawHeaders;
    this[kTrailers] = {};
    this[kRawTrailers] = [];
    this[kAborted] = false;
    this[kIsClosed] = false;
    this[kDidRead] = false;
    stream[kRequest] = this;
    stream.on('trailers', (trailers, flags, raw) => {
      Object.assign(this[kTrailers], trailers);
      arrayPush.call(this[kRawTrailers], ...each(raw));
    });
    stream.on('end', () => {
      if (!this[kIsClosed]) this.push(null);
    });
    stream.on('error', () => {}); // neither face tells of it, as in Node
    stream.on('aborted', () => {
      if (this[kIsClosed]) return;
      this[kAborted] = true;
      this.emit('aborted');
    });
    stream.on('close', () => this.#onStreamClose());
    stream.on('timeout', () => this.emit('timeout'));
    this.on('pause', () => stream.pause());
    this.on('resume', () => stream.resume());
  }

  // A body that nobody wanted is dropped, as HTTP/1 does it.
  #onStreamClose() {
    this[kIsClosed] = true;
    this.push(null);
    if (!this[kDidRead] && !this._readableState.resumeScheduled) this.resume();
    forgetSocket(this[kStream]);
    this[kStream][kRequest] = undefined;
    this.emit('close');
  }

  _read() {
    const stream = this[kStream];
    if (this[kDidRead]) {
      process.nextTick(() => stream.resume());
      return;
    }
    this[kDidRead] = true;
    stream.on('data', (chunk) => {
      if (!this[kIsClosed] && !this.push(chunk)) stream.pause();
    });
  }

  get aborted() {
    return this[kAborted];
  }
  get complete() {
    return this[kAborted] || this.readableEnded || this[kIsClosed] || this[kStream].destroyed;
  }
  get stream() {
    return this[kStream];
  }
  get headers() {
    return this[kHeaders];
  }
  get rawHeaders() {
    return this[kRawHeaders];
  }
  get trailers() {
    return this[kTrailers];
  }
  get rawTrailers() {
    return this[kRawTrailers];
  }
  get httpVersionMajor() {
    return 2;
  }
  get httpVersionMinor() {
    return 0;
  }
  get httpVersion() {
    return '2.0';
  }
  get socket() {
    return shownSocket(this[kStream]);
  }
  get connection() {
    return this.socket;
  }
  get method() {
    return this[kHeaders][':method'];
  }
  set method(method) {
    validateString(method, 'method');
    if (stringTrim.call(method) === '') throw new ERR_INVALID_ARG_VALUE('method', method);
    this[kHeaders][':method'] = method;
  }
  get authority() {
    return this[kHeaders][':authority'] ?? this[kHeaders].host;
  }
  get scheme() {
    return this[kHeaders][':scheme'];
  }
  get url() {
    return this[kHeaders][':path'];
  }
  set url(url) {
    this[kHeaders][':path'] = url;
  }

  setTimeout(milliseconds, callback = undefined) {
    if (!this[kIsClosed]) this[kStream].setTimeout(milliseconds, callback);
    return this;
  }
}

function onStream(options, stream, headers, flags, rawHeaders) {
  const Request = options.Http2ServerRequest ?? Http2ServerRequest;
  const Response = options.Http2ServerResponse ?? Http2ServerResponse;
  const request = new Request(stream, headers, undefined, rawHeaders);
  const response = new Response(stream);
  if (headers[':method'] === 'CONNECT') {
    if (this.emit('connect', request, response)) return;
    response.statusCode = 405;
    response.end();
    return;
  }
  if (headers.expect !== undefined) {
    if (headers.expect === '100-continue') {
      if (this.listenerCount('checkContinue') > 0) {
        this.emit('checkContinue', request, response);
        return;
      }
      response.writeContinue();
    } else if (this.listenerCount('checkExpectation') > 0) {
      this.emit('checkExpectation', request, response);
      return;
    } else {
      response.statusCode = 417;
      response.end();
      return;
    }
  }
  this.emit('request', request, response);
}

module.exports = { Http2ServerRequest, Http2ServerResponse, onStream };
