// natives: none
// BroadcastChannel (https://html.spec.whatwg.org/#broadcasting-to-other-browsing-contexts) within one thread: every
// channel of a name holds a message port; posting puts the message into each other's queue.
'use strict';

const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { EventTarget, defineEventHandler } = require('web/event_target');
const { enumerable } = require('web/event');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const channels = new Map();

let stateOf;

class BroadcastChannel extends EventTarget {
  #state;

  constructor(name) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    super();
    const { MessageChannel } = require('web/message_channel');
    const { port1, port2 } = new MessageChannel();
    this.#state = { name: `${name}`, inbox: port1, outbox: port2, closed: false };
    port1.onmessage = ({ data }) => {
      const { MessageEvent } = require('web/message_event');
      if (!this.#state.closed) this.dispatchEvent(new MessageEvent('message', { data }));
    };
    let group = channels.get(this.#state.name);
    if (group === undefined) channels.set(this.#state.name, group = new Set());
    group.add(this);
  }

  static {
    stateOf = (channel) => {
      if (typeof channel !== 'object' || channel === null || !(#state in channel)) {
        throw new ERR_INVALID_THIS('BroadcastChannel');
      }
      return channel.#state;
    };
  }

  get name() {
    return stateOf(this).name;
  }

  close() {
    const state = stateOf(this);
    if (state.closed) return;
    state.closed = true;
    const group = channels.get(state.name);
    group.delete(this);
    if (group.size === 0) channels.delete(state.name);
    state.inbox.close();
  }

  postMessage(message) {
    const state = stateOf(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('message');
    if (state.closed) {
      const { DOMException } = require('web/dom_exception');
      throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    }
    const { structuredClone } = require('web/structured_clone');
    const group = channels.get(state.name);
    if (group.size === 1) structuredClone(message);
    for (const other of each(group)) if (other !== this) stateOf(other).outbox.postMessage(message);
  }

  ref() {
    stateOf(this).inbox.ref();
    return this;
  }

  unref() {
    stateOf(this).inbox.unref();
    return this;
  }

  [kInspect](depth, options) {
    const state = stateOf(this);
    if (depth < 0) return 'BroadcastChannel';
    const { inspect } = require('internal/util/inspect');
    return `BroadcastChannel ${inspect({ name: state.name, active: !state.closed }, {
      ...options, depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }
}

enumerable(BroadcastChannel.prototype, ['name', 'close', 'postMessage']);
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

module.exports = { BroadcastChannel };
