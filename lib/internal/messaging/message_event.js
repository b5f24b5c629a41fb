// natives: none
// MessageEvent (https://html.spec.whatwg.org/#messageevent), for message ports, broadcast channels and user code.
'use strict';

const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { Event, enumerable, stringTag } = require('internal/events/event');

let stateOf;

// Fields of an event; `ports` is frozen when somebody asks for it.
class MessageState {
  data = null;
  origin = '';
  lastEventId = '';
  source = null;
  ports = undefined;
}

class MessageEvent extends Event {
  #state;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    super(type, options);
    this.#state = new MessageState();
    if (options !== undefined && options !== null) readOptions(this.#state, options);
  }

  static {
    stateOf = (event) => {
      if (typeof event !== 'object' || event === null || !(#state in event)) throw new ERR_INVALID_THIS('MessageEvent');
      return event.#state;
    };
  }

  get data() {
    return stateOf(this).data;
  }

  get origin() {
    return stateOf(this).origin;
  }

  get lastEventId() {
    return stateOf(this).lastEventId;
  }

  get source() {
    return stateOf(this).source;
  }

  get ports() {
    const state = stateOf(this);
    state.ports ??= [];
    return Object.freeze(state.ports);
  }

  initMessageEvent(type, bubbles = false, cancelable = false, data = null, origin = '', lastEventId = '', source = null, ports = []) {
    const state = stateOf(this);
    this.initEvent(type, bubbles, cancelable);
    Object.assign(state, { data, origin: `${origin}`, lastEventId: `${lastEventId}`, source, ports: [...each(ports)] });
  }
}

function readOptions(state, options) {
  const { data, origin, lastEventId, source, ports } = options;
  if (data !== undefined) state.data = data;
  if (origin !== undefined) state.origin = `${origin}`;
  if (lastEventId !== undefined) state.lastEventId = `${lastEventId}`;
  state.source = checkedSource(source);
  state.ports = checkedPorts(ports);
}

// An event for a message of the library's own, whose ports need no check.
function makeMessageEvent(type, data, ports) {
  const event = new MessageEvent(type);
  const state = stateOf(event);
  if (data !== undefined) state.data = data;
  state.ports = ports;
  return event;
}

function notPort(what, value) {
  const { inspect } = require('internal/util/inspect');
  return new TypeError(`MessageEvent constructor: Expected eventInitDict.${what} ("${inspect(value)}") to be an instance of MessagePort.`);
}

function checkedPorts(given) {
  if (given === undefined || given === null) return undefined;
  if (typeof given[Symbol.iterator] !== 'function') {
    const { inspect } = require('internal/util/inspect');
    throw new TypeError(`MessageEvent constructor: eventInitDict.ports (${inspect(given)}) is not iterable.`);
  }
  const { MessagePort } = require('internal/messaging/message_channel');
  const ports = [...each(given)];
  arrayForEach.call(ports, (port, i) => {
    if (!(port instanceof MessagePort)) throw notPort(`ports[${i}]`, port);
  });
  return ports;
}

function checkedSource(source) {
  if (source === undefined || source === null) return null;
  const { MessagePort } = require('internal/messaging/message_channel');
  if (source instanceof MessagePort) return source;
  throw notPort('source', source);
}

enumerable(MessageEvent.prototype, ['data', 'origin', 'lastEventId', 'source', 'ports', 'initMessageEvent']);
stringTag(MessageEvent, 'MessageEvent');

module.exports = { MessageEvent, makeMessageEvent };
