// natives: tls
//
// The class of a TLSSocket's _handle: the interface of an internal/net handle over encryption. Below it is either a handle of the loop,
// then ciphertext never enters JavaScript, or any Duplex, whose pieces pass through here.
//
// native('tls') answers with bits: what has happened, and what is there to be fetched.

'use strict';

const binding = native('tls');
const { enqueue } = require('internal/queues/ticks');
const { kNative, shutdownStatus } = require('internal/net/handle');
const { cellOf } = require('internal/tls/secure_context');

const { kHello, kCertificate } = binding; // kinds of events that want an answer
const { kEvents, kEnd, kFailed, kOutput, kHeld, kInput, kMore } = binding; // bits of an outcome
const { kToSend, kWaits } = binding; // answers of writes: JavaScript sends what is there, or will, when the handshake is over
// By the number of the event; the methods are in internal/tls/handshake.
const kEventNames = [];
kEventNames[binding.kHandshakeStart] = 'onhandshakestart';
kEventNames[binding.kHandshakeDone] = 'onhandshakedone';
kEventNames[kHello] = 'onclienthello';
kEventNames[kCertificate] = 'oncertcb';
kEventNames[binding.kNewSession] = 'onnewsession';
kEventNames[binding.kKeylog] = 'onkeylog';
kEventNames[binding.kOcsp] = 'onocspresponse';
const EPIPE = -32;

class TLSHandle {
  // `parent`: a handle of the loop, or undefined. `stream`: a Duplex in its place. `wrapped`: the socket whose handle `parent` is.
  constructor({ parent, stream, wrapped, context, isServer }) {
    this._parent = undefined;
    this._native = undefined;
    this._wrapped = wrapped;
    this._streamSocket = undefined;
    this._stream = stream;
    this._secureContext = context;
    this._session = binding.newSession(cellOf(context.context), isServer);
    this._psk = undefined;
    this._ended = false;
    this._heldDone = undefined;
    this._step = undefined;
    this.reading = false;
    this.onread = undefined;
    this.onerror = undefined;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    this._deferred = undefined;
    this._isAsked = false;
    this._holdsInput = false;
    this._verifyError = undefined;
    if (parent !== undefined) this.standOn(parent);
    else this.#listen(stream);
  }

  // The socket below; programs ask for its class.
  get _parentWrap() {
    if (this._stream === undefined) return this._wrapped;
    const { JSStreamSocket } = require('internal/net/stream_socket');
    return (this._streamSocket ??= new JSStreamSocket(this._stream, true));
  }

  // The handle below. Who had it before does not read from it any more.
  standOn(parent) {
    if (parent === this._parent) return;
    this._parent = parent;
    this._native = parent[kNative]; // stays as long as the session may write to it
    Object.defineProperties(parent, {
      __proto__: null,
      reading: {
        __proto__: null,
        configurable: true,
        enumerable: true,
        get: () => this.reading,
        set: (value) => {
          this.reading = value;
        },
      },
      readStart: { __proto__: null, configurable: true, writable: true, value: () => this.readStart() },
      readStop: { __proto__: null, configurable: true, writable: true, value: () => this.readStop() },
    });
    binding.attach(this._session, this._native);
  }

  #listen(stream) {
    stream.pause();
    stream.on('data', (chunk) => {
      if (typeof chunk === 'string' || stream._readableState?.objectMode === true) {
        const { codes } = require('internal/errors/coded');
        stream.pause?.();
        stream.removeAllListeners('data');
        this.owner?._emitTLSError(new codes.ERR_STREAM_WRAP());
        return;
      }
      this.receive(chunk);
    });
    stream.on('end', () => this.#end());
  }

  // Ciphertext from JavaScript.
  receive(chunk) {
    if (this._session === undefined) return;
    binding.feed(this._session, chunk);
    this.advance();
  }

  // The handshake begins, or goes on after an answer.
  start() {
    this.advance();
  }

  advance() {
    const session = this._session;
    if (session === undefined) return;
    const outcome = binding.advance(session, this._psk);
    this.#settle(outcome, binding.takePlain(session));
  }

  #settle(outcome, chunk) {
    if (this._deferred !== undefined) this.#settleDeferred();
    if (this._session === undefined) return;
    if ((outcome & kOutput) !== 0) this.#send();
    if ((outcome & kEvents) !== 0) {
      for (const event of each(binding.takeEvents(this._session))) {
        this._isAsked = event[0] === kHello || event[0] === kCertificate;
        this[kEventNames[event[0]]](event[1], event[2], event[3]);
        if (this._session === undefined) return;
      }
      if (this._isAsked) this.#holdInput();
      if (binding.flush(this._session)) this.#send();
    }
    if ((outcome & kHeld) !== 0) this.#sendHeld();
    if (chunk !== undefined) {
      this.bytesRead += chunk.length;
      this.onread?.(chunk.length, chunk);
    }
    if ((outcome & kMore) !== 0) {
      this.advance();
      return;
    }
    if ((outcome & (kFailed | kEnd)) === 0) return;
    if ((outcome & kEvents) !== 0 || chunk !== undefined) {
      // Code that awaits the last event sees the connection before its end.
      this._deferred = outcome;
      setImmediate(() => this.#settleDeferred());
    } else {
      this.#close(outcome);
    }
  }

  // Until the program answers nothing more is let in, however much the peer sends.
  #holdInput() {
    this._holdsInput = true;
    if (this._stream !== undefined) this._stream.pause();
    else binding.readStop(this._session);
  }

  #answered() {
    this._isAsked = false;
    if (!this._holdsInput) return;
    this._holdsInput = false;
    if (this.reading) this.readStart();
  }

  #settleDeferred() {
    const outcome = this._deferred;
    this._deferred = undefined;
    if (outcome !== undefined) this.#close(outcome);
  }

  #close(outcome) {
    if ((outcome & kFailed) !== 0 && this._session !== undefined) this.onerror(binding.failure(this._session));
    if ((outcome & kEnd) !== 0) this.#end();
  }

  #end() {
    if (this._ended || this._session === undefined) return;
    this._ended = true;
    this.onread?.(0);
  }

  #onInput(outcome, chunk) {
    if (outcome < 0) this.onread?.(outcome);
    else if ((outcome & kInput) !== 0) this.advance();
    else this.#settle(outcome, chunk);
  }

  readStart() {
    this.reading = true;
    if (this._holdsInput) return 0;
    if (this._stream !== undefined) {
      this._stream.resume();
      return 0;
    }
    this._step ??= (outcome, chunk) => this.#onInput(outcome, chunk);
    return binding.readStart(this._session, this._step);
  }

  readStop() {
    this.reading = false;
    if (this._stream !== undefined) this._stream.pause();
    else binding.readStop(this._session);
    return 0;
  }

  // Everything goes through writes: what is encrypted cannot be taken back.
  tryBytes() {
    return 0;
  }
  writeBytes(view, done) {
    this.bytesWritten += view.byteLength;
    return this.#sent(binding.writeBytes(this._session, view, done), done);
  }
  writeMany(views, done) {
    for (const view of each(views)) this.bytesWritten += view.byteLength;
    return this.#sent(binding.writeMany(this._session, views, done), done);
  }
  writeText(text, isLatin1, done) {
    this.bytesWritten += isLatin1 ? text.length : require('internal/buffer/buffer').Buffer.byteLength(text);
    return this.#sent(binding.writeText(this._session, text, isLatin1, done), done);
  }

  // Writes are never over at once, so that a program that writes until it is told to wait is told so.
  #sent(status, done) {
    if (status === 0) enqueue(done, [0]);
    if (status < kToSend) return status < 0 ? status : 1;
    if (status === kWaits) this._heldDone = done;
    else this.#send(done);
    return 1;
  }

  #sendHeld() {
    const done = this._heldDone;
    this._heldDone = undefined;
    if (binding.resume(this._session) === kToSend) this.#send(done);
  }

  // To the Duplex.
  #send(done) {
    const bytes = binding.takeOutput(this._session);
    if (bytes !== undefined && !this._stream.destroyed) this._stream.write(bytes, done && ((error) => done(error ? EPIPE : 0)));
    else if (done !== undefined) enqueue(done, [0]);
  }

  shutdown(request) {
    const done = (status) => request.oncomplete(status);
    const status = binding.shutdown(this._session, done);
    if (status !== kToSend) return shutdownStatus(status);
    const bytes = binding.takeOutput(this._session);
    if (this._stream.writableEnded || this._stream.destroyed) enqueue(done, [0]);
    else if (bytes === undefined) this._stream.end(() => done(0));
    else this._stream.end(bytes, () => done(0));
    return 0;
  }

  #release() {
    // Another socket may share the handle and ask what was wrong with the peer.
    if (this._session !== undefined && this.owner?.authorizationError) this._verifyError = binding.verifyError(this._session);
    if (this._session !== undefined) binding.destroy(this._session);
    this._session = undefined;
    this._native = undefined;
    this.reading = false;
    this.onread = undefined;
    if (this.owner) this.owner.ssl = null;
  }

  close(callback) {
    this.#release();
    const wrapped = this._wrapped;
    if (this._stream !== undefined) {
      this._stream.destroy();
      setImmediate(() => callback?.());
    } else if (wrapped !== undefined && wrapped._handle === null) {
      if (callback) setImmediate(callback);
    } else if (wrapped !== undefined && wrapped._handle === this._parent) {
      if (callback) wrapped.once('close', () => callback());
      wrapped.destroy();
    } else {
      this._parent.close(callback);
    }
  }

  reset(callback) {
    this.#release();
    const wrapped = this._wrapped;
    if (wrapped === undefined) return this._parent.reset(callback);
    if (callback) wrapped.once('close', () => callback());
    wrapped.resetAndDestroy();
    return 0;
  }

  get fd() {
    return this._parent?.fd ?? -1;
  }
  get writeQueueSize() {
    return this._parent?.writeQueueSize ?? 0;
  }
  getAsyncId() {
    return this._parent?.getAsyncId() ?? 0;
  }
  getProviderType() {
    return 0;
  }
  hasRef() {
    return this._parent?.hasRef() ?? false;
  }

  // Results of the handshake, under Node's names.
  verifyError() {
    return this._verifyError ?? binding.verifyError(this._session);
  }
  getPeerCertificate(detailed) {
    return binding.peerCertificate(this._session, Boolean(detailed));
  }
  getCertificate() {
    return binding.ownCertificate(this._session);
  }
  getPeerX509Certificate() {
    return binding.peerCertificateBytes(this._session);
  }
  getX509Certificate() {
    return binding.ownCertificateBytes(this._session);
  }
  getALPNNegotiatedProtocol() {
    return binding.alpn(this._session);
  }
  getServername() {
    return binding.servername(this._session);
  }
  getSession() {
    return binding.sessionBytes(this._session);
  }
  getFinished() {
    return binding.finished(this._session);
  }
  getPeerFinished() {
    return binding.peerFinished(this._session);
  }
  getProtocol() {
    return binding.protocol(this._session);
  }
  getTLSTicket() {
    return binding.ticket(this._session);
  }
  getSharedSigalgs() {
    return binding.sharedSignatureAlgorithms(this._session);
  }
  isSessionReused() {
    return binding.isSessionReused(this._session);
  }
  exportKeyingMaterial(length, label, context) {
    return binding.exportKeyingMaterial(this._session, length, label, context);
  }
  enableTrace() {
    binding.want(this._session, 'trace');
  }
  getCipher() {
    const found = binding.cipher(this._session);
    return found && { name: found[0], standardName: found[1], version: found[2] };
  }
  getEphemeralKeyInfo() {
    if (this._session === undefined) return {};
    const found = binding.ephemeralKey(this._session);
    if (found === null) return null;
    if (found.length === 0) return {};
    const [type, name, size] = each(found);
    return name === undefined ? { type, size } : { type, name, size };
  }

  want(what) {
    binding.want(this._session, what);
  }
  answerHello(session, protocol) {
    binding.answerHello(this._session, session, protocol);
    this.#answered();
  }
  answerCertificate(context, response) {
    binding.answerCertificate(this._session, cellOf(context), response);
    this.#answered();
  }
  setVerifyMode(requestCert, rejectUnauthorized) {
    binding.setVerifyMode(this._session, requestCert, rejectUnauthorized, cellOf(this._secureContext.context));
  }
  setSession(session) {
    binding.setSession(this._session, session);
  }
  setServername(name) {
    binding.setServername(this._session, name);
  }
  setALPNProtocols(protocols) {
    binding.setAlpn(this._session, protocols);
  }
  setKeyCert(context) {
    binding.setKeyCert(this._session, cellOf(context));
  }
  setPskIdentityHint(hint) {
    return binding.setPskHint(this._session, hint);
  }
  setMaxSendFragment(size) {
    return binding.setMaxSendFragment(this._session, size);
  }
  renegotiate() {
    binding.renegotiate(this._session);
  }
}

// The rest is the handle's below. A Duplex has none of them, or takes them itself.
for (const name of each([
  'open',
  'bind',
  'connect',
  'connect6',
  'getsockname',
  'getpeername',
  'setNoDelay',
  'setKeepAlive',
  'setBlocking',
  'setTypeOfService',
  'getTypeOfService',
])) {
  Object.defineProperty(TLSHandle.prototype, name, {
    __proto__: null,
    configurable: true,
    writable: true,
    value(...args) {
      return this._parent?.[name]?.(...each(args));
    },
  });
}
for (const name of each(['ref', 'unref'])) {
  Object.defineProperty(TLSHandle.prototype, name, {
    __proto__: null,
    configurable: true,
    writable: true,
    value() {
      (this._parent ?? this._stream)[name]?.();
    },
  });
}

module.exports = { TLSHandle };
