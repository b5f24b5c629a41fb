// natives: none
// The other face of a server's stream: a request and a response as node:http's programs know them.
'use strict';

const { Readable } = require('stream');
const { validateString } = require('internal/util/validators');
const { Http2ServerResponse, finishResponse } = require('internal/http2/compat_response');

const kStream = Symbol('stream');
const kHeaders = Symbol('headers');
const kRawHeaders = Symbol('rawHeaders');
const kTrailers = Symbol('trailers');
const kRawTrailers = Symbol('rawTrailers');
const kAborted = Symbol('aborted');

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this[kStream] = stream;
    this[kHeaders] = headers;
    this[kRawHeaders] = rawHeaders;
    this[kTrailers] = {};
    this[kRawTrailers] = [];
    this[kAborted] = false;
    this.complete = false;
    stream.on('trailers', (trailers, flags, raw) => {
      Object.assign(this[kTrailers], trailers);
      arrayPush.call(this[kRawTrailers], ...each(raw));
    });
    stream.on('end', () => {
      this.complete = true;
      this.push(null);
    });
    stream.on('error', (error) => { if (this.listenerCount('error') > 0) this.emit('error', error); });
    stream.on('aborted', () => {
      if (this.complete && this.readableEnded) return;
      this[kAborted] = true;
      this.emit('aborted');
    });
    stream.on('close', () => this.#onStreamClose());
    stream.on('data', (chunk) => { if (!this.push(chunk)) stream.pause(); });
    stream.on('timeout', () => this.emit('timeout'));
    stream.pause();
  }

  #onStreamClose() {
    if (!this.readableEnded && !this.complete) this.push(null);
    this.destroyed || this.destroy();
  }

  _read() {
    const stream = this[kStream];
    if (!stream.destroyed) process.nextTick(() => stream.resume());
  }

  _destroy(error, callback) {
    callback(error);
  }

  get aborted() { return this[kAborted]; }
  get stream() { return this[kStream]; }
  get headers() { return this[kHeaders]; }
  get rawHeaders() { return this[kRawHeaders]; }
  get trailers() { return this[kTrailers]; }
  get rawTrailers() { return this[kRawTrailers]; }
  get httpVersionMajor() { return 2; }
  get httpVersionMinor() { return 0; }
  get httpVersion() { return '2.0'; }
  get socket() { return this[kStream].session?.socket; }
  get connection() { return this.socket; }
  get method() { return this[kHeaders][':method']; }
  set method(method) {
    validateString(method, 'method');
    this[kHeaders][':method'] = method;
  }
  get authority() { return this[kHeaders][':authority'] ?? this[kHeaders].host; }
  get scheme() { return this[kHeaders][':scheme']; }
  get url() { return this[kHeaders][':path']; }
  set url(url) { this[kHeaders][':path'] = url; }

  setTimeout(milliseconds, callback = undefined) {
    if (this[kStream].destroyed) return this;
    this[kStream].setTimeout(milliseconds, callback);
    return this;
  }
}

function onStream(options, stream, headers, flags, rawHeaders) {
  const Request = options.Http2ServerRequest ?? Http2ServerRequest;
  const Response = options.Http2ServerResponse ?? Http2ServerResponse;
  const request = new Request(stream, headers, undefined, rawHeaders);
  const response = new Response(stream);
  finishResponse(response, request);
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
