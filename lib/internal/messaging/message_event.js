// natives: none
// MessageEvent (https://html.spec.whatwg.org/#messageevent), for message ports, broadcast channels and user code.
'use strict';

const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { Event, enumerable, stringTag } = require('internal/events/event');

let stateOf;

class MessageEvent extends Event {
  #state;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    super(type, options);
    this.#state = {
      data: options?.data === undefined ? null : options.data,
      origin: options?.origin === undefined ? '' : `${options.origin}`,
      lastEventId: options?.lastEventId === undefined ? '' : `${options.lastEventId}`,
      source: checkedSource(options?.source),
      ports: Object.freeze(checkedPorts(options?.ports)),
    };
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
    return stateOf(this).ports;
  }

  initMessageEvent(type, bubbles = false, cancelable = false, data = null, origin = '', lastEventId = '', source = null, ports = []) {
    const state = stateOf(this);
    this.initEvent(type, bubbles, cancelable);
    Object.assign(state, { data, origin: `${origin}`, lastEventId: `${lastEventId}`, source, ports: Object.freeze([...each(ports)]) });
  }
}

function notPort(what, value) {
  const { inspect } = require('internal/util/inspect');
  return new TypeError(`MessageEvent constructor: Expected eventInitDict.${what} ("${inspect(value)}") to be an instance of MessagePort.`);
}

function checkedPorts(given) {
  if (given === undefined || given === null) return [];
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

module.exports = { MessageEvent };
