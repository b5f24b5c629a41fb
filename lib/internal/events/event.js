// natives: none
// Event and CustomEvent (https://dom.spec.whatwg.org/#events) in Node's shape.
// Dispatch lives in event_target.js and reaches into an event through `state`.
'use strict';

const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { validateObject, kValidateObjectAllowObjectsAndNull } = require('internal/util/validators');

const kTrusted = Symbol('kTrustEvent');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

let stateOf;
let clock;
const trusted = new WeakSet();

function now() {
  clock ??= requireLater('internal/perf/clock');
  return clock.now();
}

// Everything an event knows; dispatch changes it directly.
class EventState {
  constructor(type, options) {
    this.type = type;
    this.bubbles = !!options?.bubbles;
    this.cancelable = !!options?.cancelable;
    this.composed = !!options?.composed;
    this.timeStamp = now();
    this.target = null;
    this.dispatching = false;
    this.defaultPrevented = false;
    this.stopPropagation = false;
    this.stopImmediate = false;
    this.inPassiveListener = false;
  }
}

function readIsTrusted() {
  return trusted.has(this);
}

function checkOptions(options) {
  if (options !== undefined) validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
}

class Event {
  #state;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    checkOptions(options);
    this.#state = new EventState(`${type}`, options);
    if (options?.[kTrusted]) trusted.add(this);
  }

  static {
    stateOf = (event) => {
      if (typeof event !== 'object' || event === null || !(#state in event)) throw new ERR_INVALID_THIS('Event');
      return event.#state;
    };
  }

  get isTrusted() {
    stateOf(this);
    return call0(readIsTrusted, this);
  }

  initEvent(type, bubbles = false, cancelable = false) {
    const state = stateOf(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    if (state.dispatching) return;
    state.type = `${type}`;
    state.bubbles = !!bubbles;
    state.cancelable = !!cancelable;
  }

  stopImmediatePropagation() {
    const state = stateOf(this);
    state.stopPropagation = true;
    state.stopImmediate = true;
  }

  preventDefault() {
    const state = stateOf(this);
    if (state.cancelable && !state.inPassiveListener) state.defaultPrevented = true;
  }

  get target() {
    return stateOf(this).target;
  }

  get currentTarget() {
    const state = stateOf(this);
    return state.dispatching ? state.target : null;
  }

  get srcElement() {
    return stateOf(this).target;
  }

  get type() {
    return stateOf(this).type;
  }

  get cancelable() {
    return stateOf(this).cancelable;
  }

  get defaultPrevented() {
    const state = stateOf(this);
    return state.cancelable && state.defaultPrevented;
  }

  get timeStamp() {
    return stateOf(this).timeStamp;
  }

  composedPath() {
    const state = stateOf(this);
    return state.dispatching ? [state.target] : [];
  }

  get returnValue() {
    const state = stateOf(this);
    return !state.cancelable || !state.defaultPrevented;
  }

  get bubbles() {
    return stateOf(this).bubbles;
  }

  get composed() {
    return stateOf(this).composed;
  }

  get eventPhase() {
    return stateOf(this).dispatching ? Event.AT_TARGET : Event.NONE;
  }

  get cancelBubble() {
    return stateOf(this).stopPropagation;
  }

  set cancelBubble(value) {
    const state = stateOf(this);
    if (value) state.stopPropagation = true;
  }

  stopPropagation() {
    stateOf(this).stopPropagation = true;
  }

  [kInspect](depth, options) {
    const state = stateOf(this);
    const { name } = this.constructor;
    if (depth < 0) return name;
    const { inspect } = require('internal/util/inspect');
    return `${name} ${inspect(
      {
        type: state.type,
        defaultPrevented: state.cancelable && state.defaultPrevented,
        cancelable: state.cancelable,
        timeStamp: state.timeStamp,
      },
      { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth },
    )}`;
  }

  static NONE = 0;
  static CAPTURING_PHASE = 1;
  static AT_TARGET = 2;
  static BUBBLING_PHASE = 3;
}

function enumerable(object, names) {
  for (const name of each(names)) Object.defineProperty(object, name, { enumerable: true });
}

function stringTag(Class, name) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    configurable: true,
    enumerable: false,
    writable: false,
    value: name,
  });
}

enumerable(Event.prototype, [
  'initEvent',
  'stopImmediatePropagation',
  'preventDefault',
  'target',
  'currentTarget',
  'srcElement',
  'type',
  'cancelable',
  'defaultPrevented',
  'timeStamp',
  'composedPath',
  'returnValue',
  'bubbles',
  'composed',
  'eventPhase',
  'cancelBubble',
  'stopPropagation',
  'isTrusted',
]);
stringTag(Event, 'Event');
for (const [index, name] of eachEntry(arrayEntries.call(['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE']))) {
  Object.defineProperty(Event, name, { configurable: false, enumerable: true, writable: false, value: index });
}

class CustomEvent extends Event {
  #detail;

  constructor(type, options) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    if (typeof this !== 'object' || this === null || !(#detail in this)) throw new ERR_INVALID_THIS('CustomEvent');
    return this.#detail;
  }
}

enumerable(CustomEvent.prototype, ['detail']);
stringTag(CustomEvent, 'CustomEvent');

// Events that the runtime itself fires.
function trust(event) {
  trusted.add(event);
}

module.exports = { Event, trust, CustomEvent, stateOf, kTrustEvent: kTrusted, enumerable, stringTag };
