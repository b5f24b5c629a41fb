// natives: ledger
// EventTarget (https://dom.spec.whatwg.org/#interface-eventtarget) with Node's
// additions: the leak warning, weak handlers, NodeEventTarget and event-handler
// attributes. There is no tree: dispatch visits one target.
'use strict';

const ledger = native('ledger');

const {
  codes: { ERR_EVENT_RECURSION, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { hiddenSymbol } = require('internal/util/hidden_symbol');
const { validateAbortSignal, validateObject, kValidateObjectAllowObjects } = require('internal/util/validators');
const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned, kResistStopPropagation } = require('internal/symbols/events');
const { Event, CustomEvent, stateOf, kTrustEvent, enumerable, stringTag } = require('internal/events/event');

const kIsEventTarget = Symbol.for('nodejs.event_target');
const kEvents = hiddenSymbol('kEvents');
const kHandlers = hiddenSymbol('kHandlers');
const kWeakHandler = Symbol('kWeak');
const kNewListener = hiddenSymbol('kNewListener');
const kRemoveListener = hiddenSymbol('kRemoveListener');
const kCreateEvent = hiddenSymbol('kCreateEvent');
const kHybridDispatch = Symbol.for('nodejs.internal.kHybridDispatch');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

// One registration. A weak one holds its callback by WeakRef and lives while
// `options[kWeakHandler]` does.
class Listener {
  type; // a field: what a program puts on Object.prototype does not see it

  constructor(callback, options, type) {
    this.type = type;
    this.capture = options.capture;
    this.once = options.once;
    this.passive = options.passive;
    this.isNodeStyle = options.isNodeStyle;
    this.resistsStop = options.resistsStop;
    this.removed = false;
    this.weak = options.weak !== undefined;
    this.callback = this.weak ? new WeakRef(callback) : callback;
    if (this.weak) keepWhile(options.weak, callback);
  }

  get handler() {
    return this.weak ? this.callback.deref() : this.callback;
  }

  matches(callback, capture) {
    return this.capture === capture && this.handler === callback;
  }
}

// Ties the life of a weak callback to the object it works for.
const weakHolds = new WeakMap();
function keepWhile(owner, callback) {
  const held = weakHolds.get(owner);
  if (held === undefined) weakHolds.set(owner, [callback]);
  else arrayPush.call(held, callback);
}

function isEventTarget(value) {
  return value?.constructor?.[kIsEventTarget] === true || (value !== null && typeof value === 'object' && kEvents in value);
}

function requireTarget(value) {
  if (!isEventTarget(value) || value[kEvents] === undefined) throw new ERR_INVALID_THIS('EventTarget');
}

const kPlainOptions = {
  once: false,
  capture: false,
  passive: false,
  signal: undefined,
  isNodeStyle: false,
  resistsStop: false,
  weak: undefined,
};

function listenerOptions(options) {
  if (typeof options === 'boolean') return { ...kPlainOptions, capture: options };
  if (options == null) return kPlainOptions;
  validateObject(options, 'options', kValidateObjectAllowObjects);
  return {
    once: !!options.once,
    capture: !!options.capture,
    passive: !!options.passive,
    signal: options.signal,
    isNodeStyle: !!options[kIsNodeStyle],
    resistsStop: options[kResistStopPropagation] ?? false,
    weak: options[kWeakHandler],
  };
}

const kIsNodeStyle = Symbol('kIsNodeStyleListener');

function isUsableListener(listener) {
  if (typeof listener === 'function' || (typeof listener === 'object' && listener !== null)) return true;
  if (listener == null) return false;
  throw new ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
}

function warnUseless(target, type, listener) {
  const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
  warning.name = 'AddEventListenerArgumentTypeWarning';
  warning.target = target;
  warning.type = type;
  process.emitWarning(warning);
}

function warnLeak(target, size, type) {
  const { inspect } = require('internal/util/inspect');
  const max = target[kMaxEventTargetListeners];
  const warning = new Error(
    `Possible EventTarget memory leak detected. ${size} ${type} listeners added to ` +
      `${inspect(target, { depth: -1 })}. MaxListeners is ${max}. Use events.setMaxListeners() to increase limit`,
  );
  warning.name = 'MaxListenersExceededWarning';
  warning.target = target;
  warning.type = type;
  warning.count = size;
  process.emitWarning(warning);
}

// Errors of listeners surface as uncaught exceptions, after the dispatch.
function reportLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

function callListener(listener, target, argument) {
  const callback = listener.handler;
  if (callback === undefined) return;
  if (ledger.enabled) ledger.ran(callback);
  let result;
  if (typeof callback === 'function') {
    result = call1(callback, target, argument);
  } else {
    const { handleEvent } = callback;
    if (typeof handleEvent !== 'function') {
      throw new TypeError('The "handleEvent" property must be of type function.');
    }
    result = call1(handleEvent, callback, argument);
  }
  if (result !== undefined && result !== null && typeof result.then === 'function') {
    result.then(undefined, reportLater); // the program's: what a listener returned
  }
}

// Spec: "inner invoke", over a copy of the list. `eventValue` is what node-style
// listeners get instead of an event.
function invoke(target, type, event, eventValue) {
  const list = target[kEvents].get(type);
  if (list === undefined || list.length === 0) return;
  if (list.length === 1 && event === undefined) return invokeAlone(target, type, list[0], eventValue);
  let state = event === undefined ? undefined : stateOf(event);
  let isOurs = false;
  for (const listener of each([...each(list)])) {
    if (listener.removed) continue;
    if (state !== undefined && state.stopImmediate && !listener.resistsStop) continue;
    if (listener.once) removeListener(target, listener);
    let argument = eventValue;
    if (!listener.isNodeStyle) {
      if (event === undefined) {
        event = target[kCreateEvent](eventValue, type);
        state = begin(event, target);
        isOurs = true;
      }
      argument = event;
    }
    if (listener.passive && state !== undefined) state.inPassiveListener = true;
    try {
      callListener(listener, target, argument);
    } catch (error) {
      reportLater(error);
    }
    if (listener.passive && state !== undefined) state.inPassiveListener = false;
  }
  if (isOurs) state.dispatching = false;
}

function begin(event, target) {
  const state = stateOf(event);
  state.target = target;
  state.dispatching = true;
  return state;
}

// The usual listener of a port, without others beside it: the list is not copied, and a node-style one needs no event.
function invokeAlone(target, type, listener, value) {
  if (listener.once) removeListener(target, listener);
  let argument = value,
    state;
  if (!listener.isNodeStyle) {
    argument = target[kCreateEvent](value, type);
    state = begin(argument, target);
    state.inPassiveListener = listener.passive;
  }
  try {
    callListener(listener, target, argument);
  } catch (error) {
    reportLater(error);
  }
  if (state === undefined) return;
  state.inPassiveListener = false;
  state.dispatching = false;
}

function removeListener(target, listener) {
  const list = target[kEvents].get(listener.type);
  const index = arrayIndexOf.call(list, listener);
  if (index === -1) return;
  arraySplice.call(list, index, 1);
  listener.removed = true;
  if (list.length === 0) target[kEvents].delete(listener.type);
  target[kRemoveListener](list.length, listener.type, listener.handler, listener.capture);
}

function dropDead(list) {
  for (let i = list.length - 1; i >= 0; i--) {
    if (list[i].handler === undefined) {
      list[i].removed = true;
      arraySplice.call(list, i, 1);
    }
  }
}

class EventTarget {
  static [kIsEventTarget] = true;

  constructor() {
    initEventTarget(this);
  }

  addEventListener(type, listener, options = undefined) {
    requireTarget(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    const read = listenerOptions(options);
    const { signal } = read;
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (signal === null) throw new ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal);
    if (!isUsableListener(listener)) {
      warnUseless(this, type, listener);
      return;
    }
    type = `${type}`;
    if (signal !== undefined) {
      if (signal.aborted) return;
      signal.addEventListener('abort', () => this.removeEventListener(type, listener, options), {
        once: true,
        [kWeakHandler]: this,
        [kResistStopPropagation]: true,
      });
    }
    let list = this[kEvents].get(type);
    if (list === undefined) this[kEvents].set(type, (list = []));
    if (arraySome.call(list, (existing) => existing.matches(listener, read.capture))) return;
    dropDead(list);
    arrayPush.call(list, new Listener(listener, read, type));
    this[kNewListener](list.length, type, listener, read.once, read.capture, read.passive, read.weak !== undefined);
  }

  removeEventListener(type, listener, options = undefined) {
    requireTarget(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    if (!isUsableListener(listener)) return;
    type = `${type}`;
    const capture = typeof options === 'boolean' ? options : !!options?.capture;
    const list = this[kEvents].get(type);
    const found = list === undefined ? undefined : arrayFind.call(list, (existing) => existing.matches(listener, capture));
    if (found !== undefined) removeListener(this, found);
  }

  dispatchEvent(event) {
    requireTarget(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('event');
    if (!(event instanceof Event)) throw new ERR_INVALID_ARG_TYPE('event', 'Event', event);
    const state = stateOf(event);
    if (state.dispatching) throw new ERR_EVENT_RECURSION(event.type);
    this[kHybridDispatch](event, event.type, event);
    return event.defaultPrevented !== true;
  }

  // Dispatches an event, or a bare value to node-style listeners (ports use this).
  [kHybridDispatch](eventValue, type, event) {
    const state = event === undefined ? undefined : stateOf(event);
    if (state !== undefined) {
      state.target = this;
      state.dispatching = true;
    }
    try {
      invoke(this, type, event, eventValue);
    } finally {
      if (state !== undefined) state.dispatching = false;
    }
    return true;
  }

  [kNewListener](size, type) {
    if (this[kMaxEventTargetListeners] > 0 && size > this[kMaxEventTargetListeners] && !this[kMaxEventTargetListenersWarned]) {
      this[kMaxEventTargetListenersWarned] = true;
      warnLeak(this, size, type);
    }
  }

  [kRemoveListener]() {}

  [kCreateEvent](eventValue, type) {
    return new CustomEvent(type, { detail: eventValue });
  }

  [kInspect](depth, options) {
    const name = this.constructor.name;
    if (!isEventTarget(this) || depth < 0) return name;
    const { inspect } = require('internal/util/inspect');
    return `${name} ${inspect(
      {},
      {
        ...options,
        depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth,
      },
    )}`;
  }
}

enumerable(EventTarget.prototype, ['addEventListener', 'removeEventListener', 'dispatchEvent']);
stringTag(EventTarget, 'EventTarget');

function initEventTarget(self) {
  self[kEvents] = new Map();
  self[kMaxEventTargetListeners] = require('internal/events/events').defaultMaxListeners;
  self[kMaxEventTargetListenersWarned] = false;
  self[kHandlers] = new Map();
}

function listenersOf(target, type) {
  const list = target[kEvents]?.get(type);
  if (list === undefined) return [];
  const handlers = [];
  for (const listener of each(list)) {
    const handler = listener.handler;
    if (handler !== undefined) arrayPush.call(handlers, handler.wrapped ?? handler);
  }
  return handlers;
}

// Event-handler attributes: `target.onabort = f`
// (https://html.spec.whatwg.org/#event-handler-attributes).
function defineEventHandler(prototype, name, event = name) {
  const property = `on${name}`;
  const accessors = {
    get [property]() {
      return this[kHandlers]?.get(event)?.handler ?? null;
    },
    set [property](value) {
      const callable = typeof value === 'function' || (typeof value === 'object' && value !== null);
      let entry = this[kHandlers].get(event);
      if (entry !== undefined) {
        if (!callable) {
          this.removeEventListener(event, entry);
          this[kHandlers].delete(event);
        } else {
          entry.handler = value;
        }
        return;
      }
      if (!callable) return;
      entry = function (event) {
        if (typeof entry.handler !== 'function') return undefined;
        return call1(entry.handler, this, event);
      };
      entry.handler = value;
      this[kHandlers].set(event, entry);
      this.addEventListener(event, entry);
    },
  };
  const { get, set } = Object.getOwnPropertyDescriptor(accessors, property);
  Object.defineProperty(prototype, property, { configurable: true, enumerable: true, get, set });
}

module.exports = {
  Event,
  CustomEvent,
  EventTarget,
  get NodeEventTarget() {
    return require('internal/events/node_event_target').NodeEventTarget;
  },
  get initNodeEventTarget() {
    return require('internal/events/node_event_target').initNodeEventTarget;
  },
  defineEventHandler,
  initEventTarget,
  isEventTarget,
  listenersOf,
  kCreateEvent,
  kEvents,
  kHandlers,
  kHybridDispatch,
  kIsNodeStyleListener: kIsNodeStyle,
  kNewListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
  kMaxEventTargetListeners,
  kMaxEventTargetListenersWarned,
};
