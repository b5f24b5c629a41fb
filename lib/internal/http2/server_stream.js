// natives: http2
// ServerHttp2Stream: a request that a server has got, and its answer.
'use strict';

const { kNoBody, kBody, kBodyAndTrailers } = native('http2');
const {
  codes: {
    ERR_HTTP2_HEADERS_AFTER_RESPOND,
    ERR_HTTP2_HEADERS_SENT,
    ERR_HTTP2_INFO_STATUS_NOT_ALLOWED,
    ERR_HTTP2_INVALID_INFO_STATUS,
    ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_NESTED_PUSH,
    ERR_HTTP2_PAYLOAD_FORBIDDEN,
    ERR_HTTP2_PUSH_DISABLED,
    ERR_HTTP2_STATUS_101,
    ERR_HTTP2_STATUS_INVALID,
  },
} = require('internal/errors/coded');
const { validateFunction, validateObject } = require('internal/util/validators');
const { Http2Stream, kState, kSession, kUpdateTimer } = require('internal/http2/stream');
const { fromList, packHeaders, withPseudo, kRequestPseudo, kResponsePseudo } = require('internal/http2/headers');
const observers = require('internal/http2/observers');
const { NghttpError } = require('internal/http2/nghttp_error');

const hasNoPayload = (status) => status === 204 || status === 205 || status === 304;

class ServerHttp2Stream extends Http2Stream {
  constructor(session, id, headers, isPush = false) {
    super(session, {});
    this[kState].id = id;
    this.headRequest = headers[':method'] === 'HEAD';
    this.isPush = isPush;
    this.authority = headers[':authority'] ?? headers.host;
    session.register(this, id);
    for (const name of each(['headRequest', 'isPush', 'authority'])) {
      Object.defineProperty(this, name, { __proto__: null, enumerable: false });
    }
  }

  // A request whose body nobody wanted is over with its answer: the client need not send the rest.
  get dropsUnread() {
    return true;
  }
  _final(callback) {
    super._final((error) => {
      callback(error);
      if (!this.readableDidRead && this.readableFlowing === null) this[kSession]?.unreadStreams.add(this);
    });
  }
  get isAnswered() {
    return this.state.localClose === 1;
  }
  dropUnread() {
    if (!this.destroyed && !this.closed && !this.readableDidRead && this.readableFlowing === null) this.close();
  }

  get headersSent() {
    return this[kState].hasHeaders;
  }

  get pushAllowed() {
    return !this.destroyed && !this.closed && !this.session.closed && !this.session.destroyed && this.session.remoteSettings.enablePush;
  }

  // Only trailers come after the request.
  onHeaders(headers, flags, raw) {
    this[kUpdateTimer]();
    this.emit('trailers', headers, flags, raw);
  }

  proceed() {
    const isPushedHead = this.isPush && this.headRequest; // ended from the beginning
    if (!this.headersSent && !this.destroyed && !this.closed && !isPushedHead) this.respond();
  }

  #answer(given) {
    const headers = { __proto__: null, ...given };
    const status = (headers[':status'] = headers[':status'] === undefined ? 200 : headers[':status'] | 0);
    if (status < 200) throw status >= 100 ? new ERR_HTTP2_INFO_STATUS_NOT_ALLOWED() : new ERR_HTTP2_STATUS_INVALID(given[':status']);
    if (status > 599) throw new ERR_HTTP2_STATUS_INVALID(given[':status']);
    return headers;
  }

  respond(given = undefined, options = undefined) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    const list = Array.isArray(given) ? given : undefined;
    if (list !== undefined) given = fromList(list);
    else if (given !== undefined) validateObject(given, 'headers');
    const { endStream = false, waitForTrailers = false, sendDate = true } = options ?? {};
    const headers = this.#answer(given);
    const complete = list && withPseudo(list, headers, [':status']);
    if (sendDate && !arraySome.call(Object.keys(headers), (name) => stringToLowerCase.call(name) === 'date')) {
      headers.date = require('internal/http/date').utcDate();
      if (complete !== undefined) arrayPush.call(complete, 'date', headers.date);
    }
    const hasBody = !endStream && !this.headRequest && !hasNoPayload(headers[':status']);
    this.#submit(headers, hasBody, waitForTrailers, complete);
    if (list !== undefined) headers[':status'] = given[':status'] ?? 200; // told as it was given
    if (!hasBody && !this.writableEnded) this.end();
  }

  #submit(headers, hasBody, waitForTrailers, list = undefined) {
    const packed = packHeaders(headers, kResponsePseudo, this[kSession].isStrict, list);
    this[kUpdateTimer]();
    this[kState].hasHeaders = true;
    this[kState].sentHeaders = headers;
    const session = this[kSession];
    const body = !hasBody ? kNoBody : waitForTrailers ? kBodyAndTrailers : kBody;
    const result = session.handle.respond(this.id, packed, body);
    this.checkSubmitted(result);
    session.scheduleFlush();
    if (result >= 0) observers.answered(this, headers, 0);
  }

  additionalHeaders(given) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_AFTER_RESPOND();
    validateObject(given, 'headers');
    const headers = { __proto__: null, ...given };
    if (headers[':status'] !== undefined) {
      const status = (headers[':status'] |= 0);
      if (status === 101) throw new ERR_HTTP2_STATUS_101();
      if (status < 100 || status >= 200) throw new ERR_HTTP2_INVALID_INFO_STATUS(given[':status']);
    }
    const packed = packHeaders(headers, kResponsePseudo);
    arrayPush.call(this[kState].sentInfo, headers);
    this.checkSubmitted(this[kSession].handle.info(this.id, packed));
    this[kSession].scheduleFlush();
  }

  pushStream(given, options, callback = undefined) {
    if (!this.pushAllowed) throw new ERR_HTTP2_PUSH_DISABLED();
    if (this.isPush) throw new ERR_HTTP2_NESTED_PUSH();
    if (typeof options === 'function') callback = options;
    validateFunction(callback, 'callback');
    const headers = { __proto__: null, ...given };
    headers[':method'] ??= 'GET';
    headers[':authority'] ??= this.authority;
    headers[':scheme'] ??= this.session.encrypted ? 'https' : 'http';
    headers[':path'] ??= '/';
    const session = this[kSession];
    const id = session.handle.pushPromise(this.id, packHeaders(headers, kRequestPseudo));
    if (id < 0) {
      process.nextTick(callback, new NghttpError(id));
      return;
    }
    session.scheduleFlush();
    const stream = new ServerHttp2Stream(session, id, headers, true);
    stream[kState].sentHeaders = headers;
    stream.push(null);
    if (stream.headRequest) stream.end();
    observers.created(stream, headers);
    process.nextTick(() => {
      observers.started(stream, headers);
      callback(null, stream, headers, 0);
    });
  }

  respondWithFD(fd, headers = undefined, options = undefined) {
    this.#respondWith((chunks) => require('internal/http2/send_file').openDescriptor(fd, chunks), headers, options);
    this[kState].sendsDescriptor = true;
  }

  // The file is the body, and its end the stream's: a program that calls end() as well means no other.
  end(...args) {
    return this[kState].sendsDescriptor ? this : super.end(...each(args));
  }

  respondWithFile(path, headers = undefined, options = undefined) {
    this.#respondWith((chunks) => require('internal/http2/send_file').openPath(path, chunks), headers, options);
  }

  #respondWith(open, given, options) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    const headers = this.#answer(given);
    require('internal/http2/send_file').checkFileOptions({ ...options });
    if (hasNoPayload(headers[':status'])) throw new ERR_HTTP2_PAYLOAD_FORBIDDEN(headers[':status']);
    require('internal/http2/send_file').sendFile(this, open, headers, { ...options });
  }
}

module.exports = { ServerHttp2Stream };
