// natives: async_context
// The async context: one value that travels with promises (the engine carries it), ticks, timers and I/O (we carry it).
// AsyncLocalStorage (node/async_hooks) stores its map here. While `active` is false nobody ever set one, and the queues skip
// the work.
'use strict';

const { get, set } = native('async_context');

const asyncContext = {
  active: false,
  get,
  set(value) {
    asyncContext.active = true;
    set(value);
  },
  // A function that runs `callback` in the context that is current now.
  bind(callback) {
    const context = get();
    return function(...args) {
      const outer = get();
      set(context);
      try {
        return Reflect.apply(callback, this, args);
      } finally {
        set(outer);
      }
    };
  },
};

module.exports = asyncContext;
