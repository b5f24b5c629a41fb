// natives: messaging
// BroadcastChannel (https://html.spec.whatwg.org/#broadcasting-to-other-browsing-contexts): a port to all others of the
// same name in the process; with { mesh: true } to all in the mesh (rondo:mesh).
'use strict';

const binding = native('messaging');
const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { EventTarget, defineEventHandler, kCreateEvent, kHybridDispatch } = require('internal/events/event_target');
const { kReceive } = require('internal/symbols/messaging');
const { enumerable } = require('internal/events/event');
const { messageEvent, refPort, setBroadcastHandle, unrefPort } = require('internal/messaging/message_channel');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

let stateOf;

class BroadcastChannel extends EventTarget {
  #state;

  constructor(name) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    super();
    const text = `${name}`;
    if (arguments[1]?.mesh === true) {
      const receive = (data, type) => this[kHybridDispatch](data, type, undefined);
      this.#state = { name: text, handle: undefined, line: requireLater('internal/mesh/mesh').joinChannel(text, receive), closed: false };
      return;
    }
    const handle = binding.group(text);
    this.#state = { name: text, handle, line: undefined, closed: false };
    handle.setOwner(this);
    refPort(handle);
    handle.start();
  }

  static {
    stateOf = (channel) => {
      if (typeof channel !== 'object' || channel === null || !(#state in channel)) {
        throw new ERR_INVALID_THIS('BroadcastChannel');
      }
      return channel.#state;
    };
    setBroadcastHandle((value) => (typeof value === 'object' && value !== null && #state in value ? value.#state.handle : undefined));
  }

  get name() {
    return stateOf(this).name;
  }

  close() {
    const state = stateOf(this);
    if (state.closed) return;
    state.closed = true;
    if (state.line !== undefined) return state.line.close();
    state.handle.stop();
    unrefPort(state.handle);
    state.handle.close();
  }

  postMessage(message) {
    const state = stateOf(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('message');
    if (state.closed) {
      const { DOMException } = require('internal/errors/dom_exception');
      throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    }
    if (state.line !== undefined) state.line.post(message);
    else state.handle.post(message);
  }

  ref() {
    const { handle, line, closed } = stateOf(this);
    if (line !== undefined) line.ref();
    else if (!closed) refPort(handle);
    return this;
  }

  unref() {
    const { handle, line } = stateOf(this);
    if (line !== undefined) line.unref();
    else unrefPort(handle);
    return this;
  }

  [kReceive](data, type) {
    this[kHybridDispatch](data, type, undefined);
  }

  [kCreateEvent](data, type) {
    return messageEvent(type, data);
  }

  [kInspect](depth, options) {
    const state = stateOf(this);
    if (depth < 0) return 'BroadcastChannel';
    const { inspect } = require('internal/util/inspect');
    return `BroadcastChannel ${inspect(
      { name: state.name, active: !state.closed },
      {
        ...options,
        depth: options.depth == null ? null : options.depth - 1,
      },
    )}`;
  }
}

enumerable(BroadcastChannel.prototype, ['name', 'close', 'postMessage']);
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

module.exports = { BroadcastChannel };
