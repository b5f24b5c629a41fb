// natives: none
// WebSocket of a window or a worker: the library's (undici's), whose events arrive as tasks of the networking source. The virtual clock
// waits while a connection is being made or closed; while it is open nobody knows when the other side will speak, and time goes on.
'use strict';

const { loop, sources, queueTask, define } = require('html/agents/agent');
const { attribute } = require('html/window/handler_attribute');
const { eventClass, fire } = require('html/window/events');
const requests = require('html/network/requests');
const { parse } = require('html/network/addresses');
const { userAgent } = require('html/network/network');

const kConnecting = 0,
  kOpen = 1,
  kClosing = 2,
  kClosed = 3;

function constants(target, names) {
  names.forEach((name, value) => {
    for (const holder of each([target, target.prototype]))
      Object.defineProperty(holder, name, { __proto__: null, value, enumerable: true });
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

// The connection itself. Any origin may be asked: it is told whose the page is.
function connect(window, base, url, protocols) {
  const target = parse(`${url}`, base());
  if (target === undefined) throw new window.DOMException(`Failed to construct 'WebSocket': The URL '${url}' is invalid.`, 'SyntaxError');
  const client = requests.clientOf(window);
  const cookies = /^(ws|http)s?:$/.test(target.protocol)
    ? client.cookies.of(parse(target.href.replace(/^ws/, 'http')), { mode: 'websocket', method: 'GET' })
    : '';
  const headers = { origin: client.origin, 'user-agent': userAgent(), ...(cookies === '' ? {} : { cookie: cookies }) };
  try {
    return new (require('undici/lib/web/websocket/websocket').WebSocket)(target.href, { protocols, headers });
  } catch (error) {
    throw new window.DOMException(error.message, error.name);
  }
}

function closeConnection(window, connection, code, reason) {
  try {
    connection.close(code, reason);
  } catch (error) {
    throw new window.DOMException(error.message, error.name);
  }
}

function sendData(window, connection, data) {
  if (window.Blob !== undefined && data instanceof window.Blob) {
    promiseThen(data.arrayBuffer(), (bytes) => {
      connection.send(new Uint8Array(bytes).buffer);
    });
    return;
  }
  const isBuffer = ArrayBuffer.isView(data) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(data));
  connection.send(isBuffer ? data : `${data}`);
}

// An attribute that is the connection's.
function forward(prototype, name, inner) {
  Object.defineProperty(prototype, name, {
    __proto__: null,
    configurable: true,
    get() {
      return inner(this)[name];
    },
  });
}

function installWebSocket(window, document, base) {
  let inner; // of a socket: its connection

  class WebSocket extends window.EventTarget {
    #inner;
    #state = kConnecting;
    #binaryType = 'blob';
    #release;

    constructor(url, protocols = []) {
      super();
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'WebSocket': 1 argument required, but only 0 present.");
      this.#inner = connect(window, base, url, protocols);
      this.#release = hold();
      this.#inner.binaryType = 'arraybuffer';
      this.#inner.addEventListener('open', () => this.#queue(() => this.#opened()));
      this.#inner.addEventListener('message', ({ data, origin }) => this.#queue(() => this.#received(data, origin)));
      this.#inner.addEventListener('close', ({ code, reason, wasClean }) => this.#queue(() => this.#ended({ code, reason, wasClean })));
    }

    static {
      inner = (socket) => socket.#inner;
    }
    #queue(steps) {
      queueTask(sources.networking, steps, document);
    }
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
      if (arguments.length === 0)
        throw new window.TypeError("Failed to execute 'send' on 'WebSocket': 1 argument required, but only 0 present.");
      if (this.#state === kConnecting)
        throw new window.DOMException("Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.", 'InvalidStateError');
      if (this.#state !== kOpen) return;
      sendData(window, this.#inner, data);
    }
    close(code, reason) {
      closeConnection(window, this.#inner, code, reason);
      if (this.#state < kClosing) {
        this.#state = kClosing;
        this.#release();
        this.#release = hold();
      }
    }

    get readyState() {
      return this.#state;
    }
    get binaryType() {
      return this.#binaryType;
    }
    set binaryType(value) {
      if (value === 'blob' || value === 'arraybuffer') this.#binaryType = value;
    }
  }
  for (const name of each(['url', 'protocol', 'extensions', 'bufferedAmount'])) forward(WebSocket.prototype, name, inner);
  constants(WebSocket, ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED']);
  for (const type of each(['open', 'message', 'error', 'close'])) attribute(WebSocket.prototype, type);
  define(WebSocket.prototype, Symbol.toStringTag, 'WebSocket', false);
  define(window, 'WebSocket', WebSocket, false);
}

function install(window, document) {
  if (!('CloseEvent' in window))
    define(window, 'CloseEvent', eventClass(window, 'CloseEvent', { code: 0, reason: '', wasClean: false }), false);
  const base = () => window.document?.baseURI ?? window.location.href;
  installWebSocket(window, document, base);
  require('html/network/event_source').install(window, document, base, constants, hold);
}

module.exports = { install };
