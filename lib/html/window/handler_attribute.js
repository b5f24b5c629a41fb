// natives: none
// Event handler attributes (https://html.spec.whatwg.org/#event-handler-idl-attributes) of the interfaces that lib/html makes itself.
'use strict';

const { callScript } = require('html/agents/agent');

// Defines on${type}: one listener, at the place where it was first set. `onSet(target)` follows each assignment; `global`: the scope
// that the attribute is of, when it is called without a receiver.
function attribute(prototype, type, onSet, global) {
  const handlers = new WeakMap();
  Object.defineProperty(prototype, `on${type}`, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return handlers.get(this ?? global)?.value ?? null;
    },
    set(value) {
      const self = this ?? global;
      let entry = handlers.get(self);
      if (entry === undefined) {
        entry = { value: null };
        handlers.set(self, entry);
        self.addEventListener(type, (event) => callHandler(entry, self, type, event, global));
      }
      entry.value = typeof value === 'function' ? value : null;
      onSet?.(self);
    },
  });
}

// https://html.spec.whatwg.org/#the-event-handler-processing-algorithm: a global's error handler is told otherwise.
function callHandler(entry, self, type, event, global) {
  if (typeof entry.value !== 'function') return;
  const isSpecial = type === 'error' && self === global && event.message !== undefined;
  const args = isSpecial ? [event.message, event.filename, event.lineno, event.colno, event.error] : [event];
  if (callScript(entry.value, self, args) === isSpecial) event.preventDefault();
}

module.exports = { attribute };
