// natives: none
// postMessage to the window itself, MessageChannel and BroadcastChannel within one agent. Every message is a structured clone and arrives as a
// task of the posted message source (https://html.spec.whatwg.org/#web-messaging).
'use strict';

const { sources, queueTask, callScript, define, defineAll } = require('html/agent');
const { fire } = require('html/events');
const { URL } = require('web/url');
const { structuredClone } = require('web/structured_clone');

// An event handler attribute: one listener, at the place where it was first set.
function attribute(prototype, type, onSet, global) {
  const handlers = new WeakMap();
  Object.defineProperty(prototype, `on${type}`, {
    __proto__: null, configurable: true, enumerable: true,
    get() { return handlers.get(this ?? global)?.value ?? null; },
    set(value) {
      const self = this ?? global;
      let entry = handlers.get(self);
      if (entry === undefined) {
        entry = { value: null };
        handlers.set(self, entry);
        self.addEventListener(type, (event) => {
          if (typeof entry.value === 'function') return Reflect.apply(entry.value, self, [event]);
          return undefined;
        });
      }
      entry.value = typeof value === 'function' ? value : null;
      onSet?.(self);
    },
  });
}

function install(window, origin) {
  const deliver = (target, init) => fire(window, target, new window.MessageEvent('message', init));

  const ports = new WeakMap();  // port → { other, isStarted, isClosed, waiting, moved }
  class MessagePort extends window.EventTarget {
    constructor(key) {
      if (key !== ports) throw new window.TypeError('Illegal constructor');
      super();
      ports.set(this, { other: null, isStarted: false, isClosed: false, waiting: [] });
    }
    postMessage(message, options) {
      const { data, ports: moved } = serialize(message, options, this);
      const { other, isClosed } = ports.get(this);
      if (other === null || isClosed) return;
      receive(other, { data, ports: moved });
    }
    start() {
      const state = ports.get(this);
      if (state.isStarted) return;
      state.isStarted = true;
      for (const init of each(state.waiting.splice(0))) queue(this, init);
    }
    close() {
      const state = ports.get(this);
      if (state.isClosed) return;
      state.isClosed = true;
      const { other } = state;
      if (other !== null && !ports.get(other).isClosed) {
        ports.get(other).isClosed = true;
        queueTask(sources.message, () => { fire(window, other, new window.Event('close')); });
      }
    }
  }
  attribute(MessagePort.prototype, 'message', (port) => port.start());
  attribute(MessagePort.prototype, 'messageerror');
  attribute(MessagePort.prototype, 'close');

  function queue(port, init) {
    queueTask(sources.message, () => {
      const state = ports.get(port);
      if (!state.isClosed) deliver(port, init);
    });
  }
  function receive(port, init) {
    const state = ports.get(port);
    if (state.isStarted) queue(port, init);
    else state.waiting.push(init);
  }

  // A transferred port is a new object that takes the old one's place.
  function move(port) {
    const state = ports.get(port);
    const made = new MessagePort(ports);
    const successor = ports.get(made);
    successor.other = state.other;
    successor.waiting = state.waiting;
    if (state.other !== null) ports.get(state.other).other = made;
    state.other = null;
    state.isClosed = true;
    return made;
  }

  const dataCloneError = (message) => new window.DOMException(message, 'DataCloneError');

  // Ports in the transfer list are taken out before the clone and put into it again by their places.
  function serialize(message, options, self) {
    const transfer = [...each((Array.isArray(options) ? options : options?.transfer) ?? [])];
    const given = transfer.filter((item) => ports.has(item));
    if (new Set(given).size !== given.length || given.includes(self)) throw dataCloneError('A port cannot be transferred twice, nor through itself.');
    if (given.some((port) => ports.get(port).isClosed)) throw dataCloneError('A port in the transfer list is detached.');
    const rest = transfer.filter((item) => !ports.has(item));
    const marks = new Map(given.map((port, i) => [port, `\u0000port ${i}`]));
    const data = clone(given.length === 0 ? message : replace(message, marks), rest);
    const moved = given.map(move);
    return { data: given.length === 0 ? data : replace(data, new Map(moved.map((port, i) => [`\u0000port ${i}`, port]))), ports: moved };
  }

  function replace(value, places) {
    if (places.has(value)) return places.get(value);
    if (Array.isArray(value)) return value.map((item) => replace(item, places));
    if (typeof value !== 'object' || value === null) return value;
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value;
    return Object.fromEntries(Object.entries(value).map((pair) => [pair[0], replace(pair[1], places)]));
  }

  function clone(message, transfer) {
    try {
      return structuredClone(message, { transfer });
    } catch (error) {
      throw dataCloneError(error?.message ?? 'The object could not be cloned.');
    }
  }

  class MessageChannel {
    constructor() {
      const one = new MessagePort(ports);
      const two = new MessagePort(ports);
      ports.get(one).other = two;
      ports.get(two).other = one;
      define(this, 'port1', one);
      define(this, 'port2', two);
    }
  }

  const channels = new Set();
  class BroadcastChannel extends window.EventTarget {
    #name;
    #isClosed = false;
    constructor(name) {
      super();
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'BroadcastChannel': 1 argument required, but only 0 present.");
      this.#name = `${name}`;
      channels.add(this);
    }
    get name() { return this.#name; }
    postMessage(message) {
      if (this.#isClosed) throw new window.DOMException('The channel is closed.', 'InvalidStateError');
      clone(message);
      for (const other of each(channels)) {
        if (other === this || other.#name !== this.#name) continue;
        const data = clone(message);
        queueTask(sources.message, () => {
          if (!other.#isClosed) deliver(other, { data, origin });
        });
      }
    }
    close() {
      this.#isClosed = true;
      channels.delete(this);
    }
  }
  attribute(BroadcastChannel.prototype, 'message');
  attribute(BroadcastChannel.prototype, 'messageerror');

  // https://html.spec.whatwg.org/#dom-window-postmessage
  function postMessage(message, targetOrigin, transfer) {
    if (arguments.length === 0) throw new window.TypeError("Failed to execute 'postMessage' on 'Window': 1 argument required, but only 0 present.");
    const options = typeof targetOrigin === 'object' && targetOrigin !== null ? targetOrigin : { targetOrigin, transfer };
    const wanted = options.targetOrigin === undefined ? '/' : `${options.targetOrigin}`;
    if (wanted !== '*' && wanted !== '/' && !URL.canParse(wanted)) {
      throw new window.DOMException(`Failed to execute 'postMessage' on 'Window': Invalid target origin '${wanted}' in a call to 'postMessage'.`, 'SyntaxError');
    }
    const { data, ports: moved } = serialize(message, options.transfer);
    queueTask(sources.message, () => {
      if (wanted !== '*' && wanted !== '/' && new URL(wanted).origin !== origin) return;
      deliver(window, { data, origin, source: window, ports: moved });
    });
  }

  defineAll(window, {
    postMessage, MessageChannel, MessagePort, BroadcastChannel,
    structuredClone(value, options) {
      const { data } = serialize(value, options);
      return data;
    },
  });
}

module.exports = { install, attribute };
