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
    this._session = binding.newSession(cellOf(context.context), isServer); // stays; closed, it has no answers
    this._isClosed = false;
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

  // The handle below. Its former owner does not read from it any more.
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
    this._session.attach(this._native);
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
    if (this._isClosed) return;
    this._session.feed(chunk);
    this.advance();
  }

  // The handshake begins, or goes on after an answer.
  start() {
    this.advance();
  }

  advance() {
    if (this._isClosed) return;
    const outcome = this._session.advance(this._psk);
    this.#settle(outcome, this._session.takePlain());
  }

  #settle(outcome, chunk) {
    if (this._deferred !== undefined) this.#settleDeferred();
    if (this._isClosed) return;
    if ((outcome & kOutput) !== 0) this.#send();
    if ((outcome & kEvents) !== 0) {
      for (const event of each(this._session.takeEvents())) {
        this._isAsked = event[0] === kHello || event[0] === kCertificate;
        this[kEventNames[event[0]]](event[1], event[2], event[3]);
        if (this._isClosed) return;
      }
      if (this._isAsked) this.#holdInput();
      if (this._session.flush()) this.#send();
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
    else this._session.readStop();
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
    if ((outcome & kFailed) !== 0 && !this._isClosed) this.onerror(this._session.failure());
    if ((outcome & kEnd) !== 0) this.#end();
  }

  #end() {
    if (this._ended || this._isClosed) return;
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
    return this._session.readStart(this._step);
  }

  readStop() {
    this.reading = false;
    if (this._stream !== undefined) this._stream.pause();
    else this._session.readStop();
    return 0;
  }

  // Everything goes through writes: what is encrypted cannot be taken back.
  tryBytes() {
    return 0;
  }
  writeBytes(view, done) {
    this.bytesWritten += view.byteLength;
    return this.#sent(this._session.writeBytes(view, done), done);
  }
  writeMany(views, done) {
    for (const view of each(views)) this.bytesWritten += view.byteLength;
    return this.#sent(this._session.writeMany(views, done), done);
  }
  writeText(text, isLatin1, done) {
    this.bytesWritten += isLatin1 ? text.length : require('internal/buffer/buffer').Buffer.byteLength(text);
    return this.#sent(this._session.writeText(text, isLatin1, done), done);
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
    if (this._session.resume() === kToSend) this.#send(done);
  }

  // To the Duplex.
  #send(done) {
    const bytes = this._session.takeOutput();
    if (bytes !== undefined && !this._stream.destroyed) this._stream.write(bytes, done && ((error) => done(error ? EPIPE : 0)));
    else if (done !== undefined) enqueue(done, [0]);
  }

  shutdown(request) {
    const done = (status) => request.oncomplete(status);
    const status = this._session.shutdown(done);
    if (status !== kToSend) return shutdownStatus(status);
    const bytes = this._session.takeOutput();
    if (this._stream.writableEnded || this._stream.destroyed) enqueue(done, [0]);
    else if (bytes === undefined) this._stream.end(() => done(0));
    else this._stream.end(bytes, () => done(0));
    return 0;
  }

  // Nothing is encrypted or decrypted any more; the connection stays.
  destroySSL() {
    this._session.destroy();
  }

  #release() {
    // Another socket may share the handle and ask what was wrong with the peer.
    if (!this._isClosed && this.owner?.authorizationError) this._verifyError = this._session.verifyError();
    this._session.destroy();
    this._isClosed = true;
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
    return this._verifyError ?? this._session.verifyError();
  }
  getPeerCertificate(detailed) {
    return this._session.peerCertificate(Boolean(detailed));
  }
  getCertificate() {
    return this._session.ownCertificate();
  }
  getPeerX509Certificate() {
    return this._session.peerCertificateBytes();
  }
  getX509Certificate() {
    return this._session.ownCertificateBytes();
  }
  getALPNNegotiatedProtocol() {
    return this._session.alpn();
  }
  getServername() {
    return this._session.servername();
  }
  getSession() {
    return this._session.sessionBytes();
  }
  getFinished() {
    return this._session.finished();
  }
  getPeerFinished() {
    return this._session.peerFinished();
  }
  getProtocol() {
    return this._session.protocol();
  }
  getTLSTicket() {
    return this._session.ticket();
  }
  getSharedSigalgs() {
    return this._session.sharedSignatureAlgorithms();
  }
  isSessionReused() {
    return this._session.isSessionReused();
  }
  exportKeyingMaterial(length, label, context) {
    return this._session.exportKeyingMaterial(length, label, context);
  }
  enableTrace() {
    this._session.want('trace');
  }
  getCipher() {
    const found = this._session.cipher();
    return found && { name: found[0], standardName: found[1], version: found[2] };
  }
  getEphemeralKeyInfo() {
    if (this._isClosed) return {};
    const found = this._session.ephemeralKey();
    if (found === null) return null;
    if (found.length === 0) return {};
    const [type, name, size] = each(found);
    return name === undefined ? { type, size } : { type, name, size };
  }

  want(what) {
    this._session.want(what);
  }
  answerHello(session, protocol) {
    this._session.answerHello(session, protocol);
    this.#answered();
  }
  answerCertificate(context, response) {
    this._session.answerCertificate(cellOf(context), response);
    this.#answered();
  }
  setVerifyMode(requestCert, rejectUnauthorized) {
    this._session.setVerifyMode(requestCert, rejectUnauthorized, cellOf(this._secureContext.context));
  }
  setSession(session) {
    this._session.setSession(session);
  }
  setServername(name) {
    this._session.setServername(name);
  }
  setALPNProtocols(protocols) {
    this._session.setAlpn(protocols);
  }
  setKeyCert(context) {
    this._session.setKeyCert(cellOf(context));
  }
  setPskIdentityHint(hint) {
    return this._session.setPskHint(hint);
  }
  setMaxSendFragment(size) {
    return this._session.setMaxSendFragment(size);
  }
  renegotiate() {
    this._session.renegotiate();
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
