// natives: none
// Http2ServerResponse: what node:http's programs call to answer, on a server's stream.
'use strict';

const { Stream } = require('internal/streams/stream');
const {
  codes: {
    ERR_HTTP2_HEADERS_SENT,
    ERR_HTTP2_INFO_STATUS_NOT_ALLOWED,
    ERR_HTTP2_INVALID_HEADER_VALUE,
    ERR_HTTP2_INVALID_PSEUDOHEADER,
    ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED,
    ERR_HTTP2_STATUS_INVALID,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_HTTP_TOKEN,
    ERR_STREAM_WRITE_AFTER_END,
  },
} = require('internal/errors/coded');
const { validateFunction, validateLinkHeaderValue, validateObject, validateString } = require('internal/util/validators');
const { kRequest, forgetSocket, shownSocket } = require('internal/http2/compat_socket');
const { isConnectionField, kToken } = require('internal/http2/headers');

const kState = Symbol('state');
const kPseudo = new Set([':status', ':method', ':path', ':authority', ':scheme']);

// Calls for HTTP/1 that have no meaning in HTTP/2 warn once.
const warned = new Set();
function warn(text) {
  if (warned.has(text)) return;
  warned.add(text);
  process.emitWarning(text, 'UnsupportedWarning');
}
const warnOfStatusMessage = () => warn('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)');

const lowerName = (name) => stringToLowerCase.call(stringTrim.call(name));

function checkHeader(name, value) {
  if (name === '' || stringIncludes.call(name, ' ')) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
  if (kPseudo.has(name)) throw new ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
  if (value === undefined || value === null) throw new ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
  if (name === 'connection' && value !== 'trailers') {
    warn('The provided connection header is not valid, the value will be dropped from the header and will never be in use.');
  }
}

class Http2ServerResponse extends Stream {
  constructor(stream, options = undefined) {
    super(options);
    const headers = { __proto__: null },
      trailers = { __proto__: null };
    const state = {
      stream,
      headers,
      trailers,
      statusCode: 200,
      isEnding: false,
      isClosed: false,
      isDestroyed: false,
      isHead: false,
      sendDate: true,
    };
    this[kState] = state;
    this.writable = true;
    this.req = stream[kRequest];
    stream.on('drain', () => {
      if (!state.isClosed) this.emit('drain');
    });
    stream.on('timeout', () => this.emit('timeout'));
    stream.on('wantTrailers', () => {
      if (!state.isClosed && !stream.destroyed && !stream.closed) stream.sendTrailers(trailers);
    });
    stream.on('close', () => this.#onClose());
  }

  // 'finish' comes with the stream's end, for whatever reason, as in Node.
  #onClose() {
    const state = this[kState];
    if (state.isClosed || state.stream.headRequest !== state.isHead) return;
    state.isClosed = true;
    forgetSocket(state.stream);
    this.emit('finish');
    this.emit('close');
  }

  get stream() {
    return this[kState].stream;
  }
  get socket() {
    return this[kState].isClosed ? undefined : shownSocket(this[kState].stream);
  }
  get connection() {
    return this.socket;
  }
  get headersSent() {
    return this[kState].stream.headersSent;
  }
  get _header() {
    return this.headersSent;
  }
  get finished() {
    return this[kState].isEnding;
  }
  get writableEnded() {
    return this[kState].isEnding;
  }
  get writableFinished() {
    return this[kState].stream.writableFinished;
  }
  get writableCorked() {
    return this[kState].stream.writableCorked;
  }
  get writableHighWaterMark() {
    return this[kState].stream.writableHighWaterMark;
  }
  get writableObjectMode() {
    return this[kState].stream.writableObjectMode;
  }
  get writableLength() {
    return this[kState].stream.writableLength;
  }
  get writableNeedDrain() {
    return this[kState].stream.writableNeedDrain;
  }
  get sendDate() {
    return this[kState].sendDate;
  }
  set sendDate(sends) {
    this[kState].sendDate = Boolean(sends);
  }
  get statusMessage() {
    warnOfStatusMessage();
    return '';
  }
  set statusMessage(message) {
    warnOfStatusMessage();
  }
  get statusCode() {
    return this[kState].statusCode;
  }
  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw new ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new ERR_HTTP2_STATUS_INVALID(code);
    this[kState].statusCode = code;
  }

  setTrailer(name, value) {
    validateString(name, 'name');
    name = lowerName(name);
    checkHeader(name, value);
    this[kState].trailers[name] = value;
  }

  addTrailers(headers) {
    for (const name of each(Object.keys(headers))) this.setTrailer(name, headers[name]);
  }

  getHeader(name) {
    validateString(name, 'name');
    return this[kState].headers[stringToLowerCase.call(stringTrim.call(name))];
  }

  getHeaderNames() {
    return Object.keys(this[kState].headers);
  }
  getHeaders() {
    return { __proto__: null, ...this[kState].headers };
  }

  hasHeader(name) {
    validateString(name, 'name');
    return Object.hasOwn(this[kState].headers, lowerName(name));
  }

  removeHeader(name) {
    validateString(name, 'name');
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    const lower = lowerName(name);
    if (lower === 'date') this[kState].sendDate = false;
    else delete this[kState].headers[lower];
  }

  // The name under which the value is to be kept; undefined: not at all.
  #checkedName(name, value) {
    const lower = lowerName(name);
    checkHeader(lower, value);
    if (isConnectionField(lower, value) && (lower !== 'connection' || value !== 'trailers')) return undefined;
    if (lower[0] === ':') throw new ERR_HTTP2_INVALID_PSEUDOHEADER(lower);
    if (!regexpTest.call(kToken, lower)) this.destroy(new ERR_INVALID_HTTP_TOKEN('Header name', lower));
    return lower;
  }

  #set(name, value) {
    const lower = this.#checkedName(name, value);
    if (lower !== undefined) this[kState].headers[lower] = value;
  }

  #append(name, value) {
    const lower = this.#checkedName(name, value);
    if (lower === undefined) return;
    const { headers } = this[kState];
    headers[lower] = headers[lower] ? arrayFlat.call([headers[lower], value]) : value;
  }

  setHeader(name, value) {
    validateString(name, 'name');
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    this.#set(name, value);
  }

  appendHeader(name, value) {
    validateString(name, 'name');
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    this.#append(name, value);
  }

  flushHeaders() {
    if (!this[kState].isClosed && !this.headersSent) this.writeHead(this[kState].statusCode);
  }

  writeHead(statusCode, statusMessage, headers = undefined) {
    const state = this[kState];
    if (state.isClosed || state.stream.destroyed || state.stream.closed) return this;
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (typeof statusMessage === 'string') warnOfStatusMessage();
    else if (headers === undefined && typeof statusMessage === 'object') headers = statusMessage;
    if (Array.isArray(headers)) this.#setList(headers);
    else if (typeof headers === 'object' && headers !== null) for (const name of each(Object.keys(headers))) this.#set(name, headers[name]);
    state.statusCode = statusCode;
    state.stream.respond(
      { ...state.headers, ':status': statusCode },
      {
        endStream: state.isEnding,
        waitForTrailers: true,
        sendDate: state.sendDate,
      },
    );
    return this;
  }

  // [name, value, …] or [[name, value], …]: in place of what was set before, with repetitions of their own.
  #setList(list) {
    const pairs = Array.isArray(list[0]) ? list : [];
    if (pairs !== list) {
      if (list.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', list);
      for (let i = 0; i < list.length; i += 2) arrayPush.call(pairs, [list[i], list[i + 1]]);
    }
    for (const [name] of eachEntry(pairs)) this.removeHeader(name);
    for (const [name, value] of eachEntry(pairs)) this.#append(name, value);
  }

  cork() {
    this.stream.cork();
  }
  uncork() {
    this.stream.uncork();
  }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [callback, encoding] = each([encoding, 'utf8']);
    const state = this[kState];
    const error = state.isEnding ? new ERR_STREAM_WRITE_AFTER_END() : state.isClosed ? new ERR_HTTP2_INVALID_STREAM() : undefined;
    if (error !== undefined) {
      if (typeof callback === 'function') process.nextTick(callback, error);
      this.destroy(error);
      return false;
    }
    if (state.isDestroyed) return false;
    if (!this.headersSent) this.writeHead(state.statusCode);
    return state.stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, callback] = each([undefined, chunk]);
    else if (typeof encoding === 'function') [encoding, callback] = each(['utf8', encoding]);
    const state = this[kState];
    const { stream } = state;
    if ((state.isClosed || state.isEnding) && state.isHead === stream.headRequest) {
      if (typeof callback === 'function') process.nextTick(callback);
      return this;
    }
    if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
    state.isHead = stream.headRequest;
    state.isEnding = true;
    if (typeof callback === 'function') {
      if (stream.writableEnded) this.once('finish', callback);
      else stream.once('finish', callback);
    }
    if (!this.headersSent) this.writeHead(state.statusCode);
    if (state.isClosed || stream.destroyed) this.#onClose();
    else stream.end();
    return this;
  }

  destroy(error) {
    const state = this[kState];
    if (state.isDestroyed) return;
    state.isDestroyed = true;
    state.stream.destroy(error);
  }

  setTimeout(milliseconds, callback = undefined) {
    if (!this[kState].isClosed) this.stream.setTimeout(milliseconds, callback);
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

  writeInformation(statusCode, headers = undefined) {
    if (typeof statusCode !== 'number' || statusCode < 100 || statusCode > 199 || statusCode === 101) {
      throw new ERR_HTTP2_STATUS_INVALID(statusCode);
    }
    if (this.headersSent || this[kState].isClosed) return false;
    if (headers !== undefined && headers !== null) validateObject(headers, 'headers');
    this.stream.additionalHeaders({ ...headers, ':status': statusCode });
    return true;
  }

  writeContinue() {
    return this.writeInformation(100);
  }

  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const headers = { __proto__: null };
    const link = validateLinkHeaderValue(hints.link);
    for (const key of each(Object.keys(hints))) {
      if (key === 'link') continue;
      const name = lowerName(key);
      checkHeader(name, hints[key]);
      if (!regexpTest.call(kToken, name)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
      headers[name] = hints[key];
    }
    if (link.length === 0) return false;
    headers.Link = link;
    return this.writeInformation(103, headers);
  }
}

module.exports = { Http2ServerResponse };
