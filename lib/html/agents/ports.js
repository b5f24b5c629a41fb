// natives: messaging
// MessagePort, MessageChannel and BroadcastChannel of windows and of a page's workers. The channel itself is that of Node's ports
// (src/modules/threads/messaging.cpp), within an agent as between agents: a port that is transferred takes its end, with the messages that
// wait there, along. A message arrives as a task of the posted message source and is made of the receiving window's objects.
'use strict';

const binding = native('messaging');
const { sources, queueTask, define } = require('html/agents/agent');
const { attribute } = require('html/window/handler_attribute');
const { fire, messageEvent } = require('html/window/events');
const { kReceive, kClosed, kRevive, kTransfer } = require('internal/symbols/messaging');
const { collectPorts, noteReceivedPort } = require('internal/messaging/post_message');
const { cloneError, cloneInto, markTransferMode, prepareTransfers, revive, substitute } = require('internal/messaging/structured_clone');
const { isDOMException } = require('internal/errors/dom_exception');
const fixes = require('html/jsdom/fixes');

const kMake = Symbol('make');
// port → { handle: its native half; isLeft: closed or transferred by this side; isStarted; peer: the channel's other port, while
// both are this agent's: each keeps the other alive. A port whose other half is elsewhere stays from its start until it is closed. }
const states = new WeakMap();
const classes = new WeakMap(); // window → its MessagePort

// The library's errors as the window's own.
function inWindow(window, run) {
  try {
    return run();
  } catch (error) {
    throw isDOMException(error) ? new window.DOMException(error.message, error.name) : error;
  }
}

// WebIDL's sequence<object>, or a dictionary with one.
function transferListOf(window, options) {
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

// Before anything is transferred: https://html.spec.whatwg.org/#dom-messageport-postmessage step 1 and the steps of
// StructuredSerializeWithTransfer.
function checkedList(window, options, source) {
  const list = transferListOf(window, options);
  const given = new Set();
  for (const item of each(list)) {
    const state = states.get(item);
    if (state === undefined) continue;
    if (given.has(item) || item === source) throw cloneError('A port cannot be transferred twice, nor through itself.');
    if (!state.handle.isOpen()) throw cloneError('A port in the transfer list is detached.');
    given.add(item);
  }
  return prepareTransfers(list);
}

// Sends over the port `handle`; `source` is the MessagePort that it belongs to, if any.
function post(window, handle, message, options, source) {
  inWindow(window, () => {
    const list = checkedList(window, options, source);
    require('html/agents/links').flushOutput();
    handle.post(message, list.length === 0 ? undefined : list);
  });
}

// A copy for another window of this agent: { data, ports } of its realm.
function cloneFor(window, message, options) {
  return inWindow(window, () => {
    const list = checkedList(window, options);
    fixes.setReceiver(window);
    const { value: data, ports } = collectPorts(() => cloneInto(window, message, list));
    return { data, ports };
  });
}

// Messages of the port `handle` go to take({ data, ports }, type) as tasks of `window`; closed() is told of the end.
function listen(window, document, handle, take, closed) {
  const receiver = {
    [kReceive](data, type, ports) {
      take(type === 'message' ? { data, ports } : { data: null, ports: [] }, type);
    },
    [kClosed]() {
      closed?.();
    },
    [kRevive](info, data) {
      fixes.setReceiver(window);
      return revive(info, data);
    },
  };
  handle.setOwnerInWindow(receiver, window, document);
}

function makePort(window, end) {
  const handle = binding.attach(end);
  return new (classes.get(window))(kMake, handle);
}

// A port that came with a message.
substitute('internal/messaging/message_channel:ReceivedPort', (end) => {
  const port = makePort(fixes.receiver(), end);
  noteReceivedPort(port);
  return port;
});

function stateOf(window, port) {
  const state = states.get(port);
  if (state === undefined) throw new window.TypeError('Illegal invocation');
  return state;
}

// One half of a channel goes elsewhere.
function part(state) {
  const other = states.get(state.peer);
  state.peer = undefined;
  if (other === undefined) return;
  other.peer = undefined;
  if (other.isStarted) other.keep(other.handle);
}

function portClass(window, document) {
  const kept = new Set(); // handles of ports that stay until they are closed, or the document goes
  const keep = (handle) => {
    kept.add(handle);
    handle.keep();
  };

  class MessagePort extends window.EventTarget {
    constructor(key, handle) {
      if (key !== kMake) throw new window.TypeError('Illegal constructor');
      super();
      const state = { handle, isLeft: false, isStarted: false, peer: undefined, keep };
      states.set(this, state);
      const deliver = (init, type) => fire(window, this, messageEvent(window, init, type));
      listen(window, document, handle, deliver, () => {
        kept.delete(handle);
        if (!state.isLeft) queueTask(sources.message, () => fire(window, this, new window.Event('close')), document);
      });
    }
    postMessage(message, options) {
      const { handle } = stateOf(window, this);
      if (arguments.length === 0)
        throw new window.TypeError("Failed to execute 'postMessage' on 'MessagePort': 1 argument required, but only 0 present.");
      post(window, handle, message, options, this);
    }
    start() {
      const state = stateOf(window, this);
      if (!state.handle.isOpen()) return;
      state.isStarted = true;
      if (state.peer === undefined) keep(state.handle);
      state.handle.start();
    }
    close() {
      const state = stateOf(window, this);
      state.isLeft = true;
      state.handle.close();
    }
  }
  define(
    MessagePort.prototype,
    kTransfer,
    function () {
      const state = stateOf(window, this);
      const end = state.handle.detach();
      if (end === undefined) throw cloneError('A port in the transfer list is detached.');
      state.isLeft = true;
      part(state);
      return { data: end, deserializeInfo: 'internal/messaging/message_channel:ReceivedPort' };
    },
    false,
  );
  markTransferMode(MessagePort.prototype, false, true);
  attribute(MessagePort.prototype, 'message', (port) => port.start());
  attribute(MessagePort.prototype, 'messageerror');
  attribute(MessagePort.prototype, 'close');
  require('html/agents/discarding').onDiscard(document, () => {
    for (const handle of each([...each(kept)])) handle.close();
  });
  return MessagePort;
}

function channelClass(window, MessagePort) {
  return class MessageChannel {
    constructor() {
      const { 0: first, 1: second } = binding.channel();
      const port1 = new MessagePort(kMake, first);
      const port2 = new MessagePort(kMake, second);
      states.get(port1).peer = port2;
      states.get(port2).peer = port1;
      define(this, 'port1', port1);
      define(this, 'port2', port2);
    }
  };
}

function broadcastClass(window, origin, document, isClosing) {
  const open = new Set();

  class BroadcastChannel extends window.EventTarget {
    #name;
    #handle;
    constructor(name) {
      super();
      if (arguments.length === 0)
        throw new window.TypeError("Failed to construct 'BroadcastChannel': 1 argument required, but only 0 present.");
      this.#name = `${name}`;
      const group = require('html/network/requests').clientOf(window).group(); // who is of one origin
      this.#handle = binding.group(`page ${group} ${this.#name}`);
      const deliver = ({ data }, type) => {
        if (open.has(this.#handle)) fire(window, this, messageEvent(window, { data, origin }, type));
      };
      listen(window, document, this.#handle, deliver);
      open.add(this.#handle);
      this.#handle.keep();
      this.#handle.start();
    }
    get name() {
      return this.#name;
    }
    postMessage(message) {
      if (!open.has(this.#handle)) throw new window.DOMException('The channel is closed.', 'InvalidStateError');
      if (arguments.length === 0)
        throw new window.TypeError("Failed to execute 'postMessage' on 'BroadcastChannel': 1 argument required, but only 0 present.");
      if (isClosing())
        cloneFor(window, message); // a worker that is about to end is heard by nobody, but told of what cannot be cloned
      else post(window, this.#handle, message);
    }
    close() {
      if (open.delete(this.#handle)) this.#handle.close();
    }
  }
  attribute(BroadcastChannel.prototype, 'message');
  attribute(BroadcastChannel.prototype, 'messageerror');
  require('html/agents/discarding').onDiscard(document, () => {
    for (const handle of each([...each(open)])) handle.close();
    open.clear();
  });
  return BroadcastChannel;
}

// The three classes of a window. `isClosing()`: it is a worker's scope that has been closed.
function makeClasses(window, origin, document, isClosing) {
  const MessagePort = portClass(window, document);
  classes.set(window, MessagePort);
  return {
    MessagePort,
    MessageChannel: channelClass(window, MessagePort),
    BroadcastChannel: broadcastClass(window, origin, document, isClosing),
  };
}

module.exports = { makeClasses, makePort, listen, post, cloneFor, checkedList, inWindow };
