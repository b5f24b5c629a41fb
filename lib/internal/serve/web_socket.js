// natives: none
// The server's half of a WebSocket (RFC 6455): the handshake, and the object that the program's handlers get. Frames are
// read by internal/serve/frames. No extension is offered, so permessage-deflate is declined, as the handshake provides for.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { validateFunction, validateInteger, validateObject, validateString } = require('internal/util/validators');
const { FrameReader, frame, closePayload, isSendableCode, kText, kBinary, kClose, kPing, kPong } = require('internal/serve/frames');

const kGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const kCloseWait = 3000;
const kConnecting = 0;
const kOpen = 1;
const kClosing = 2;
const kClosed = 3;

const upgrades = new WeakMap();
function upgradeOf(response) {
  return upgrades.get(response);
}

function checkHandlers(handlers) {
  validateObject(handlers, 'options.websocket');
  for (const name of each(['open', 'message', 'close', 'drain', 'ping', 'pong'])) {
    if (handlers[name] !== undefined) validateFunction(handlers[name], `options.websocket.${name}`);
  }
  for (const name of each(['maxPayloadLength', 'idleTimeout', 'backpressureLimit'])) {
    if (handlers[name] !== undefined) validateInteger(handlers[name], `options.websocket.${name}`, 0);
  }
  if (handlers.perMessageDeflate) {
    throw new ERR_INVALID_ARG_VALUE('options.websocket.perMessageDeflate', handlers.perMessageDeflate, 'is not supported');
  }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

// A Response that stands for the upgrade; one that refuses if the request asks for none.
function makeUpgrade(incoming, handlers, options) {
  if (handlers === undefined) throw new ERR_INVALID_STATE('serve has no websocket handlers');
  validateObject(options, 'options');
  const { Response } = require('undici/lib/web/fetch/response');
  const key = incoming.field('sec-websocket-key');
  const isAsked =
    incoming.asksUpgrade && incoming.method === 'GET' && stringToLowerCase.call(incoming.field('upgrade') ?? '') === 'websocket';
  if (!isAsked || key === undefined || !regexpTest.call(/^[A-Za-z0-9+/]{22}==$/, key))
    return new Response('Expected a WebSocket handshake', { status: 400 });
  if (incoming.field('sec-websocket-version') !== '13') {
    return new Response('Unknown version of WebSocket', { status: 426, headers: { 'Sec-WebSocket-Version': '13' } });
  }
  const { protocol, data } = options;
  if (protocol !== undefined) {
    validateString(protocol, 'options.protocol');
    const offered = arrayMap.call(stringSplit.call(incoming.field('sec-websocket-protocol') ?? '', ','), (one) => stringTrim.call(one));
    if (!regexpTest.call(token, protocol) || !arrayIncludes.call(offered, protocol)) {
      throw new ERR_INVALID_ARG_VALUE('options.protocol', protocol, 'is not among those that the client offers');
    }
  }
  const response = new Response(null, { headers: options.headers });
  response.headers; // laid out, so that it is found here and not sent as it is
  upgrades.set(response, { key, protocol: protocol ?? '', data, response });
  return response;
}

function handshakeText(key, protocol, headers) {
  const { createHash } = require('internal/crypto/crypto');
  const accept = createHash('sha1')
    .update(key + kGuid)
    .digest('base64');
  let text = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n`;
  if (protocol !== '') text += `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  const entries = headers.entries();
  for (let step = entries.next(); !step.done; step = entries.next()) text += `${step.value[0]}: ${step.value[1]}\r\n`;
  return `${text}\r\n`;
}

class ServerWebSocket {
  #connection;
  #handlers;
  #reader;
  #state = kConnecting;
  #queued = 0;
  #closeCode = 1006;
  #closeReason = '';
  #sentClose = false;
  #closeSweeps = 0;
  #isQuiet = false;

  constructor(incoming, { key, protocol, data, response }, handlers) {
    const { connection } = incoming;
    this.#connection = connection;
    this.#handlers = handlers;
    this.protocol = protocol;
    this.data = data;
    this.url = incoming.url;
    this.#reader = new FrameReader(handlers.maxPayloadLength ?? 16 * 1024 * 1024, (kind, payload) => this.#onFrame(kind, payload));
    connection.socket = this;
    this.#begin(key, response);
  }

  get readyState() {
    return this.#state;
  }
  get bufferedAmount() {
    return this.#queued;
  }
  get remoteAddress() {
    return this.#connection.link.remote?.[0];
  }

  #begin(key, response) {
    const connection = this.#connection;
    this.#send(handshakeText(key, this.protocol, response.headers), undefined);
    this.#state = kOpen;
    this.#call('open');
    const rest = connection.takeRest();
    connection.link.readRaw((size, bytes) => this.#onPiece(size, bytes));
    if (rest.length > 0) this.#onPiece(rest.length, rest);
  }

  // The number of bytes that wait for the client, or -1 when the message is dropped: the socket is closed, or too much waits.
  send(data) {
    if (typeof data === 'string') return this.#sendFrame(kText, Buffer.from(data));
    return this.#sendFrame(kBinary, bytesOf(data, 'data'));
  }
  ping(data = undefined) {
    return this.#sendFrame(kPing, controlBytes(data));
  }
  pong(data = undefined) {
    return this.#sendFrame(kPong, controlBytes(data));
  }

  close(code = 1000, reason = '') {
    validateInteger(code, 'code');
    validateString(reason, 'reason');
    if (!isSendableCode(code)) throw new ERR_INVALID_ARG_VALUE('code', code, 'must be 1000–1014 (without 1004–1006) or 3000–4999');
    if (this.#state !== kOpen) return;
    this.#sendClose(code, reason);
  }
  terminate() {
    this.#ended();
  }

  #sendClose(code, reason) {
    if (this.#sentClose) return;
    this.#sentClose = true;
    const payload = closePayload(code, reason);
    this.#state = kClosing;
    this.#send(frame(kClose, payload.length), payload);
  }

  #sendFrame(kind, bytes) {
    const limit = this.#handlers.backpressureLimit ?? 16 * 1024 * 1024;
    if (this.#state !== kOpen || this.#queued + bytes.length > limit) return -1;
    this.#send(frame(kind, bytes.length), bytes);
    return this.#queued;
  }

  #send(text, bytes) {
    const size = text.length + (bytes?.length ?? 0);
    const sent = this.#connection.link.send(text, bytes, (status) => {
      this.#queued -= size;
      if (status < 0) this.#ended();
      else if (this.#queued === 0) this.#call('drain');
    });
    if (sent === 1) this.#queued += size;
    else if (sent < 0) this.#ended();
  }

  #onPiece(size, bytes) {
    this.#connection.sweeps = 0;
    this.#isQuiet = false;
    if (size <= 0) {
      this.#ended();
      return;
    }
    const failure = this.#reader.feed(bytes);
    if (failure !== undefined) this.#fail(failure);
  }

  #fail(code) {
    if (this.#state === kClosed) return;
    this.#closeCode = code;
    this.#sendClose(code, '');
    this.#ended();
  }

  #onFrame(kind, payload) {
    if (this.#state === kClosed) return false;
    if (kind === kText || kind === kBinary) {
      if (this.#state === kOpen) this.#call('message', payload);
    } else if (kind === kPing) {
      if (this.#state === kOpen) this.#send(frame(kPong, payload.length), payload);
      this.#call('ping', payload);
    } else if (kind === kPong) {
      this.#call('pong', payload);
    } else {
      this.#closeCode = payload.code;
      this.#closeReason = payload.reason;
      this.#sendClose(payload.code === 1005 ? undefined : payload.code, payload.reason);
      this.#ended();
    }
    return this.#state !== kClosed;
  }

  #call(name, ...args) {
    const handler = this.#handlers[name];
    if (handler === undefined) return;
    try {
      const result = Reflect.apply(handler, this.#handlers, [this, ...each(args)]);
      if (typeof result?.then === 'function') {
        promiseThen(Promise.resolve(result), undefined, (error) => this.#failedHandler(error));
      }
    } catch (error) {
      this.#failedHandler(error);
    }
  }
  #failedHandler(error) {
    this.#connection.server.report(error);
    this.#fail(1011);
  }

  // Once a second.
  sweep(quiet) {
    if (this.#state === kClosing && ++this.#closeSweeps * 1000 > kCloseWait) {
      this.#ended();
      return;
    }
    const idle = (this.#handlers.idleTimeout ?? 120) * 1000;
    if (idle === 0 || this.#state !== kOpen) return;
    if (quiet > idle) this.#fail(1001);
    else if (quiet * 2 > idle && !this.#isQuiet) {
      this.#isQuiet = true;
      this.ping();
    }
  }

  #ended() {
    if (this.#state === kClosed) return;
    this.#state = kClosed;
    this.#connection.finishSocket();
    this.#call('close', this.#closeCode, this.#closeReason);
  }
}

for (const { 0: name, 1: value } of each(Object.entries({ CONNECTING: kConnecting, OPEN: kOpen, CLOSING: kClosing, CLOSED: kClosed }))) {
  Object.defineProperty(ServerWebSocket, name, { __proto__: null, value, enumerable: true });
}

function bytesOf(data, name) {
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (require('internal/util/types').isAnyArrayBuffer(data)) return Buffer.from(data);
  throw new ERR_INVALID_ARG_TYPE(name, ['string', 'ArrayBuffer', 'TypedArray', 'DataView'], data);
}

function controlBytes(data) {
  if (data === undefined) return Buffer.alloc(0);
  const bytes = typeof data === 'string' ? Buffer.from(data) : bytesOf(data, 'data');
  if (bytes.length > 125) throw new ERR_INVALID_ARG_VALUE('data', data, 'must have at most 125 bytes');
  return bytes;
}

module.exports = { upgradeOf, makeUpgrade, ServerWebSocket, checkHandlers };
