// natives: none
// Http2Stream: one exchange on a session, a Duplex whose other end is the peer. Written bytes wait in the native session until the
// windows let it out; what comes opens the stream's window again as it is read. Servers' streams are in internal/http2/server_stream.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { Duplex } = require('internal/streams/stream');
const constants = require('internal/http2/constants');
const {
  codes: { ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_STREAM_ERROR, ERR_HTTP2_TRAILERS_ALREADY_SENT, ERR_HTTP2_TRAILERS_NOT_READY },
} = require('internal/errors/coded');
const { validateFunction, validateInteger, validateNumber } = require('internal/util/validators');
const { packHeaders, kNoPseudo } = require('internal/http2/headers');
const observers = require('internal/http2/observers');
const { beginStream, endStream, noteFirst } = require('internal/http2/perf_entries');

const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR } = constants;
const kState = Symbol('state');
const kSession = Symbol('session');
const kUpdateTimer = Symbol('updateTimer');

// Of a stream whose first frame has not left yet.
const kIdleState = [constants.NGHTTP2_STREAM_STATE_IDLE, 0, 0, 0, 0, 0];

let warnedOfPriority = false;
const codeNames = new Map();
for (const name of each(Object.keys(constants))) {
  const value = constants[name];
  const isCode =
    stringStartsWith.call(name, 'NGHTTP2_') &&
    !regexpTest.call(/^NGHTTP2_(SESSION|STREAM_STATE|FLAG|SETTINGS_[A-SU-Z]|ERR_|DEFAULT)/, name);
  if (isCode && !codeNames.has(value)) codeNames.set(value, name);
}
const codeName = (code) => codeNames.get(code) ?? code;

class Http2Stream extends Duplex {
  constructor(session, options) {
    super({ ...options, allowHalfOpen: true, autoDestroy: false, emitClose: true, decodeStrings: false });
    this[kSession] = session;
    this[kState] = {
      id: undefined,
      isClosed: false,
      isGone: false, // the native session has forgotten it
      isAborted: false,
      rstCode: NGHTTP2_NO_ERROR,
      hasSent: false, // since the timer has been looked at
      writes: [], // [bytes left in the native queue, callback]
      unread: 0, // bytes that came and did not open the window yet
      hasHeaders: false, // sent
      wantsTrailers: false,
      trailersReady: false,
      trailersSent: false,
      sentHeaders: undefined,
      sentInfo: [],
      sentTrailers: undefined,
      timer: undefined,
      timeout: 0,
      counters: beginStream(session?.counters),
    };
  }

  // The stream has its number: what was written before it goes out.
  start(id) {
    this[kState].id = id;
    this[kSession].register(this, id);
    this.uncork();
    this.emit('ready');
  }

  get id() {
    return this[kState].id;
  }
  get session() {
    return this[kSession];
  }
  get pending() {
    return this[kState].id === undefined;
  }
  get closed() {
    return this[kState].isClosed;
  }
  get aborted() {
    return this[kState].isAborted;
  }
  get isGone() {
    return this[kState].isGone;
  }
  get rstCode() {
    return this[kState].rstCode;
  }
  get sentHeaders() {
    return this[kState].sentHeaders;
  }
  get sentInfoHeaders() {
    return this[kState].sentInfo;
  }
  get sentTrailers() {
    return this[kState].sentTrailers;
  }
  get endAfterHeaders() {
    return Boolean(this[kState].endAfterHeaders);
  }
  get bufferSize() {
    return arrayReduce.call(this[kState].writes, (sum, write) => sum + write[0], this.writableLength);
  }

  get state() {
    const session = this[kSession];
    if (session === undefined || this.pending) return {};
    const values = session.handle.streamState(this.id) ?? kIdleState;
    const [state, weight, sumDependencyWeight, localClose, remoteClose, localWindowSize] = each(values);
    return { state, weight, sumDependencyWeight, localClose, remoteClose, localWindowSize };
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { id = '<pending>', closed, destroyed, state, _readableState: readableState, _writableState: writableState } = this;
    return `Http2Stream ${require('internal/util/inspect').format({ id, closed, destroyed, state, readableState, writableState })}`;
  }

  [kUpdateTimer]() {
    this[kState].timer?.refresh();
    this[kSession]?.[kUpdateTimer]();
  }

  setTimeout(milliseconds, callback = undefined) {
    if (this.destroyed) return this;
    validateNumber(milliseconds, 'msecs');
    if (callback !== undefined) validateFunction(callback, 'callback');
    const state = this[kState];
    clearTimeout(state.timer);
    state.timer = undefined;
    state.timeout = milliseconds;
    if (callback !== undefined) {
      if (milliseconds === 0) this.removeListener('timeout', callback);
      else this.once('timeout', callback);
    }
    if (milliseconds > 0) state.timer = setTimeout(() => this.#onTimeout(), milliseconds).unref();
    return this;
  }

  // A peer that takes a long write part by part is not idle.
  #onTimeout() {
    const state = this[kState];
    if (state.writes.length > 0 && state.hasSent) {
      state.hasSent = false;
      state.timer.refresh();
    } else {
      this.emit('timeout');
    }
  }

  get timeout() {
    return this[kState].timeout;
  }
  get isWriting() {
    return this[kState].writes.length > 0;
  }

  // --- writing

  // A server's stream answers with 200 when it is written to first.
  proceed() {}

  whenReady(action) {
    if (!this.pending) action();
    else this.once('ready', action);
  }

  _write(chunk, encoding, callback) {
    this.proceed();
    this.whenReady(() => this.#send([{ chunk, encoding }], callback, false));
  }

  _writev(chunks, callback) {
    this.proceed();
    this.whenReady(() => this.#send(chunks, callback, true));
  }

  #send(chunks, callback, isMany) {
    const session = this[kSession];
    if (session === undefined || this.destroyed) return callback(new ERR_HTTP2_INVALID_STREAM());
    this[kUpdateTimer]();
    const { counters } = this[kState];
    let total = 0;
    for (let i = 0; i < chunks.length; i++) {
      const { chunk, encoding } = chunks[i];
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
      if (bytes.length === 0) continue;
      total += bytes.length;
      session.handle.data(this.id, bytes, false);
    }
    if (counters !== undefined) {
      noteFirst(counters, 'timeToFirstByteSent');
      counters.bytesWritten += total;
    }
    if (total === 0) callback();
    else {
      arrayPush.call(this[kState].writes, [total, callback]);
      session.scheduleFlush();
    }
    observers.chunkSent(this, isMany, chunks);
  }

  _final(callback) {
    this.proceed();
    this.whenReady(() => {
      const session = this[kSession];
      if (session !== undefined && !this.destroyed) {
        session.handle.data(this.id, undefined, true);
        session.scheduleFlush();
      }
      callback();
      observers.bodySent(this);
    });
  }

  // So many bytes have left the native queue.
  onSent(bytes) {
    const state = this[kState];
    const { writes } = state;
    state.hasSent = true;
    while (bytes > 0 && writes.length > 0) {
      const part = Math.min(bytes, writes[0][0]);
      writes[0][0] -= part;
      bytes -= part;
      if (writes[0][0] > 0) return;
      arrayShift.call(writes)[1]();
    }
  }

  failWrites(error) {
    const { writes } = this[kState];
    for (const [, callback] of eachEntry(arraySplice.call(writes, 0))) callback(error);
  }

  onWantTrailers() {
    const state = this[kState];
    state.trailersReady = true;
    if (!this.emit('wantTrailers')) this.close();
  }

  sendTrailers(headers) {
    const state = this[kState];
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (state.trailersSent) throw new ERR_HTTP2_TRAILERS_ALREADY_SENT();
    if (!state.trailersReady) throw new ERR_HTTP2_TRAILERS_NOT_READY();
    const given = { ...headers };
    const packed = packHeaders(given, kNoPseudo, this[kSession].isStrict);
    state.trailersSent = true;
    state.sentTrailers = given;
    this.checkSubmitted(this[kSession].handle.trailers(this.id, packed));
    this[kSession].scheduleFlush();
  }

  checkSubmitted(result) {
    if (result >= 0) return;
    const { NghttpError } = require('internal/http2/nghttp_error');
    this.destroy(new NghttpError(result));
  }

  // --- reading

  _read() {
    const state = this[kState];
    if (state.unread === 0 || this.pending) return;
    this.openWindow(state.unread);
    state.unread = 0;
  }

  openWindow(bytes) {
    const session = this[kSession];
    if (session === undefined) return;
    session.handle.consume(this.id, bytes);
    session.scheduleFlush();
  }

  onData(bytes) {
    this[kUpdateTimer]();
    const { counters } = this[kState];
    if (counters !== undefined) {
      noteFirst(counters, 'timeToFirstByte');
      counters.bytesRead += bytes.length;
    }
    if (this.destroyed) return this.openWindow(bytes.length);
    if (this.push(bytes)) this.openWindow(bytes.length);
    else this[kState].unread += bytes.length;
  }

  onEnd() {
    if (this.destroyed) return;
    this.push(null);
    // Read even without a reader: the end of an empty body must be noticed.
    if (this.readableLength === 0) this.read(0);
  }

  // --- the end

  close(code = NGHTTP2_NO_ERROR, callback = undefined) {
    validateInteger(code, 'code', 0, 2 ** 32 - 1);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.closed) return;
    if (callback !== undefined) this.once('close', callback);
    this.finishWith(code, true);
  }

  // The stream is over for us; `tells` the peer, if that does not know it yet.
  finishWith(code, tells) {
    const state = this[kState];
    const { writableEnded } = this;
    state.isClosed = true;
    state.rstCode = code;
    clearTimeout(state.timer);
    if (!writableEnded) {
      if (!state.isAborted) {
        state.isAborted = true;
        this.emit('aborted');
      }
      this.end();
    }
    if (tells) {
      const reset = () => this.reset(code);
      if (!writableEnded || this.writableFinished || code !== NGHTTP2_NO_ERROR) reset();
      else this.once('finish', reset);
    }
    observers.closed(this);
  }

  // Has no effect any more: deprecated by RFC 9113.
  priority() {
    if (!warnedOfPriority) {
      warnedOfPriority = true;
      process.emitWarning(
        'http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113',
        'DeprecationWarning',
        'DEP0194',
      );
    }
    if (this.destroyed) throw new ERR_HTTP2_INVALID_STREAM();
  }

  reset(code) {
    const session = this[kSession];
    if (session === undefined || session.destroyed || this[kState].isGone) return;
    if (this.pending) {
      this.push(null);
      this.once('ready', () => this.reset(code));
      return;
    }
    session.writeOut(); // what was written before leaves before
    session.handle.reset(this.id, code);
    session.scheduleFlush();
  }

  // The native session knows the stream no more.
  onClose(code) {
    if (this.destroyed) return;
    this[kState].isGone = true;
    this.failWrites(null);
    const finish = () => {
      if (!this.closed) this.finishWith(code, false);
      this[kState].rstCode = code;
      this.destroy();
    };
    if (code !== NGHTTP2_NO_ERROR || !this.readable) {
      finish();
      return;
    }
    // Received data may still be read.
    this.once('end', finish);
    this.onEnd();
    if (this.dropsUnread && !this.readableDidRead) this.resume();
  }

  _destroy(error, callback) {
    const session = this[kSession];
    const state = this[kState];
    clearTimeout(state.timer);
    const sessionCode = session?.endCode ?? NGHTTP2_NO_ERROR;
    let code = this.closed ? state.rstCode : sessionCode;
    if (error != null) code = sessionCode || (error.name === 'AbortError' ? NGHTTP2_CANCEL : NGHTTP2_INTERNAL_ERROR);
    const isKnown = session !== undefined && !this.pending && !state.isGone;
    if (!this.closed) this.finishWith(code, false);
    if (isKnown) {
      session.writeOut(); // what was written before leaves before
      session.handle.reset(this.id, code);
      session.scheduleFlush();
    }
    session?.forget(this);
    this.push(null);
    this.failWrites(error ?? new ERR_HTTP2_INVALID_STREAM());
    if (error == null && code !== NGHTTP2_NO_ERROR && code !== NGHTTP2_CANCEL) error = new ERR_HTTP2_STREAM_ERROR(codeName(code));
    this[kSession] = undefined;
    endStream(state.counters, state.id);
    if (error) observers.failed(this, error);
    callback(error);
  }
}

// A client's side of an exchange.
class ClientHttp2Stream extends Http2Stream {
  constructor(session, options = {}) {
    super(session, options);
    this.hasAnswer = false;
    this.cork(); // until the connection is there, so that the first writes leave together
    this.on('headers', () => {});
    const { AsyncResource } = require('internal/async_hooks/async_hooks');
    Object.defineProperty(this, 'requester', { __proto__: null, value: new AsyncResource('PendingRequest'), enumerable: false });
  }

  get isOfClient() {
    return true;
  }

  // Events run in the async context of the request.
  onData(bytes) {
    this.requester.runInAsyncScope(() => super.onData(bytes));
  }
  onEnd() {
    this.requester.runInAsyncScope(() => super.onEnd());
  }

  onHeaders(headers, flags, raw, endsStream) {
    const status = headers[':status'];
    this[kUpdateTimer]();
    noteFirst(this[kState].counters, 'timeToFirstHeader');
    if (status === 421) {
      const { ':scheme': scheme, ':authority': authority } = this.sentHeaders ?? {};
      const { URL } = require('internal/url/url_class');
      this[kSession]?.forgetOrigin(URL.parse(`${scheme}://${authority}`)?.origin);
    }
    const isInterim = !this.hasAnswer && status >= 100 && status < 200;
    const event = isInterim ? 'headers' : this.hasAnswer ? 'trailers' : 'response';
    if (status === 100 && isInterim) this.emit('continue');
    if (event === 'response') this.hasAnswer = true;
    if (endsStream && event === 'response') this[kState].endAfterHeaders = true;
    this.requester.runInAsyncScope(() => this.emit(event, headers, flags, raw));
    if (event === 'response') observers.answered(this, headers, flags);
  }
}

module.exports = { Http2Stream, ClientHttp2Stream, kState, kSession, kUpdateTimer };
