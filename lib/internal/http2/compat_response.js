// natives: none
// Http2ServerResponse: what node:http's programs call to answer, on a server's stream.
'use strict';

const { Stream } = require('stream');
const {
  codes: {
    ERR_HTTP2_HEADERS_SENT, ERR_HTTP2_INFO_STATUS_NOT_ALLOWED, ERR_HTTP2_INVALID_HEADER_VALUE, ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED, ERR_HTTP2_STATUS_INVALID, ERR_INVALID_ARG_VALUE, ERR_INVALID_HTTP_TOKEN,
  },
} = require('internal/errors/coded');
const { validateFunction, validateObject, validateString } = require('internal/util/validators');
const { isConnectionField, kToken } = require('internal/http2/headers');

const kState = Symbol('state');

function checkName(name) {
  validateString(name, 'name');
  const lower = stringToLowerCase.call(stringTrim.call(name));
  if (lower[0] === ':') throw new ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
  if (lower === '' || !regexpTest.call(kToken, lower)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
  return lower;
}

class Http2ServerResponse extends Stream {
  constructor(stream, options = undefined) {
    super(options);
    this[kState] = {
      stream, headers: { __proto__: null }, trailers: { __proto__: null }, statusCode: 200, isEnded: false, isClosed: false, sendDate: true,
      request: undefined,
    };
    this.writable = true;
    stream.on('drain', () => this.emit('drain'));
    stream.on('aborted', () => this.emit('aborted'));
    stream.on('timeout', () => this.emit('timeout'));
    stream.on('wantTrailers', () => { if (!stream.destroyed && !stream.closed) stream.sendTrailers(this[kState].trailers); });
    stream.on('finish', () => this.#onFinish());
    stream.on('close', () => this.#onClose());
    stream.on('error', (error) => { if (this.listenerCount('error') > 0) this.emit('error', error); });
  }

  #onFinish() {
    this[kState].isFinished = true;
    this.emit('finish');
  }

  #onClose() {
    const state = this[kState];
    if (state.isClosed) return;
    state.isClosed = true;
    this.writable = false;
    this.emit('close');
  }

  get req() { return this[kState].request; }
  get stream() { return this[kState].stream; }
  get socket() { return this[kState].stream.session?.socket; }
  get connection() { return this.socket; }
  get headersSent() { return this[kState].stream.headersSent; }
  get _header() { return this.headersSent; }
  get finished() { return this[kState].isEnded; }
  get writableEnded() { return this[kState].isEnded; }
  get writableFinished() { return Boolean(this[kState].isFinished); }
  get writableCorked() { return this[kState].stream.writableCorked; }
  get writableHighWaterMark() { return this[kState].stream.writableHighWaterMark; }
  get writableLength() { return this[kState].stream.writableLength; }
  get writableNeedDrain() { return this[kState].stream.writableNeedDrain; }
  get destroyed() { return this[kState].stream.destroyed; }
  get sendDate() { return this[kState].sendDate; }
  set sendDate(sends) { this[kState].sendDate = Boolean(sends); }
  get statusMessage() { return ''; }
  set statusMessage(message) {}
  get statusCode() { return this[kState].statusCode; }
  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw new ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new ERR_HTTP2_STATUS_INVALID(code);
    this[kState].statusCode = code;
  }

  setTrailer(name, value) {
    name = checkName(name);
    if (value === undefined || value === null) throw new ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
    this[kState].trailers[name] = value;
  }

  addTrailers(headers) {
    for (const name of each(Object.keys(headers))) this.setTrailer(name, headers[name]);
  }

  getHeader(name) {
    validateString(name, 'name');
    return this[kState].headers[stringToLowerCase.call(stringTrim.call(name))];
  }

  getHeaderNames() { return Object.keys(this[kState].headers); }
  getHeaders() { return { __proto__: null, ...this[kState].headers }; }

  hasHeader(name) {
    validateString(name, 'name');
    return this[kState].headers[stringToLowerCase.call(stringTrim.call(name))] !== undefined;
  }

  removeHeader(name) {
    validateString(name, 'name');
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    const lower = stringToLowerCase.call(stringTrim.call(name));
    if (lower === 'date') this[kState].sendDate = false;
    delete this[kState].headers[lower];
  }

  setHeader(name, value) {
    const lower = checkName(name);
    if (value === undefined || value === null) throw new ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
    if (this[kState].isClosed) return this;
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    // What HTTP/1's programs say of their connection is left out, as it means nothing here.
    if (!isConnectionField(lower, value)) this[kState].headers[lower] = value;
    return this;
  }

  appendHeader(name, value) {
    const before = this.getHeader(name);
    if (before === undefined) return this.setHeader(name, value);
    const values = Array.isArray(before) ? [...each(before)] : [before];
    return this.setHeader(name, arrayConcat.call(values, value));
  }

  flushHeaders() {
    if (!this[kState].isClosed && !this.headersSent) this.#begin(false);
  }

  writeHead(statusCode, statusMessage, headers = undefined) {
    if (typeof statusMessage !== 'string' && headers === undefined) headers = statusMessage;
    if (this[kState].isClosed || this.stream.destroyed) return this;
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (Array.isArray(headers)) this.#setList(headers);
    else if (typeof headers === 'object' && headers !== null) for (const name of each(Object.keys(headers))) this.setHeader(name, headers[name]);
    this.statusCode = statusCode;
    this.#begin(false);
    return this;
  }

  // [name, value, …] or [[name, value], …]
  #setList(list) {
    if (Array.isArray(list[0])) {
      for (const [name, value] of eachEntry(list)) this.setHeader(name, value);
      return;
    }
    if (list.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', list);
    for (let i = 0; i < list.length; i += 2) this.setHeader(list[i], list[i + 1]);
  }

  #begin(endStream) {
    const state = this[kState];
    state.stream.respond({ ...state.headers, ':status': state.statusCode }, {
      endStream, waitForTrailers: true, sendDate: state.sendDate,
    });
  }

  cork() { this.stream.cork(); }
  uncork() { this.stream.uncork(); }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [callback, encoding] = each([encoding, 'utf8']);
    const state = this[kState];
    if (state.isEnded) {
      const { codes: { ERR_STREAM_WRITE_AFTER_END } } = require('internal/errors/coded');
      const error = new ERR_STREAM_WRITE_AFTER_END();
      if (typeof callback === 'function') process.nextTick(callback, error);
      state.stream.destroy(error);
      return false;
    }
    if (state.stream.destroyed || state.isClosed) {
      if (typeof callback === 'function') process.nextTick(callback, new ERR_HTTP2_INVALID_STREAM());
      return false;
    }
    if (!this.headersSent) this.#begin(false);
    return state.stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, callback] = each([undefined, chunk]);
    else if (typeof encoding === 'function') [encoding, callback] = each(['utf8', encoding]);
    const state = this[kState];
    if (state.isEnded) {
      if (typeof callback === 'function') process.nextTick(callback);
      return this;
    }
    if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
    state.isEnded = true;
    if (typeof callback === 'function') {
      if (state.stream.writableEnded) this.once('finish', callback);
      else state.stream.once('finish', callback);
    }
    if (state.stream.destroyed || state.isClosed) return this;
    const isBare = Object.keys(state.trailers).length === 0;
    if (!this.headersSent) this.#begin(isBare);
    if (!state.stream.writableEnded) state.stream.end();
    return this;
  }

  destroy(error) {
    this.stream.destroy(error);
    return this;
  }

  setTimeout(milliseconds, callback = undefined) {
    if (!this[kState].isClosed) this.stream.setTimeout(milliseconds, callback);
    return this;
  }

  createPushResponse(headers, callback) {
    validateFunction(callback, 'callback');
    if (this[kState].isClosed) {
      process.nextTick(callback, new ERR_HTTP2_INVALID_STREAM());
      return;
    }
    this.stream.pushStream(headers, {}, (error, stream) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream));
    });
  }

  writeContinue() {
    if (this.headersSent || this.stream.destroyed) return false;
    this.stream.additionalHeaders({ ':status': 100 });
    return true;
  }

  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    if (this.headersSent || this.stream.destroyed) return false;
    const headers = { __proto__: null };
    for (const name of each(Object.keys(hints))) headers[stringToLowerCase.call(name)] = hints[name];
    const links = Array.isArray(headers.link) ? headers.link : headers.link === undefined ? [] : [headers.link];
    if (links.length === 0) return false;
    this.stream.additionalHeaders({ ...headers, 'link': arrayJoin.call(links, ', '), ':status': 103 });
    return true;
  }
}

function finishResponse(response, request) {
  response[kState].request = request;
}

module.exports = { Http2ServerResponse, finishResponse };
