// natives: none
// WebSocket and EventSource of a window or a worker: the library's (undici's), whose events arrive as tasks of the networking source. The virtual clock
// waits while a connection is being made or closed; while it is open nobody knows when the other side will speak, and time goes on.
'use strict';

const { loop, sources, queueTask, define } = require('html/agent');
const { attribute } = require('html/messaging');
const { eventClass, fire } = require('html/events');
const { URL } = require('web/url');

const kConnecting = 0, kOpen = 1, kClosing = 2, kClosed = 3;

function constants(target, names) {
  names.forEach((name, value) => {
    for (const holder of each([target, target.prototype])) Object.defineProperty(holder, name, { __proto__: null, value, enumerable: true });
  });
}

// Holds the virtual clock until it is told otherwise, at most once.
function hold() {
  let isHeld = true;
  loop.hold(true);
  return () => {
    if (isHeld) loop.hold(false);
    isHeld = false;
  };
}

// The package warns that it may change: that is no news for a page.
function quietly(make) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return make();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function installWebSocket(window, document, base) {
  class WebSocket extends window.EventTarget {
    #inner;
    #state = kConnecting;
    #binaryType = 'blob';
    #release;

    constructor(url, protocols = []) {
      super();
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'WebSocket': 1 argument required, but only 0 present.");
      if (!URL.canParse(`${url}`, base())) throw new window.DOMException(`Failed to construct 'WebSocket': The URL '${url}' is invalid.`, 'SyntaxError');
      try {
        this.#inner = new (require('undici/lib/web/websocket/websocket').WebSocket)(new URL(`${url}`, base()).href, protocols);
      } catch (error) {
        throw new window.DOMException(error.message, error.name);
      }
      this.#release = hold();
      this.#inner.binaryType = 'arraybuffer';
      this.#inner.addEventListener('open', () => this.#queue(() => this.#opened()));
      this.#inner.addEventListener('message', ({ data, origin }) => this.#queue(() => this.#received(data, origin)));
      this.#inner.addEventListener('close', ({ code, reason, wasClean }) => this.#queue(() => this.#ended({ code, reason, wasClean })));
    }

    #queue(steps) { queueTask(sources.networking, steps, document); }
    #opened() {
      this.#release();
      if (this.#state !== kConnecting) return;
      this.#state = kOpen;
      fire(window, this, new window.Event('open'));
    }
    #received(data, origin) {
      if (this.#state !== kOpen) return;
      const bytes = typeof data === 'string' ? undefined : new window.Uint8Array(new Uint8Array(data));
      const shown = bytes === undefined ? data : this.#binaryType === 'blob' ? new window.Blob([bytes]) : bytes.buffer;
      fire(window, this, new window.MessageEvent('message', { data: shown, origin }));
    }
    #ended({ code, reason, wasClean }) {
      this.#release();
      this.#state = kClosed;
      if (!wasClean) fire(window, this, new window.Event('error'));
      fire(window, this, new window.CloseEvent('close', { code, reason, wasClean }));
    }

    send(data) {
      if (arguments.length === 0) throw new window.TypeError("Failed to execute 'send' on 'WebSocket': 1 argument required, but only 0 present.");
      if (this.#state === kConnecting) throw new window.DOMException("Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.", 'InvalidStateError');
      if (this.#state !== kOpen) return;
      if (window.Blob !== undefined && data instanceof window.Blob) {
        promiseThen(data.arrayBuffer(), (bytes) => { this.#inner.send(new Uint8Array(bytes).buffer); });
        return;
      }
      const isBuffer = ArrayBuffer.isView(data) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(data));
      this.#inner.send(isBuffer ? data : `${data}`);
    }
    close(code, reason) {
      try {
        this.#inner.close(code, reason);
      } catch (error) {
        throw new window.DOMException(error.message, error.name);
      }
      if (this.#state < kClosing) {
        this.#state = kClosing;
        this.#release();
        this.#release = hold();
      }
    }

    get url() { return this.#inner.url; }
    get readyState() { return this.#state; }
    get protocol() { return this.#inner.protocol; }
    get extensions() { return this.#inner.extensions; }
    get bufferedAmount() { return this.#inner.bufferedAmount; }
    get binaryType() { return this.#binaryType; }
    set binaryType(value) { if (value === 'blob' || value === 'arraybuffer') this.#binaryType = value; }
  }
  constants(WebSocket, ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED']);
  for (const type of each(['open', 'message', 'error', 'close'])) attribute(WebSocket.prototype, type);
  define(WebSocket.prototype, Symbol.toStringTag, 'WebSocket', false);
  define(window, 'WebSocket', WebSocket, false);
}

// https://html.spec.whatwg.org/#server-sent-events
function installEventSource(window, document, base) {
  class EventSource extends window.EventTarget {
    #inner;
    #state = kConnecting;
    #types = new Set();
    #release;

    constructor(url, init = {}) {
      super();
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'EventSource': 1 argument required, but only 0 present.");
      if (!URL.canParse(`${url}`, base())) throw new window.DOMException(`Failed to construct 'EventSource': Cannot open an EventSource to '${url}'. The URL is invalid.`, 'SyntaxError');
      const { EventSource: Inner } = require('undici/lib/web/eventsource/eventsource');
      this.#inner = quietly(() => new Inner(new URL(`${url}`, base()).href, { withCredentials: !!init?.withCredentials }));
      this.#release = hold();
      this.#inner.addEventListener('open', () => this.#queue(() => this.#told(kOpen, 'open')));
      this.#inner.addEventListener('error', () => {
        const state = this.#inner.readyState;
        this.#queue(() => this.#told(state, 'error'));
      });
      this.#listenFor('message');
    }

    #queue(steps) { queueTask(sources.networking, () => { if (this.#state !== kClosing) steps(); }, document); }
    #told(state, type) {
      this.#release();
      this.#state = state;
      fire(window, this, new window.Event(type));
    }
    // Events of a type that nobody has asked for are nobody's.
    #listenFor(type) {
      if (this.#types.has(type) || type === 'open' || type === 'error') return;
      this.#types.add(type);
      this.#inner.addEventListener(type, ({ data, origin, lastEventId }) => this.#queue(() => {
        fire(window, this, new window.MessageEvent(type, { data, origin, lastEventId }));
      }));
    }
    addEventListener(type, listener, options) {
      this.#listenFor(`${type}`);
      return super.addEventListener(type, listener, options);
    }
    close() {
      this.#state = kClosing;  // CLOSED of this interface
      this.#release();
      this.#inner.close();
    }

    get url() { return this.#inner.url; }
    get readyState() { return this.#state; }
    get withCredentials() { return this.#inner.withCredentials; }
  }
  constants(EventSource, ['CONNECTING', 'OPEN', 'CLOSED']);
  for (const type of each(['open', 'message', 'error'])) attribute(EventSource.prototype, type);
  define(EventSource.prototype, Symbol.toStringTag, 'EventSource', false);
  define(window, 'EventSource', EventSource, false);
}

function install(window, document) {
  if (!('CloseEvent' in window)) define(window, 'CloseEvent', eventClass(window, 'CloseEvent', { code: 0, reason: '', wasClean: false }), false);
  const base = () => window.document?.baseURI ?? window.location.href;
  installWebSocket(window, document, base);
  installEventSource(window, document, base);
}

module.exports = { install };
