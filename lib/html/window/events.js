// natives: none
// The events that a window has beyond the document's: ErrorEvent, PromiseRejectionEvent, and firing one at a target. In a window without
// a document the classes come from lib/internal.
'use strict';

const { define } = require('html/agents/agent');

// A subclass of the window's own Event whose attributes are those of its dictionary. The class is of the window's realm, and so are
// the errors that it throws by itself.
const kClass = `return { [name]: class extends Base {
  constructor(type, init = {}) {
    super(type, init);
    keep(this, init, required.find((key) => init?.[key] === undefined), TypeError);
  }
} }[name];`;

function eventClass(window, name, defaults, required = [], Base = window.Event) {
  const fields = new WeakMap();
  const keep = (event, init, missing, TypeError) => {
    if (missing !== undefined) throw new TypeError(`Failed to construct '${name}': required member ${missing} is undefined.`);
    const values = { __proto__: null };
    for (const key of each(Object.keys(defaults))) values[key] = init?.[key] === undefined ? defaults[key] : init[key];
    fields.set(event, values);
  };
  const make = require('vm').compileFunction(kClass, ['Base', 'name', 'keep', 'required'], { parsingContext: window });
  const made = make(Base, name, keep, required);
  for (const key of each(Object.keys(defaults))) {
    Object.defineProperty(made.prototype, key, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return fields.get(this)[key];
      },
    });
  }
  define(made.prototype, Symbol.toStringTag, name, false);
  return made;
}

function install(window) {
  const classes = {
    ErrorEvent: { message: '', filename: '', lineno: 0, colno: 0, error: undefined },
    MessageEvent: { data: null, origin: '', lastEventId: '', source: null, ports: [] },
    PromiseRejectionEvent: { promise: undefined, reason: undefined },
  };
  for (const name of each(Object.keys(classes))) {
    if (!(name in window) || name === 'PromiseRejectionEvent')
      define(window, name, eventClass(window, name, classes[name], name === 'PromiseRejectionEvent' ? ['promise'] : []), false);
  }
}

// A message, whose ports are a frozen array of the window's realm, and whose data may be undefined, which a dictionary makes null.
function messageEvent(window, init, type = 'message') {
  if (window.document === undefined) return new window.MessageEvent(type, init);
  const event = new window.MessageEvent(type, { ...init, ports: [] });
  const impl = require('html/document/document').implOf(event);
  impl.data = init.data;
  impl.ports = Object.freeze(window.Array.from(init.ports ?? []));
  return event;
}

// Fires an event of the loop's own. Whether nobody prevented what happens by default.
function fire(window, target, event) {
  if (window.document === undefined) {
    require('internal/events/event').trust(event);
    return Reflect.apply(window.EventTarget.prototype.dispatchEvent, target, [event]);
  }
  const { implOf } = require('html/document/document');
  const impl = implOf(event);
  impl.isTrusted = true;
  return implOf(target)._dispatch(impl);
}

module.exports = { install, fire, eventClass, messageEvent };
