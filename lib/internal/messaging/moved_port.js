// natives: messaging
// The MessagePort of a vm context (moveMessagePortToContext). This file runs in the context itself, once for each: the class, its
// methods, the events and the lists it makes are of that realm; what it is given by its wrapper is of the program's. As in Node
// such a port is no EventTarget: messages go to `onmessage`, those that cannot be read there to `onmessageerror`.
'use strict';

const binding = native('messaging');
const { kClosed, kMakePort, kReceive, kTransfer } = require('internal/symbols/messaging');
const { noteReceivedPort, post } = require('internal/messaging/post_message');
const { cloneError, markTransferMode } = require('internal/messaging/structured_clone');
const { isDOMException } = require('internal/errors/dom_exception');
const {
  codes: { ERR_CONSTRUCT_CALL_INVALID },
} = require('internal/errors/coded');

const kMake = Symbol('make');

// This realm's Error: its global name may be the sandbox's.
function errorClass() {
  try {
    return undefined.name;
  } catch (error) {
    return Object.getPrototypeOf(Object.getPrototypeOf(error)).constructor;
  }
}

class DOMException extends errorClass() {
  constructor({ message, name, code }) {
    super(message);
    Object.defineProperty(this, 'name', { __proto__: null, value: name, configurable: true, writable: true });
    Object.defineProperty(this, 'code', { __proto__: null, value: code, configurable: true, writable: true });
  }
}

class MessageEvent {
  constructor(target, type, data, ports) {
    this.data = data;
    this.target = target;
    this.type = type;
    this.ports = [];
    for (let i = 0; i < ports.length; i++) this.ports[i] = ports[i];
  }
}

class MessagePort {
  #handle;

  constructor(token, handle) {
    if (token !== kMake) throw new ERR_CONSTRUCT_CALL_INVALID();
    this.#handle = handle;
    handle.setOwner(this, this);
    handle.ref(); // as in Node: it keeps the loop alive until it is closed
  }

  postMessage(message, transferOrOptions) {
    try {
      return post(this.#handle, this, message, transferOrOptions);
    } catch (error) {
      throw isDOMException(error) ? new DOMException(error) : error;
    }
  }

  start() {
    this.#handle.start();
  }
  close() {
    this.#handle.close();
  }
  ref() {
    this.#handle.ref();
  }
  unref() {
    this.#handle.unref();
  }
  hasRef() {
    return this.#handle.hasRef();
  }

  [kReceive](data, type, ports) {
    const name = `on${type}`;
    if (typeof this[name] === 'function') this[name](new MessageEvent(this, type, data, ports));
  }

  [kClosed]() {
    if (typeof this.onclose === 'function') this.onclose(new MessageEvent(this, 'close', undefined, []));
  }

  // A port that came with a message.
  [kMakePort](end) {
    const port = make(binding.attach(end));
    noteReceivedPort(port);
    return port;
  }

  [kTransfer]() {
    const end = this.#handle.detach();
    if (end === undefined) throw cloneError('MessagePort in transfer list is already detached');
    return { data: end, deserializeInfo: 'internal/messaging/message_channel:ReceivedPort' };
  }
}

markTransferMode(MessagePort.prototype, false, true);

function make(handle) {
  return new MessagePort(kMake, handle);
}

module.exports = { make };
