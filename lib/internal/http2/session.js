// natives: http2
// Http2Session: one connection. Bytes of the socket go into the native session, which answers with a list of events; what it has to
// say to the peer is written when the turn that made it is over, as fast as the socket takes it. Clients' sessions are in
// internal/http2/client, servers' in internal/http2/server.
'use strict';

const binding = native('http2');
const EventEmitter = require('internal/events/events');
const constants = require('internal/http2/constants');
const {
  codes: {
    ERR_HTTP2_INVALID_SESSION,
    ERR_HTTP2_MAX_PENDING_SETTINGS_ACK,
    ERR_HTTP2_PING_CANCEL,
    ERR_HTTP2_PING_LENGTH,
    ERR_HTTP2_SESSION_ERROR,
    ERR_HTTP2_SOCKET_BOUND,
    ERR_HTTP2_STREAM_CANCEL,
    ERR_HTTP2_TOO_MANY_INVALID_FRAMES,
    ERR_HTTP2_TOO_MANY_ORIGINS,
    ERR_INVALID_ARG_TYPE,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors/coded');
const { validateFunction, validateInt32, validateNumber, validateUint32 } = require('internal/util/validators');
const { checkSettings, readSettings, settingsList, settingsObject } = require('internal/http2/settings');
const { takeSensitive, toObject } = require('internal/http2/headers');
const { socketProxy } = require('internal/http2/socket_proxy');
const { kUpdateTimer } = require('internal/http2/stream');
const { NghttpError } = require('internal/http2/nghttp_error');
const { beginSession, endSession } = require('internal/http2/perf_entries');

const { NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_FLAG_END_STREAM, NGHTTP2_FLAG_END_HEADERS } = constants;
const kBound = Symbol('session of this socket');
// Of session.state, in the order of the native answer.
const kStateNames = [
  'effectiveLocalWindowSize',
  'effectiveRecvDataLength',
  'nextStreamID',
  'localWindowSize',
  'lastProcStreamID',
  'remoteWindowSize',
  'outboundQueueSize',
  'deflateDynamicTableSize',
  'inflateDynamicTableSize',
];

// Kinds of events.
const {
  kHeaders,
  kData,
  kEnd,
  kClose,
  kSettings,
  kSettingsAck,
  kPing,
  kPingAck,
  kGoAway,
  kSent,
  kWantTrailers,
  kFrameError,
  kViolation,
  kAltSvc,
  kOrigin,
  kTooMany,
} = binding;
const { kPushPromise, kProtocolError } = binding; // a category of headers; an error of nghttp2

// A callback that runs once, in the async context of now and as a resource of its own for async_hooks.
function tracked(type, callback) {
  const { AsyncResource } = require('internal/async_hooks/resource');
  const resource = new AsyncResource(type, { __proto__: null, requireManualDestroy: true });
  return (...args) => {
    try {
      resource.runInAsyncScope(callback, undefined, ...each(args));
    } finally {
      resource.emitDestroy();
    }
  };
}

class Http2Session extends EventEmitter {
  #socket;
  #shown;
  #options;
  #flushes = false;
  #isBlocked = false;
  #events = [];
  #isDraining = false;
  #receiveError = 0;
  #pings = [];
  #settingsCallbacks = [];
  #pendingAcks = 0;
  #localSettings;
  #customSettings; // ours, of those that the peer has acknowledged
  #remoteSettings;
  #origins;
  #timer;
  #hasSent = false; // since the timer has been looked at
  #isDestroyed = false;
  #isClosed = false;

  constructor(isServer, options, socket) {
    super();
    if (socket[kBound] !== undefined) throw new ERR_HTTP2_SOCKET_BOUND();
    socket[kBound] = this;
    this.#socket = socket;
    this.#options = options;
    this.handle = binding.newSession(
      isServer,
      options.maxHeaderListPairs ?? 128,
      options.maxSendHeaderBlockLength ?? 0,
      options.maxSettings ?? 32,
      options.maxReservedRemoteStreams ?? 200,
      options.maxDeflateDynamicTableSize ?? 4096,
      options.maxSessionInvalidFrames ?? 1000,
      options.paddingStrategy ?? 0,
      options.strictFieldWhitespaceValidation ?? true,
      Math.min(Math.max(1, options.maxSessionMemory ?? 10) * 1e6, 2 ** 32 - 1),
      options.maxSessionRejectedStreams ?? 100,
      options.streamResetBurst ?? 1000,
      options.streamResetRate ?? 33,
      options.peerMaxConcurrentStreams ?? 100,
    );
    this.type = isServer ? constants.NGHTTP2_SESSION_SERVER : constants.NGHTTP2_SESSION_CLIENT;
    this.streams = new Map();
    this.pendingStreams = new Set();
    this.unreadStreams = new Set(); // a server's that are answered
    this.goawayCode = undefined;
    this.destroyCode = undefined;
    this.counters = beginSession(isServer);
    for (const name of each(['handle', 'counters', 'streams', 'pendingStreams', 'unreadStreams', 'goawayCode', 'destroyCode'])) {
      Object.defineProperty(this, name, { __proto__: null, enumerable: false });
    }
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('close', () => this.#onSocketClose());
    socket.on('error', (error) => this.#onSocketError(error));
    socket.on('end', () => {
      this.#hearAll();
      if (!this.destroyed && this.streams.size === 0) this.destroy();
    });
    socket.on('timeout', () => this.emit('timeout'));
    this.#pendingAcks++;
    this.#submitSettings(checkSettings(options.settings));
  }

  // --- the connection

  get endCode() {
    return this.goawayCode || this.destroyCode;
  }
  get socket() {
    return this.#socket === undefined ? undefined : (this.#shown ??= socketProxy(this, this.#socket));
  }
  get rawSocket() {
    return this.#socket;
  }
  get connecting() {
    return Boolean(this.#socket?.connecting) || Boolean(this.#socket?.secureConnecting);
  }
  get closed() {
    return this.#isClosed;
  }
  get destroyed() {
    return this.#isDestroyed;
  }
  get encrypted() {
    return this.#socket === undefined ? undefined : Boolean(this.#socket.encrypted);
  }
  get alpnProtocol() {
    if (this.#socket === undefined) return undefined;
    return this.#socket.encrypted ? this.#socket.alpnProtocol || 'h2' : 'h2c';
  }
  // The origins that the peer answers for: the one that was connected to, and those that it has named.
  get originSet() {
    if (!this.encrypted || this.connecting || this.destroyed) return undefined;
    return [...each(this.#originSet())];
  }

  #originSet() {
    if (this.#origins !== undefined) return this.#origins;
    const { URL } = require('internal/url/url_class');
    const { servername, remoteAddress, remotePort, remoteFamily } = this.#socket;
    const host = servername || (remoteFamily === 'IPv6' ? `[${remoteAddress}]` : remoteAddress);
    return (this.#origins = new Set([new URL(`https://${host}${remotePort == null ? '' : `:${remotePort}`}`).origin]));
  }

  // The peer says that it does not answer for it after all (421).
  forgetOrigin(origin) {
    if (this.encrypted && !this.destroyed) this.#originSet().delete(origin);
  }

  #onOrigin(origins) {
    if (!this.encrypted) return;
    const known = this.#originSet();
    const most = this.#options.maxOriginSetSize ?? 128;
    for (const origin of each(origins)) {
      if (known.size >= most) {
        this.destroy(new ERR_HTTP2_TOO_MANY_ORIGINS(most));
        return;
      }
      known.add(origin);
    }
    this.emit('origin', origins);
  }
  get pendingSettingsAck() {
    return this.#pendingAcks > 0;
  }
  get localSettings() {
    if (this.destroyed) return (this.#localSettings ??= {});
    return (this.#localSettings ??= settingsObject(this.handle.readSettings(true), this.#customSettings));
  }
  get remoteSettings() {
    return (this.#remoteSettings ??= this.destroyed ? {} : settingsObject(this.handle.readSettings(false)));
  }

  get isStrict() {
    return this.#options.strictSingleValueFields ?? true;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { type, closed, destroyed, state, localSettings, remoteSettings } = this;
    return `Http2Session ${require('internal/util/inspect').format({ type, closed, destroyed, state, localSettings, remoteSettings })}`;
  }

  get state() {
    const values = this.destroyed ? undefined : this.handle.state();
    if (values === undefined) return {};
    const state = {};
    for (let i = 0; i < kStateNames.length; i++) state[kStateNames[i]] = values[i];
    return state;
  }

  ref() {
    this.#socket?.ref?.();
  }
  unref() {
    this.#socket?.unref?.();
  }

  setTimeout(milliseconds, callback = undefined) {
    if (this.destroyed) return this;
    validateNumber(milliseconds, 'msecs');
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      if (milliseconds === 0) this.removeListener('timeout', callback);
      else this.once('timeout', callback);
    }
    clearTimeout(this.#timer);
    this.#timer = milliseconds > 0 ? setTimeout(() => this.#onTimeout(), milliseconds).unref() : undefined;
    return this;
  }

  // A peer that takes a long write part by part is not idle.
  #onTimeout() {
    if (this.#hasSent && arraySome.call([...each(this.streams.values())], (stream) => stream.isWriting)) {
      this.#hasSent = false;
      this.#timer.refresh();
    } else {
      this.emit('timeout');
    }
  }

  [kUpdateTimer]() {
    this.#timer?.refresh();
  }

  setLocalWindowSize(size) {
    this.needOpen();
    validateInt32(size, 'windowSize', 0);
    const result = this.handle.localWindow(size);
    if (result < 0) this.destroy(new NghttpError(result));
    this.scheduleFlush();
  }

  setNextStreamID(id) {
    this.needOpen();
    validateNumber(id, 'id');
    if (id <= 0 || id > 2 ** 32 - 1) throw new ERR_OUT_OF_RANGE('id', '> 0 and <= 4294967295', id);
    this.handle.nextStreamId(id);
  }

  needOpen() {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
  }

  // --- streams

  register(stream, id) {
    this.pendingStreams.delete(stream);
    this.streams.set(id, stream);
  }

  forget(stream) {
    this.pendingStreams.delete(stream);
    if (stream.id !== undefined && this.streams.get(stream.id) === stream) this.streams.delete(stream.id);
    this.#endIfIdle();
  }

  // Those which wait for the peer; the others have got all that they will get.
  #openStreams() {
    return arrayFilter.call([...each(this.streams.values())], (stream) => !stream.isGone);
  }

  get #isIdle() {
    return this.closed && !this.destroyed && this.streams.size === 0 && this.pendingStreams.size === 0;
  }

  // Not before those who wait for the last stream have gone on.
  #endIfIdle() {
    if (this.#isIdle)
      setImmediate(() => {
        if (this.#isIdle) this.destroy();
      });
  }

  // --- out

  scheduleFlush() {
    if (this.#flushes) return;
    this.#flushes = true;
    process.nextTick(() => {
      this.#flushes = false;
      this.flush();
    });
  }

  flush() {
    this.writeOut();
    this.#dispatch();
    if (this.unreadStreams.size > 0) this.#dropUnread();
    // Everything has been said on both sides; what has come may still be read.
    if (this.destroyed || this.#isDraining || this.handle.wants() !== 0) return;
    this.#isClosed = true;
    this.#endIfIdle();
  }

  writeOut() {
    while (!this.#isBlocked && this.#socket !== undefined && !this.#socket.destroyed && !this.#socket.writableEnded) {
      const bytes = this.handle.output();
      if (bytes === undefined) break;
      if (this.counters !== undefined) this.counters.bytesWritten += bytes.length;
      if (!this.#socket.write(bytes)) this.#waitForDrain();
    }
  }

  // Pushes may still be made before the stream is over.
  #dropUnread() {
    for (const stream of each([...each(this.unreadStreams)])) {
      if (!stream.destroyed && !stream.isAnswered) continue;
      this.unreadStreams.delete(stream);
      setImmediate(() => stream.dropUnread());
    }
  }

  #waitForDrain() {
    this.#isBlocked = true;
    this.#socket.once('drain', () => {
      this.#isBlocked = false;
      this.flush();
    });
  }

  // --- in

  #receive(bytes) {
    if (this.destroyed) return;
    this[kUpdateTimer]();
    if (this.counters !== undefined) this.counters.bytesRead += bytes.length;
    this.#receiveError = this.handle.receive(bytes);
    this.#dispatch();
    this.scheduleFlush();
  }

  // Drains microtasks and ticks after headers, before the next event.
  #dispatch() {
    for (let more = this.handle.events(); more !== undefined; more = this.handle.events()) {
      for (let i = 0; i < more.length; i += 5) arrayPush.call(this.#events, arraySlice.call(more, i, i + 5));
    }
    while (!this.#isDraining && this.#events.length > 0) {
      if (this.destroyed) {
        this.#events.length = 0;
        break;
      }
      const event = arrayShift.call(this.#events);
      this.#handleEvent(event[0], event[1], event[2], event[3], event[4]);
      if (event[0] === kHeaders) this.#drainMicrotasks();
    }
    if (this.#receiveError < 0 && !this.#isDraining && !this.destroyed) {
      this.destroy(new NghttpError(this.#receiveError), constants.NGHTTP2_PROTOCOL_ERROR);
    }
  }

  #drainMicrotasks() {
    this.#isDraining = true;
    queueMicrotask(() => process.nextTick(() => this.#goOn()));
  }

  #goOn() {
    if (!this.#isDraining) return;
    this.#isDraining = false;
    this.flush();
  }

  // Nothing more can come, and nothing is waited for.
  #hearAll() {
    while (this.#events.length > 0) {
      this.#isDraining = false;
      this.#dispatch();
    }
  }

  #handleEvent(kind, id, first, second, more) {
    switch (kind) {
      case kHeaders:
        this.#onHeaders(id, first, second, more);
        break;
      case kData:
        this.streams.get(id)?.onData(more);
        break;
      case kEnd:
        this.streams.get(id)?.onEnd();
        break;
      case kClose:
        this.#onStreamClose(id, first);
        break;
      case kSettings:
        this.#onSettings(more);
        break;
      case kSettingsAck:
        this.#onSettingsAck();
        break;
      case kPing:
        this.emit('ping', more);
        break;
      case kPingAck:
        this.#onPingAck(more);
        break;
      case kGoAway:
        this.#onGoAway(first, second, more);
        break;
      case kSent:
        this.#hasSent = true;
        this.streams.get(id)?.onSent(first);
        break;
      case kWantTrailers:
        this.streams.get(id)?.onWantTrailers();
        break;
      case kFrameError:
        this.#onFrameError(id, first, second);
        break;
      case kAltSvc:
        this.emit('altsvc', more[1], more[0], id);
        break;
      case kOrigin:
        this.#onOrigin(more);
        break;
      case kTooMany:
        this.destroy(new ERR_HTTP2_TOO_MANY_INVALID_FRAMES(), constants.NGHTTP2_PROTOCOL_ERROR);
        break;
      case kViolation:
        this.destroy(new NghttpError(-first), constants.NGHTTP2_PROTOCOL_ERROR);
        break;
      default:
        break;
    }
  }

  #onHeaders(id, category, second, list) {
    const headers = toObject(list, takeSensitive(list));
    const endsStream = category !== kPushPromise && second === 1;
    const flags = NGHTTP2_FLAG_END_HEADERS | (endsStream ? NGHTTP2_FLAG_END_STREAM : 0);
    if (category === kPushPromise) return this.onPromise(id, headers, flags, list);
    const stream = this.streams.get(id);
    if (stream !== undefined) stream.onHeaders(headers, flags, list, endsStream);
    else if (!this.closed) this.onNewStream(id, headers, flags, list, endsStream);
    else this.handle.reset(id, constants.NGHTTP2_REFUSED_STREAM);
  }

  #onStreamClose(id, code) {
    const stream = this.streams.get(id);
    stream?.onClose(code);
  }

  #onFrameError(id, type, code) {
    const stream = this.streams.get(id);
    (stream ?? this).emit('frameError', type, code, id);
    // A GOAWAY with a better reason may be on its way.
    setImmediate(() => {
      stream?.close(code);
      this.close();
    });
  }

  #onGoAway(code, lastStreamID, opaque) {
    this.goawayCode = code;
    this.emit('goaway', code, lastStreamID, opaque);
    if (this.destroyed) return;
    if (code === NGHTTP2_NO_ERROR) this.close();
    else this.destroy(new ERR_HTTP2_SESSION_ERROR(code), NGHTTP2_NO_ERROR);
  }

  // --- settings

  settings(settings, callback = undefined) {
    this.needOpen();
    const checked = checkSettings(settings);
    if (callback !== undefined) validateFunction(callback, 'callback');
    this.#pendingAcks++;
    const told = callback && tracked('HTTP2SETTINGS', callback);
    if (this.#settingsCallbacks.length < (this.#options.maxOutstandingSettings ?? 10)) this.#submitSettings(checked, told);
    else this.destroy(new ERR_HTTP2_MAX_PENDING_SETTINGS_ACK());
  }

  #submitSettings(checked, callback = undefined) {
    arrayPush.call(this.#settingsCallbacks, [callback, Date.now(), checked.customSettings]);
    const result = this.handle.settings(settingsList(checked));
    if (result < 0) this.destroy(new NghttpError(result));
    this.scheduleFlush();
  }

  // The values as of this frame: others may have come after it.
  #onSettings(values) {
    this.#remoteSettings = readSettings(values);
    this.emit('remoteSettings', this.#remoteSettings);
  }

  #onSettingsAck() {
    this.#pendingAcks--;
    const [callback, start, custom] = each(arrayShift.call(this.#settingsCallbacks) ?? []);
    if (custom !== undefined) this.#customSettings = { ...this.#customSettings, ...custom };
    this.#localSettings = undefined;
    callback?.(null, this.localSettings, Date.now() - start);
    this.emit('localSettings', this.localSettings);
  }

  // A listener that is an async function has failed (captureRejections).
  [Symbol.for('nodejs.rejection')](error, event, ...args) {
    if (event === 'stream') args[0].destroy(error);
    else this.destroy(error);
  }

  // --- pings and goodbyes

  ping(payload, callback = undefined) {
    this.needOpen();
    if (typeof payload === 'function') [payload, callback] = each([undefined, payload]);
    const { Buffer } = require('internal/buffer/buffer');
    if (payload && !ArrayBuffer.isView(payload)) throw new ERR_INVALID_ARG_TYPE('payload', ['Buffer', 'TypedArray', 'DataView'], payload);
    if (payload && payload.byteLength !== 8) throw new ERR_HTTP2_PING_LENGTH();
    validateFunction(callback, 'callback');
    const told = tracked('HTTP2PING', callback);
    if (this.#pings.length >= (this.#options.maxOutstandingPings ?? 10)) {
      process.nextTick(told, new ERR_HTTP2_PING_CANCEL());
      return false;
    }
    const bytes =
      payload === undefined ? require('internal/crypto/crypto').randomBytes(8) : Buffer.from(payload.buffer, payload.byteOffset, 8);
    arrayPush.call(this.#pings, [told, process.hrtime.bigint(), Buffer.from(bytes)]);
    this.handle.ping(bytes);
    this.scheduleFlush();
    return true;
  }

  #onPingAck(payload) {
    const ping = arrayShift.call(this.#pings);
    if (ping === undefined) return this.destroy(new NghttpError(kProtocolError), constants.NGHTTP2_PROTOCOL_ERROR);
    const duration = Number(process.hrtime.bigint() - ping[1]) / 1e6;
    if (this.counters !== undefined) this.counters.pingRTT = duration;
    ping[0](null, duration, require('internal/buffer/buffer').Buffer.from(new Uint8Array(payload).buffer));
  }

  goaway(code = NGHTTP2_NO_ERROR, lastStreamID = 0, opaqueData = undefined) {
    this.needOpen();
    if (opaqueData !== undefined && !ArrayBuffer.isView(opaqueData)) {
      throw new ERR_INVALID_ARG_TYPE('opaqueData', ['Buffer', 'TypedArray', 'DataView'], opaqueData);
    }
    validateNumber(code, 'code');
    validateNumber(lastStreamID, 'lastStreamID');
    this.handle.goaway(code, lastStreamID, opaqueData);
    this.scheduleFlush();
  }

  close(callback = undefined) {
    if (this.closed || this.destroyed) return;
    if (callback !== undefined) this.once('close', callback);
    this.#isClosed = true;
    this.goaway();
    this.#endIfIdle();
  }

  // --- the end

  destroy(error = NGHTTP2_NO_ERROR, code = undefined) {
    if (this.destroyed) return;
    if (typeof error === 'number') {
      validateUint32(error, 'error');
      code = error;
      error = code === NGHTTP2_NO_ERROR ? undefined : new ERR_HTTP2_SESSION_ERROR(code);
    }
    if (code === undefined && error != null) code = NGHTTP2_INTERNAL_ERROR;
    this.#isDestroyed = true;
    this.destroyCode = code;
    const counted = this.counters;
    this.counters = undefined;
    clearTimeout(this.#timer);
    this.#cancelStreams(error);
    for (const [callback] of eachEntry(arraySplice.call(this.#pings, 0))) callback(new ERR_HTTP2_PING_CANCEL());
    this.#settingsCallbacks = []; // never called, as in Node
    endSession(counted, this.handle);
    this.#endSocket(error, code ?? NGHTTP2_NO_ERROR);
  }

  #cancelStreams(error) {
    const cancel = new ERR_HTTP2_STREAM_CANCEL(error);
    for (const stream of each([...each(this.pendingStreams)])) stream.destroy(cancel);
    for (const stream of each(this.#openStreams())) stream.destroy(error);
  }

  #endSocket(error, code) {
    const socket = this.#socket;
    if (socket !== undefined && !socket.destroyed && !socket.writableEnded) {
      this.handle.terminate(code);
      this.#isBlocked = false;
      this.flush();
      socket.end();
    }
    // Further data of the peer is dropped, but a socket that is not read never hears of its end.
    setImmediate(() => {
      socket?.destroySoon?.();
      this.#finish(error);
    });
  }

  #finish(error) {
    if (this.#socket === undefined) return;
    this.#socket[kBound] = undefined;
    this.#socket = undefined;
    if (error != null) this.emit('error', error);
    this.emit('close');
  }

  // A peer that has said goodbye, or that reads no more, may be gone; what it has sent tells why.
  #onSocketError(error) {
    const isGone =
      (error.code === 'ECONNRESET' && this.goawayCode === NGHTTP2_NO_ERROR) || (error.code === 'EPIPE' && error.syscall === 'write');
    if (isGone) this.destroy();
    else this.destroy(error);
  }

  #onSocketClose() {
    if (this.destroyed) return;
    this.#hearAll();
    if (this.destroyed) return;
    for (const stream of each(this.#openStreams())) stream.close(constants.NGHTTP2_CANCEL);
    this.destroy();
  }
}

module.exports = { Http2Session };
