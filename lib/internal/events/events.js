// natives: ledger
// node:events: EventEmitter. One listener of a type is stored as the function itself, more
// as an array. emit walks that array in place and marks it `kWalked`; code that adds or removes
// a listener replaces a marked array by a copy, so a walk never sees a change. The helpers
// (once, on, ...) live in internal/events/.
'use strict';

const ledger = native('ledger');
let isTraced = ledger.enabled;
arrayPush.call(ledger.switches, (isOn) => {
  isTraced = isOn;
});

const {
  kCapture,
  kEnhanceStackBeforeInspector,
  kMaxEventTargetListeners,
  kMaxEventTargetListenersWarned,
} = require('internal/symbols/events');

// Every program loads this file at start, few need these.
const validators = () => require('internal/util/validators');
const helpers = () => require('internal/events/any_target');

function checkListener(listener) {
  if (typeof listener !== 'function') validators().validateFunction(listener, 'listener');
}

const kErrorMonitor = Symbol('events.errorMonitor');
const kRejection = Symbol.for('nodejs.rejection');
const kShapeMode = Symbol('shapeMode');
const kWalked = Symbol('kWalked');

let defaultMaxListeners = 10;
const noEvents = () => Object.create(null);

function EventEmitter(options) {
  call1(EventEmitter.init, this, options);
}
const proto = EventEmitter.prototype;

EventEmitter.init = function (options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = noEvents();
    this._eventsCount = 0;
    this[kShapeMode] = false;
  } else {
    // A subclass laid out `_events` itself: keep its keys, write undefined instead of deleting.
    this[kShapeMode] = true;
  }
  this._maxListeners ||= undefined;
  if (options?.captureRejections) {
    validators().validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = true;
  } else {
    this[kCapture] = proto[kCapture];
  }
};

// --- emit

function catchRejection(emitter, result, type, args) {
  try {
    const { then } = result;
    if (typeof then === 'function') {
      call2(then, result, undefined, (error) => {
        process.nextTick(reportRejection, emitter, error, type, args);
      });
    }
  } catch (error) {
    emitter.emit('error', error);
  }
}

function reportRejection(emitter, error, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](error, type, ...each(args));
    return;
  }
  // Off meanwhile: an async 'error' listener that rejects must not come back here.
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

// Handlers are called by name, since a helper in between would mix up what the compiler learns of each emitter's handlers.
const { apply, call } = functionCall; // the language's own
const Functions = Function.prototype;

function emitToMany(emitter, handlers, count, a, b, c) {
  handlers[kWalked] = true;
  const n = handlers.length;
  switch (count) {
    case 0:
    case 1:
      for (let i = 0; i < n; i++) handlers[i].call(emitter); // the program's: emit has looked
      break;
    case 2:
      for (let i = 0; i < n; i++) handlers[i].call(emitter, a); // the program's: emit has looked
      break;
    case 3:
      for (let i = 0; i < n; i++) handlers[i].call(emitter, a, b); // the program's: emit has looked
      break;
    default:
      for (let i = 0; i < n; i++) handlers[i].call(emitter, a, b, c); // the program's: emit has looked
  }
}

// 'error', many arguments, captureRejections, which looks at every result, several listeners under a trace, which is told of each, and a
// program that has replaced Function.prototype.call.
function emitSlowly(type, ...args) {
  const events = this._events;
  if (type === 'error') {
    if (events !== undefined && events[kErrorMonitor] !== undefined) this.emit(kErrorMonitor, ...each(args));
    if (events === undefined || events.error === undefined) {
      throw unhandledError(this, args[0]); // Unhandled 'error' event
    }
  }
  const handlers = events?.[type];
  if (handlers === undefined) return false;
  const list = typeof handlers === 'function' ? [handlers] : handlers;
  list[kWalked] = true;
  const capture = this[kCapture] === true;
  for (let i = 0, n = list.length; i < n; i++) {
    if (isTraced) ledger.ran(list[i]);
    const result = Reflect.apply(list[i], this, args);
    if (capture && result != null) catchRejection(this, result, type, args);
  }
  return true;
}

emitSlowly.apply = apply;

// `arguments` is only counted or passed on whole, so that the engine need not make it.
proto.emit = function emit(type, a, b, c) {
  const count = arguments.length;
  if (type === 'error' || count > 4 || this[kCapture] === true || Functions.call !== call) {
    return emitSlowly.apply(this, arguments); // the program's: its own
  }
  const events = this._events;
  if (events === undefined) return false;
  const handlers = events[type];
  if (handlers === undefined) return false;
  if (typeof handlers !== 'function') {
    if (isTraced) return emitSlowly.apply(this, arguments); // the program's: its own
    emitToMany(this, handlers, count, a, b, c);
    return true;
  }
  if (isTraced) ledger.ran(handlers);
  switch (count) {
    case 0:
    case 1:
      handlers.call(this); // the program's: seen above
      break;
    case 2:
      handlers.call(this, a); // the program's: seen above
      break;
    case 3:
      handlers.call(this, a, b); // the program's: seen above
      break;
    default:
      handlers.call(this, a, b, c); // the program's: seen above
  }
  return true;
};
Object.defineProperty(proto.emit, 'length', { __proto__: null, value: 1, configurable: true });

// Adds where 'error' was emitted to the error's stack; the fatal-error report calls this.
function stackWithEmitter(emitter, error, here) {
  let where = '';
  try {
    const { name } = emitter.constructor;
    if (name !== 'EventEmitter') where = ` on ${name} instance`;
  } catch {
    /* a hostile constructor property */
  }
  const theirs = arraySlice.call(stringSplit.call(error.stack, '\n'), 1);
  const ours = arraySlice.call(stringSplit.call(here.stack, '\n'), 1);
  const { length, offset } = require('internal/util/stack_lines').commonRun(ours, theirs);
  if (length > 0) arraySplice.call(ours, offset + 1, length - 2, '    [... lines matching original stack trace ...]');
  return `${error.stack}\nEmitted 'error' event${where} at:\n${arrayJoin.call(ours, '\n')}`;
}

function unhandledError(emitter, error) {
  if (error instanceof Error) {
    try {
      const here = {};
      captureStackTrace(here, proto.emit);
      Object.defineProperty(error, kEnhanceStackBeforeInspector, {
        __proto__: null,
        configurable: true,
        value: () => stackWithEmitter(emitter, error, here),
      });
    } catch {
      /* a frozen error */
    }
    return error;
  }
  let shown;
  try {
    shown = require('internal/util/inspect').inspect(error);
  } catch {
    shown = error;
  }
  const {
    codes: { ERR_UNHANDLED_ERROR },
  } = require('internal/errors/coded');
  const wrapped = new ERR_UNHANDLED_ERROR(shown);
  wrapped.context = error;
  return wrapped;
}

// --- adding and removing

function ownedList(events, type, list) {
  if (list[kWalked] !== true) return list;
  const copy = arraySlice.call(list);
  if (list.warned) copy.warned = true;
  return (events[type] = copy);
}

function warnOfLeak(emitter, type, list, limit) {
  list.warned = true;
  const { inspect } = require('internal/util/inspect');
  process.emitWarning(
    require('internal/errors/coded').genericNodeError(
      `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners added to ` +
        `${inspect(emitter, { depth: -1 })}. MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`,
      { name: 'MaxListenersExceededWarning', emitter, type, count: list.length },
    ),
  );
}

function add(emitter, type, listener, first) {
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = noEvents();
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    emitter.emit('newListener', type, listener.listener ?? listener);
    events = emitter._events;
  }
  let existing = events[type];
  if (existing === undefined) {
    events[type] = listener;
    ++emitter._eventsCount;
    return emitter;
  }
  if (typeof existing === 'function') {
    existing = events[type] = first ? [listener, existing] : [existing, listener];
  } else {
    existing = ownedList(events, type, existing);
    if (first) arrayUnshift.call(existing, listener);
    else arrayPush.call(existing, listener);
  }
  const limit = emitter._maxListeners ?? defaultMaxListeners;
  if (limit > 0 && existing.length > limit && !existing.warned) warnOfLeak(emitter, type, existing, limit);
  return emitter;
}

proto._events = undefined;
proto._eventsCount = 0;
proto._maxListeners = undefined;

proto.setMaxListeners = function setMaxListeners(n) {
  validators().validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

proto.getMaxListeners = function getMaxListeners() {
  return this._maxListeners ?? defaultMaxListeners;
};

proto.addListener = function addListener(type, listener) {
  checkListener(listener);
  return add(this, type, listener, false);
};
proto.on = proto.addListener;

proto.prependListener = function prependListener(type, listener) {
  checkListener(listener);
  return add(this, type, listener, true);
};

function onceWrapper(emitter, type, listener) {
  let fired = false;
  const wrapper = function () {
    if (fired) return;
    fired = true;
    emitter.removeListener(type, wrapper);
    switch (arguments.length) {
      case 0:
        return call0(listener, emitter);
      case 1:
        return call1(listener, emitter, arguments[0]);
      case 2:
        return call2(listener, emitter, arguments[0], arguments[1]);
      default:
        return Reflect.apply(listener, emitter, arguments);
    }
  };
  wrapper.listener = listener;
  return wrapper;
}

proto.once = function once(type, listener) {
  checkListener(listener);
  this.on(type, onceWrapper(this, type, listener));
  return this;
};

proto.prependOnceListener = function prependOnceListener(type, listener) {
  checkListener(listener);
  this.prependListener(type, onceWrapper(this, type, listener));
  return this;
};

const isSame = (entry, listener) => entry === listener || entry.listener === listener;

function removeOnly(emitter, events, type, entry, listener) {
  emitter._eventsCount -= 1;
  if (emitter[kShapeMode]) events[type] = undefined;
  else if (emitter._eventsCount === 0) emitter._events = noEvents();
  else delete events[type];
  if (events.removeListener !== undefined) emitter.emit('removeListener', type, entry.listener || listener);
}

proto.removeListener = function removeListener(type, listener) {
  checkListener(listener);
  const events = this._events;
  const entry = events?.[type];
  if (entry === undefined) return this;
  if (isSame(entry, listener)) {
    removeOnly(this, events, type, entry, listener);
    return this;
  }
  if (typeof entry === 'function') return this;

  let at = entry.length - 1;
  while (at >= 0 && !isSame(entry[at], listener)) at--;
  if (at < 0) return this;
  const list = ownedList(events, type, entry);
  if (at === 0) arrayShift.call(list);
  else arraySplice.call(list, at, 1);
  if (list.length === 1) events[type] = list[0];
  if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  return this;
};
proto.off = proto.removeListener;

function forgetAll(emitter) {
  emitter._events = noEvents();
  emitter._eventsCount = 0;
  emitter[kShapeMode] = false;
}

proto.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  if (events.removeListener === undefined) {
    if (arguments.length === 0) {
      forgetAll(this);
    } else if (events[type] !== undefined) {
      if (--this._eventsCount === 0) this._events = noEvents();
      else delete events[type];
    }
    this[kShapeMode] = false;
    return this;
  }
  // Somebody wants to hear of each removal: last added first, 'removeListener' itself last.
  if (arguments.length === 0) {
    for (const key of each(Reflect.ownKeys(events))) {
      if (key !== 'removeListener') this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
    forgetAll(this);
    return this;
  }
  const list = events[type];
  if (typeof list === 'function') {
    this.removeListener(type, list);
  } else if (list !== undefined) {
    const all = arraySlice.call(list);
    for (let i = all.length - 1; i >= 0; i--) this.removeListener(type, all[i]);
  }
  return this;
};

// --- questions

function listOf(emitter, type) {
  const entry = emitter._events?.[type];
  if (entry === undefined) return [];
  return typeof entry === 'function' ? [entry] : arraySlice.call(entry);
}

proto.listeners = function listeners(type) {
  const list = listOf(this, type);
  for (let i = 0; i < list.length; i++) {
    const { listener } = list[i];
    if (typeof listener === 'function') list[i] = listener;
  }
  return list;
};

proto.rawListeners = function rawListeners(type) {
  return listOf(this, type);
};

proto.listenerCount = function listenerCount(type, listener) {
  const entry = this._events?.[type];
  if (entry === undefined) return 0;
  if (typeof entry === 'function') return listener == null || isSame(entry, listener) ? 1 : 0;
  if (listener == null) return entry.length;
  let count = 0;
  for (let i = 0; i < entry.length; i++) if (isSame(entry[i], listener)) count++;
  return count;
};

proto.eventNames = function eventNames() {
  if (this._eventsCount === 0) return [];
  const events = this._events;
  return arrayFilter.call(Reflect.ownKeys(events), (key) => events[key] !== undefined);
};

Object.defineProperty(proto, kCapture, { __proto__: null, value: false, writable: true, enumerable: false });

// --- statics

function setMaxListeners(n = defaultMaxListeners, ...targets) {
  validators().validateNumber(n, 'setMaxListeners', 0);
  if (targets.length === 0) {
    defaultMaxListeners = n;
    return;
  }
  const { isEventTarget } = require('internal/events/event_target');
  for (const target of each(targets)) {
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;
      throw new ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  }
}

module.exports = EventEmitter;
EventEmitter.addAbortListener = function addAbortListener(signal, listener) {
  return require('internal/events/abort_listener').addAbortListener(signal, listener);
};
EventEmitter.once = function once(emitter, name, options = { __proto__: null }) {
  return helpers().once(emitter, name, options);
};
EventEmitter.on = function on(emitter, event, options) {
  return require('internal/events/iterator').on(emitter, event, options);
};
EventEmitter.getEventListeners = function getEventListeners(target, type) {
  return helpers().getEventListeners(target, type);
};
EventEmitter.getMaxListeners = function getMaxListeners(target) {
  return helpers().getMaxListeners(target);
};
EventEmitter.listenerCount = function listenerCount(target, type) {
  return helpers().listenerCount(target, type);
};
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;
Object.defineProperties(EventEmitter, {
  captureRejections: {
    __proto__: null,
    enumerable: true,
    get() {
      return proto[kCapture];
    },
    set(value) {
      validators().validateBoolean(value, 'EventEmitter.captureRejections');
      proto[kCapture] = value;
    },
  },
  EventEmitterAsyncResource: {
    __proto__: null,
    enumerable: true,
    configurable: true,
    set: undefined,
    get() {
      return require('internal/events/async_resource').EventEmitterAsyncResource;
    },
  },
});
EventEmitter.errorMonitor = kErrorMonitor;
Object.defineProperties(EventEmitter, {
  defaultMaxListeners: {
    __proto__: null,
    enumerable: true,
    get() {
      return defaultMaxListeners;
    },
    set(value) {
      validators().validateNumber(value, 'defaultMaxListeners', 0);
      defaultMaxListeners = value;
    },
  },
  kMaxEventTargetListeners: { __proto__: null, value: kMaxEventTargetListeners },
  kMaxEventTargetListenersWarned: { __proto__: null, value: kMaxEventTargetListenersWarned },
});
EventEmitter.setMaxListeners = setMaxListeners;
