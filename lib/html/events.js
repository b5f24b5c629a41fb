// natives: none
// The events that a window has beyond the document's: ErrorEvent, PromiseRejectionEvent, and firing one at a target. In a window without
// a document the classes come from lib/web.
'use strict';

const { define } = require('html/agent');

// A subclass of the window's own Event whose attributes are those of its dictionary.
function eventClass(window, name, defaults) {
  const fields = new WeakMap();
  const made = {
    [name]: class extends window.Event {
      constructor(type, init = {}) {
        super(type, init);
        const values = { __proto__: null };
        for (const key of each(Object.keys(defaults))) values[key] = init?.[key] === undefined ? defaults[key] : init[key];
        fields.set(this, values);
      }
    },
  }[name];
  for (const key of each(Object.keys(defaults))) {
    Object.defineProperty(made.prototype, key, {
      __proto__: null, configurable: true, enumerable: true,
      get() { return fields.get(this)[key]; },
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
    if (!(name in window)) define(window, name, eventClass(window, name, classes[name]), false);
  }
}

// Whether nobody prevented what happens by default.
function fire(window, target, event) { return Reflect.apply(window.EventTarget.prototype.dispatchEvent, target, [event]); }

module.exports = { install, fire, eventClass };
