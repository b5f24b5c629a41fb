// natives: messaging
// MessageChannel and MessagePort (https://html.spec.whatwg.org/#channel-messaging) within one thread, in Node's shape.
// A port holds an endpoint; transferring a port moves the endpoint, with the messages waiting in it, to a new port.
// Messages are structured clones, delivered in the poll phase, one turn each.
'use strict';

const binding = native('messaging');
const {
  codes: {
    ERR_CONSTRUCT_CALL_INVALID, ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS,
  },
} = require('internal/errors/coded');
const {
  defineEventHandler, kCreateEvent, kHybridDispatch, kNewListener, kRemoveListener,
} = require('web/event_target');
const { NodeEventTarget } = require('web/node_event_target');
const { Event } = require('web/event');
const { kTransfer } = require('internal/messaging/symbols');
const { serialize, deserialize, markTransferMode, cloneError } = require('web/structured_clone');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMake = Symbol('make');

// --- endpoints: what is left of a port when its object has been transferred

class Endpoint {
  constructor() {
    this.peer = null;
    this.queue = [];        // serialised messages, in order of sending
    this.port = null;       // the MessagePort that holds it now
    this.receiving = false; // started
    this.closed = false;
    this.closePending = false;
    this.scheduled = false;
    this.left = Infinity;   // messages that will still be delivered, once close() was called here
  }
}

// Endpoints with something to deliver, in order of arrival.
const ready = [];
const inTransit = new Map();
let nextTransit = 1;
let alive = 0;

function changeAlive(by) {
  const before = alive > 0;
  alive += by;
  if (before !== alive > 0) binding.keepAlive(alive > 0);
}

function schedule(endpoint) {
  if (endpoint.scheduled) return;
  endpoint.scheduled = true;
  ready.push(endpoint);
  binding.wake();
}

// One message or one close event; false when nothing is left. The native half calls it once a turn.
function deliverOne() {
  while (ready.length > 0) {
    const endpoint = ready[0];
    if (endpoint.queue.length > 0 && endpoint.left > 0 && endpoint.receiving && !endpoint.closed) {
      endpoint.left--;
      dispatchMessage(endpoint);
      return true;
    }
    ready.shift();
    endpoint.scheduled = false;
    if (endpoint.closePending) {
      finishClose(endpoint);
      return true;
    }
  }
  return false;
}

binding.setDeliver(deliverOne);

function dispatchMessage(endpoint) {
  const { port } = endpoint;
  const message = endpoint.queue.shift();
  let data, type = 'message';
  const ports = [];
  const previous = receivedPorts;
  receivedPorts = ports;
  try {
    data = deserialize(message);
  } catch (error) {
    data = error;
    type = 'messageerror';
  } finally {
    receivedPorts = previous;
  }
  currentPorts = ports;
  try {
    port[kHybridDispatch](data, type, undefined);
  } finally {
    currentPorts = [];
  }
}

// Ports that arrive with the message being read.
let receivedPorts = [];
let currentPorts = [];

function beginClose(endpoint) {
  if (endpoint.closed || endpoint.closePending) return;
  endpoint.closePending = true;
  changeAlive(1);
  schedule(endpoint);
}

function finishClose(endpoint) {
  endpoint.closePending = false;
  endpoint.closed = true;
  changeAlive(-1);
  endpoint.queue = [];
  const { peer, port } = endpoint;
  endpoint.peer = null;
  if (peer !== null) {
    peer.peer = null;
    beginClose(peer);
  }
  if (port !== null) {
    unrefPort(port);
    port[kHybridDispatch](undefined, 'close', new Event('close'));
  }
}

// --- ports

let endpointOf, takeEndpoint, giveEndpoint, isRefed, setRefed;

function unrefPort(port) {
  if (!isRefed(port)) return;
  setRefed(port, false);
  changeAlive(-1);
}

class PortBase extends NodeEventTarget {
  #endpoint = null;
  #refed = false;

  constructor(token) {
    if (token !== kMake) throw new ERR_CONSTRUCT_CALL_INVALID();
    super();
    markTransferMode(this, false, true);
  }

  static {
    endpointOf = (port) => {
      if (typeof port !== 'object' || port === null || !(#endpoint in port)) throw new ERR_INVALID_THIS('MessagePort');
      return port.#endpoint;
    };
    giveEndpoint = (port, endpoint) => {
      port.#endpoint = endpoint;
      endpoint.port = port;
    };
    takeEndpoint = (port) => {
      const endpoint = port.#endpoint;
      port.#endpoint = null;
      if (endpoint !== null) endpoint.port = null;
      return endpoint;
    };
    isRefed = (port) => port.#refed;
    setRefed = (port, value) => { port.#refed = value; };
  }
}

function isMessagePort(value) {
  return value instanceof MessagePort;
}

function transferListOf(options) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('transferList', 'Array', options);
  }
  if (typeof options[Symbol.iterator] === 'function') {
    return sequenceOf(options, 'Optional transferList argument must be an iterable');
  }
  const { transfer } = options;
  if (transfer === undefined) return undefined;
  return sequenceOf(transfer, 'Optional options.transfer argument must be an iterable');
}

function sequenceOf(value, complaint) {
  if (typeof value !== 'object' || value === null) throw invalidArgument(complaint);
  if (Array.isArray(value)) return [...each(value)];
  const iterator = typeof value[Symbol.iterator] === 'function' ? value[Symbol.iterator]() : undefined;
  const next = iterator?.next;
  if (typeof next !== 'function') throw invalidArgument(complaint);
  const list = [];
  for (let step = next.call(iterator); !step.done; step = next.call(iterator)) list.push(step.value);
  return list;
}

function invalidArgument(message) {
  const error = new TypeError(message);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function checkTransferredPorts(list) {
  const seen = new Set();
  for (const item of each(list)) {
    if (!isMessagePort(item)) continue;
    if (seen.has(item)) throw cloneError('Transfer list contains duplicate MessagePort');
    seen.add(item);
    const endpoint = endpointOf(item);
    if (endpoint === null || endpoint.closed || endpoint.closePending) {
      throw cloneError('MessagePort in transfer list is already detached');
    }
  }
}

function missingArguments() {
  const error = new TypeError('Not enough arguments to MessagePort.postMessage');
  error.code = 'ERR_MISSING_ARGS';
  return error;
}

// new MessagePort() is an error for everyone; the library makes ports through kMake.
function MessagePort(token) {
  if (token !== kMake || new.target === undefined) throw new ERR_CONSTRUCT_CALL_INVALID();
  return Reflect.construct(PortBase, [kMake], new.target);
}
Object.setPrototypeOf(MessagePort, NodeEventTarget);

const methods = {
  postMessage(message, transferOrOptions) {
    if (arguments.length === 0) throw missingArguments();
    const endpoint = endpointOf(this);
    if (transferOrOptions !== null && transferOrOptions !== undefined && typeof transferOrOptions !== 'object') {
      throw invalidArgument('Optional transferList argument must be an iterable');
    }
    const list = transferListOf(transferOrOptions);
    if (list !== undefined && list.includes(this)) throw cloneError('Transfer list contains source port');
    checkTransferredPorts(list ?? []);
    if (endpoint === null || endpoint.closed) {
      // A closed port still says what cannot be cloned.
      serialize(message, list);
      return;
    }
    const sendsPeer = list !== undefined && endpoint.peer !== null && list.includes(endpoint.peer.port);
    const sent = serialize(message, list);
    const { peer } = endpoint;
    if (sendsPeer) {
      process.emitWarning('The target port was posted to itself, and the communication channel was lost');
      beginClose(endpoint);
      return;
    }
    if (peer === null) return;
    peer.queue.push(sent);
    if (peer.receiving) schedule(peer);
  },

  start() {
    const endpoint = endpointOf(this);
    if (endpoint === null || endpoint.closed || endpoint.receiving) return;
    endpoint.receiving = true;
    if (endpoint.queue.length > 0) schedule(endpoint);
  },

  close(callback) {
    const endpoint = endpointOf(this);
    if (typeof callback === 'function') this.once('close', callback);
    if (endpoint === null) return;
    // What has arrived by now is still delivered; what comes later is not.
    endpoint.left = Math.min(endpoint.left, endpoint.queue.length);
    beginClose(endpoint);
  },

  ref() {
    const endpoint = endpointOf(this);
    if (endpoint === null || endpoint.closed || isRefed(this)) return;
    setRefed(this, true);
    changeAlive(1);
  },

  unref() {
    endpointOf(this);
    unrefPort(this);
  },

  hasRef() {
    endpointOf(this);
    return isRefed(this);
  },

  [kNewListener](size, type, ...rest) {
    NodeEventTarget.prototype[kNewListener].call(this, size, type, ...each(rest));
    if (type !== 'message' || size !== 1) return;
    this.ref();
    this.start();
  },

  [kRemoveListener](size, type) {
    if (type !== 'message' || size !== 0) return;
    this.unref();
    const endpoint = endpointOf(this);
    if (endpoint !== null) endpoint.receiving = false;
  },

  [kCreateEvent](data, type) {
    if (type !== 'message' && type !== 'messageerror') return NodeEventTarget.prototype[kCreateEvent].call(this, data, type);
    const { MessageEvent } = require('web/message_event');
    return new MessageEvent(type, { data, ports: currentPorts });
  },

  [kTransfer]() {
    const endpoint = takeEndpoint(this);
    unrefPort(this);
    if (endpoint === null) throw cloneError('MessagePort in transfer list is already detached');
    endpoint.receiving = false;
    const id = nextTransit++;
    inTransit.set(id, endpoint);
    return { data: id, deserializeInfo: 'web/message_channel:ReceivedPort' };
  },

  [kInspect](depth, options) {
    const { inspect } = require('internal/util/inspect');
    const endpoint = endpointOf(this);
    const shown = Object.assign({ active: endpoint !== null && !endpoint.closed, refed: isRefed(this) }, this);
    return `MessagePort [EventTarget] ${inspect(shown, options)}`;
  },
};

MessagePort.prototype = PortBase.prototype;
Object.defineProperty(MessagePort.prototype, 'constructor', {
  configurable: true, enumerable: false, writable: true, value: MessagePort,
});
for (const key of each(Reflect.ownKeys(methods))) {
  Object.defineProperty(MessagePort.prototype, key, {
    configurable: true, enumerable: typeof key === 'string', writable: true, value: methods[key],
  });
}
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');

function makePort(endpoint) {
  const port = new PortBase(kMake);
  giveEndpoint(port, endpoint);
  return port;
}

// What structured clone makes of a transferred port.
function ReceivedPort(id) {
  const endpoint = inTransit.get(id);
  inTransit.delete(id);
  const port = makePort(endpoint);
  receivedPorts.push(port);
  return port;
}

// A function, because calling it without `new` has an error of Node's own.
function MessageChannel() {
  if (new.target === undefined) throw new ERR_CONSTRUCT_CALL_REQUIRED('MessageChannel');
  const first = new Endpoint(), second = new Endpoint();
  first.peer = second;
  second.peer = first;
  this.port1 = makePort(first);
  this.port2 = makePort(second);
}

// { message } or undefined, without waiting for the loop.
function receiveMessageOnPort(port) {
  if (!isMessagePort(port)) {
    throw invalidArgument('The "port" argument must be a MessagePort instance');
  }
  const endpoint = endpointOf(port);
  if (endpoint === null || endpoint.queue.length === 0) return undefined;
  return { message: deserialize(endpoint.queue.shift()) };
}

module.exports = { MessageChannel, MessagePort, ReceivedPort, receiveMessageOnPort, isMessagePort };
