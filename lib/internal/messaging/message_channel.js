// natives: messaging, vm
// MessageChannel and MessagePort (https://html.spec.whatwg.org/#channel-messaging) in Node's shape. A port's native half
// receives in the poll phase, one turn a message; transferring a port moves its end of the channel, with the messages
// waiting there, to a new port.
'use strict';

const binding = native('messaging');
const active = require('internal/async_hooks/active_resources');
const {
  codes: { ERR_CLOSED_MESSAGE_PORT, ERR_CONSTRUCT_CALL_INVALID },
} = require('internal/errors/coded');
const { defineEventHandler, kCreateEvent, kHybridDispatch, kNewListener, kRemoveListener } = require('internal/events/event_target');
const { NodeEventTarget } = require('internal/events/node_event_target');
const { Event } = require('internal/events/event');
const { kClosed, kReceive, kTransfer } = require('internal/symbols/messaging');
const { invalidArgument, noteReceivedPort, post } = require('internal/messaging/post_message');
const { cloneError, markTransferMode } = require('internal/messaging/structured_clone');
const defineMethods = require('internal/util/define_methods');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMake = Symbol('make');

// Those that came with the message being dispatched.
const kNoPorts = [];
let currentPorts = kNoPorts;

let makeMessageEvent;
function messageEvent(type, data, ports) {
  makeMessageEvent ??= require('internal/messaging/message_event').makeMessageEvent;
  return makeMessageEvent(type, data, ports);
}

// --- ports

let handleOf;

class PortBase extends NodeEventTarget {
  #handle;

  constructor(token, handle) {
    if (token !== kMake) throw new ERR_CONSTRUCT_CALL_INVALID();
    super();
    this.#handle = handle;
    handle.setOwner(this, this);
  }

  static {
    handleOf = (port) => {
      if (typeof port !== 'object' || port === null || !(#handle in port)) throw new TypeError('Illegal invocation');
      return port.#handle;
    };
  }
}

markTransferMode(PortBase.prototype, false, true);

// As it stands in process.getActiveResourcesInfo().
function portName() {
  return this.hasRef() ? 'MessagePort' : undefined;
}
function refPort(handle) {
  handle.ref();
  handle[active.kResourceName] = portName;
  active.add(handle);
}
function unrefPort(handle) {
  handle.unref();
  active.remove(handle);
}

function isMessagePort(value) {
  return value instanceof MessagePort;
}

const kRefedAtClose = Symbol('kept the loop alive when it was closed');

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
    const handle = handleOf(this);
    if (arguments.length === 0) throw missingArguments();
    return post(handle, this, message, transferOrOptions);
  },

  [kReceive](data, type, ports) {
    currentPorts = ports;
    this[kHybridDispatch](data, type, undefined); // reports what listeners throw
    currentPorts = kNoPorts;
  },

  [kClosed]() {
    active.remove(handleOf(this));
    this[kRefedAtClose] = undefined;
    this[kHybridDispatch](undefined, 'close', new Event('close'));
  },

  start() {
    handleOf(this).start();
  },

  close(callback) {
    const handle = handleOf(this);
    if (typeof callback === 'function') this.once('close', callback);
    if (handle.hasRef()) this[kRefedAtClose] = true;
    handle.close();
  },

  ref() {
    refPort(handleOf(this));
  },

  unref() {
    unrefPort(handleOf(this));
  },

  // A port that is being closed answers as it was, until it is closed.
  hasRef() {
    return this[kRefedAtClose] ?? handleOf(this).hasRef();
  },

  // A port with a listener stays, as in Node, until it is closed.
  [kNewListener](size, type, ...rest) {
    Reflect.apply(NodeEventTarget.prototype[kNewListener], this, [size, type, ...each(rest)]);
    handleOf(this).keep();
    if (type !== 'message' || size !== 1) return;
    this.ref();
    this.start();
  },

  [kRemoveListener](size, type) {
    if (type !== 'message' || size !== 0) return;
    this.unref();
    handleOf(this).stop();
  },

  [kCreateEvent](data, type) {
    if (type !== 'message' && type !== 'messageerror') return call2(NodeEventTarget.prototype[kCreateEvent], this, data, type);
    return messageEvent(type, data, currentPorts);
  },

  [kTransfer]() {
    const end = handleOf(this).detach();
    active.remove(handleOf(this));
    if (end === undefined) throw cloneError('MessagePort in transfer list is already detached');
    return { data: end, deserializeInfo: 'internal/messaging/message_channel:ReceivedPort' };
  },

  [kInspect](depth, options) {
    const { inspect } = require('internal/util/inspect');
    const handle = handleOf(this);
    const shown = { active: handle.isActive(), refed: handle.hasRef() };
    for (const key of each(Object.keys(this))) shown[key] = this[key]; // not the library's own fields, whose keys are symbols
    return `MessagePort [EventTarget] ${inspect(shown, options)}`;
  },
};

MessagePort.prototype = PortBase.prototype;
Object.defineProperty(MessagePort.prototype, 'constructor', {
  configurable: true,
  enumerable: false,
  writable: true,
  value: MessagePort,
});
defineMethods(MessagePort, methods);
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');

// The receiving end of a transferred port, for structured clone.
function ReceivedPort(end) {
  const port = new PortBase(kMake, binding.attach(end));
  noteReceivedPort(port);
  return port;
}

// Its message is not that of lib/'s ERR_CONSTRUCT_CALL_REQUIRED: in Node it is C++ that refuses.
function calledWithoutNew() {
  const error = new TypeError('Cannot call constructor without `new`');
  error.code = 'ERR_CONSTRUCT_CALL_REQUIRED';
  return error;
}

// A function, because calling it without `new` has an error of Node's own.
function MessageChannel() {
  if (new.target === undefined) throw calledWithoutNew();
  const { 0: first, 1: second } = binding.channel();
  this.port1 = new PortBase(kMake, first);
  this.port2 = new PortBase(kMake, second);
}

// A BroadcastChannel's; nobody has one before its file is loaded.
let broadcastHandle = () => undefined;
function setBroadcastHandle(find) {
  broadcastHandle = find;
}

// The code that runs in each vm context that got a port: see internal/messaging/moved_port.
const contextPorts = new WeakMap();

function portsOf(context) {
  let ports = contextPorts.get(context);
  if (ports !== undefined) return ports;
  ports = native('vm').loadInContext(context, 'internal/messaging/moved_port');
  contextPorts.set(context, ports);
  return ports;
}

// The port's end of the channel gets a new port, in that context; this one is closed.
function moveMessagePortToContext(port, contextifiedSandbox) {
  if (!isMessagePort(port)) throw invalidArgument('The "port" argument must be a MessagePort instance');
  if (!isOpen(port)) throw new ERR_CLOSED_MESSAGE_PORT();
  const isObject = typeof contextifiedSandbox === 'object' && contextifiedSandbox !== null;
  const context = isObject ? requireLater('internal/vm/contexts').get(contextifiedSandbox) : undefined;
  if (context === undefined) throw invalidArgument('Invalid context argument');
  return portsOf(context.global).make(binding.attach(handleOf(port).detach()));
}

// { message } or undefined, without waiting for the loop.
function receiveMessageOnPort(port) {
  const handle = isMessagePort(port) ? handleOf(port) : broadcastHandle(port);
  if (handle === undefined) throw invalidArgument('The "port" argument must be a MessagePort instance');
  return handle.hasMessage() ? { message: handle.take() } : undefined;
}

function isOpen(port) {
  return handleOf(port).isOpen();
}

// A port from the end of a channel that came without a message.
function portOf(end) {
  return new PortBase(kMake, binding.attach(end));
}

module.exports = {
  refPort,
  unrefPort,
  MessageChannel,
  MessagePort,
  ReceivedPort,
  isMessagePort,
  isOpen,
  messageEvent,
  missingArguments,
  moveMessagePortToContext,
  portOf,
  receiveMessageOnPort,
  setBroadcastHandle,
};
