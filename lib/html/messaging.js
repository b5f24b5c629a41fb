// natives: none
// postMessage to windows, MessageChannel and BroadcastChannel, within an agent and over links to others (html/links). Every message is a
// structured clone and arrives as a task of the posted message source (https://html.spec.whatwg.org/#web-messaging).
'use strict';

const { loop, sources, queueTask, callScript, define, defineAll } = require('html/agent');
const { fire, messageEvent } = require('html/events');
const { parse, originOf } = require('html/addresses');
const { cloneInto } = require('internal/messaging/structured_clone');
const links = require('html/links');

// port → { window, other, remote, isStarted, isClosed, waiting }: its other half is a port of this agent, or at the other end of a link ({
// link, number })
const ports = new WeakMap();

// The broadcast channels of all windows of the agent: { name, group (who is of one origin), clone, take }.
const channels = new Set();
function spread({ name, group, data }, from) {
  for (const channel of each(channels))
    if (channel !== from && channel.name === name && channel.group === group) channel.take(channel.clone(data));
}
links.onBroadcast(spread);

// An event handler attribute: one listener, at the place where it was first set.
function attribute(prototype, type, onSet, global) {
  const handlers = new WeakMap();
  Object.defineProperty(prototype, `on${type}`, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return handlers.get(this ?? global)?.value ?? null;
    },
    set(value) {
      const self = this ?? global;
      let entry = handlers.get(self);
      if (entry === undefined) {
        entry = { value: null };
        handlers.set(self, entry);
        self.addEventListener(type, (event) => {
          if (typeof entry.value !== 'function') return;
          // https://html.spec.whatwg.org/#the-event-handler-processing-algorithm: a global's error handler is told otherwise.
          const isSpecial = type === 'error' && self === global && event.message !== undefined;
          const args = isSpecial ? [event.message, event.filename, event.lineno, event.colno, event.error] : [event];
          if (callScript(entry.value, self, args) === isSpecial) event.preventDefault();
        });
      }
      entry.value = typeof value === 'function' ? value : null;
      onSet?.(self);
    },
  });
}

function install(window, origin, document) {
  const deliver = (target, init) => fire(window, target, messageEvent(window, init));

  class MessagePort extends window.EventTarget {
    constructor(key) {
      if (key !== ports) throw new window.TypeError('Illegal constructor');
      super();
      ports.set(this, { window, document, other: null, remote: null, isStarted: false, isClosed: false, waiting: [] });
    }
    postMessage(message, options) {
      const { remote, isClosed } = ports.get(this);
      if (remote !== null && !isClosed)
        return sendOver(remote.link, message, options, (wire, transfer) => remote.link.sendToPort(remote.number, wire, transfer), this);
      const { data, ports: moved } = serialize(message, options, this);
      const { other } = ports.get(this);
      if (other !== null && !isClosed) receive(other, { data, ports: moved });
      return undefined;
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
      const { other, remote } = state;
      if (remote !== null) remote.link.sendToPort(remote.number, null);
      if (other !== null) closeByOther(other);
    }
  }
  attribute(MessagePort.prototype, 'message', (port) => port.start());
  attribute(MessagePort.prototype, 'messageerror');
  attribute(MessagePort.prototype, 'close');

  function closeByOther(port) {
    if (ports.get(port).isClosed) return;
    Object.assign(ports.get(port), { other: null, remote: null }); // what is on its way still arrives
    const { window: its, document: number } = ports.get(port);
    queueTask(
      sources.message,
      () => {
        fire(its, port, new its.Event('close'));
      },
      number,
    );
  }
  function queue(port, init) {
    queueTask(
      sources.message,
      () => {
        const { window: its, isClosed } = ports.get(port);
        if (!isClosed) fire(its, port, messageEvent(its, init));
      },
      ports.get(port).document,
    );
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
    if (state.remote !== null) connect(made, state.remote);
    Object.assign(state, { other: null, remote: null, isClosed: true });
    return made;
  }

  // Messages over the link for this number go to the port.
  function connect(port, remote) {
    ports.get(port).remote = remote;
    remote.link.take(remote.number, (wire) => {
      if (wire === null) closeByOther(port);
      else receive(port, arrive(remote.link, wire));
    });
  }

  const dataCloneError = (message) => new window.DOMException(message, 'DataCloneError');

  const markOf = (index) => `\u0000port ${index}`;

  // The ports of a transfer list, and the rest of it.
  function split(options, self) {
    const transfer = transferOf(options);
    const given = transfer.filter((item) => ports.has(item));
    if (new Set(given).size !== given.length || given.includes(self))
      throw dataCloneError('A port cannot be transferred twice, nor through itself.');
    if (given.some((port) => ports.get(port).isClosed)) throw dataCloneError('A port in the transfer list is detached.');
    return { given, rest: transfer.filter((item) => !ports.has(item)) };
  }

  // Ports in the transfer list are taken out before the clone and put into it again by their places.
  const withMarks = (message, given) =>
    given.length === 0 ? message : replace(message, new Map(given.map((port, i) => [port, markOf(i)])));
  const withPorts = (data, moved) => (moved.length === 0 ? data : replace(data, new Map(moved.map((port, i) => [markOf(i), port]))));
  function serialize(message, options, self) {
    const { given, rest } = split(options, self);
    const data = clone(withMarks(message, given), rest);
    const moved = given.map(move);
    return { data: withPorts(data, moved), ports: moved };
  }

  // A message to another agent: `post(wire, transfer list)` sends it. Its ports get numbers of the link.
  function sendOver(link, message, options, post, self) {
    const { given, rest } = split(options, self);
    const numbers = given.map(() => link.number(() => {}));
    try {
      post({ data: withMarks(message, given), numbers, origin, rest }, rest);
    } catch (error) {
      throw dataCloneError(error?.message ?? 'The object could not be cloned.');
    }
    const waiting = [];
    for (const [index, port] of eachEntry(given.entries())) {
      const number = numbers[index];
      const { other, remote, waiting: unread } = ports.get(port);
      if (remote !== null) relay(remote, { link, number });
      else if (other !== null) connect(other, { link, number });
      if (other !== null) ports.get(other).other = null;
      waiting.push({ number, unread });
      Object.assign(ports.get(port), { other: null, remote: null, isClosed: true });
    }
    for (const { number, unread } of each(waiting)) {
      for (const init of each(unread)) sendOver(link, init.data, init.ports, (later, transfer) => link.sendToPort(number, later, transfer));
    }
  }

  // Both halves of a channel are elsewhere: what comes from one goes to the other, and so do the ports that it brings.
  function relay(one, two) {
    const onward = (from, to) =>
      from.link.take(from.number, (wire) => {
        if (wire === null) return to.link.sendToPort(to.number, null);
        const numbers = wire.numbers.map((number) => {
          const made = { link: to.link, number: to.link.number(() => {}) };
          relay({ link: from.link, number }, made);
          return made.number;
        });
        return to.link.sendToPort(to.number, { ...wire, numbers });
      });
    onward(one, two);
    onward(two, one);
  }

  // The contents of a message from another agent.
  function arrive(link, { data: foreign, rest = [], numbers, origin: from }) {
    const data = ownCopy(foreign, rest);
    const moved = numbers.map((number) => {
      const port = new MessagePort(ports);
      connect(port, { link, number });
      return port;
    });
    return { data: withPorts(data, moved), ports: moved, from };
  }

  // WebIDL's sequence<object>, or a dictionary with one.
  function transferOf(options) {
    if (options === undefined || options === null) return [];
    const list = typeof options[Symbol.iterator] === 'function' ? options : options.transfer;
    if (list === undefined) return [];
    if (typeof list?.[Symbol.iterator] !== 'function')
      throw new window.TypeError("Failed to execute 'postMessage': the transfer list is no sequence.");
    const items = [...each(list)];
    if (items.some((item) => (typeof item !== 'object' && typeof item !== 'function') || item === null))
      throw new window.TypeError("Failed to execute 'postMessage': the transfer list holds what is no object.");
    return items;
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
      require('html/jsdom_fixes').setReceiver(window);
      return cloneInto(window, message, transfer);
    } catch (error) {
      throw error instanceof require('internal/errors/dom_exception').DOMException ? dataCloneError(error.message) : error;
    }
  }

  // Values from another agent are of the library's realm; transferred ones are transferred on.
  function ownCopy(data, rest) {
    if (typeof data !== 'object' || data === null) return data;
    return clone(data, rest);
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

  class BroadcastChannel extends window.EventTarget {
    #channel;
    constructor(name) {
      super();
      if (arguments.length === 0)
        throw new window.TypeError("Failed to construct 'BroadcastChannel': 1 argument required, but only 0 present.");
      const take = (data) =>
        queueTask(
          sources.message,
          () => {
            if (channels.has(this.#channel)) deliver(this, { data, origin });
          },
          document,
        );
      this.#channel = { name: `${name}`, group: require('html/requests').clientOf(window).group(), clone, take };
      channels.add(this.#channel);
    }
    get name() {
      return this.#channel.name;
    }
    postMessage(message) {
      if (!channels.has(this.#channel)) throw new window.DOMException('The channel is closed.', 'InvalidStateError');
      const data = clone(message);
      if (installed.get(window).isClosing) return; // nobody hears a worker that is about to end
      spread({ ...this.#channel, data }, this.#channel);
      links.broadcast({ type: 'broadcast', name: this.#channel.name, group: this.#channel.group, data });
    }
    close() {
      channels.delete(this.#channel);
    }
  }
  attribute(BroadcastChannel.prototype, 'message');
  attribute(BroadcastChannel.prototype, 'messageerror');

  // https://html.spec.whatwg.org/#dom-window-postmessage
  function postMessage(message, targetOrigin, transfer) {
    if (arguments.length === 0)
      throw new window.TypeError("Failed to execute 'postMessage' on 'Window': 1 argument required, but only 0 present.");
    const options = typeof targetOrigin === 'object' && targetOrigin !== null ? targetOrigin : { targetOrigin, transfer };
    const wanted = checkedTarget(window, options.targetOrigin);
    const { data, ports: moved } = serialize(message, transfer === undefined ? options : { transfer });
    const caller = loop.caller();
    const source = installed.has(caller) ? caller : window;
    const from = installed.get(source).origin;
    const allowed = wanted === '/' ? from : wanted === '*' ? origin : originOf(wanted);
    queueTask(
      sources.message,
      () => {
        if (allowed === origin) deliver(window, { data, origin: from, source, ports: moved });
      },
      document,
    );
  }

  defineAll(window, {
    postMessage,
    MessageChannel,
    MessagePort,
    BroadcastChannel,
    structuredClone(value, options) {
      const { data } = serialize(value, options);
      return data;
    },
  });
  require('html/jsdom_fixes').addReceiver(window);
  require('html/discarding').onDiscard(document, () => {
    for (const channel of each([...each(channels)])) if (channel.clone === clone) channels.delete(channel);
    require('html/jsdom_fixes').removeReceiver(window);
  });
  installed.set(window, { sendOver, arrive, deliver, origin, isClosing: false });
}

// A target origin: '*', '/' or a URL.
function checkedTarget(window, given) {
  const wanted = given === undefined ? '/' : `${given}`;
  if (wanted === '*' || wanted === '/' || parse(wanted) !== undefined) return wanted;
  throw new window.DOMException(
    `Failed to execute 'postMessage' on 'Window': Invalid target origin '${wanted}' in a call to 'postMessage'.`,
    'SyntaxError',
  );
}

const installed = new WeakMap();

// How messages from and to other agents pass this window: sendOver(), arrive(), deliver().
function of(window) {
  return installed.get(window);
}

module.exports = { install, attribute, of, checkedTarget };
