// natives: async_context, runtime
// The async context: one value that travels with promises (the engine carries it), ticks, timers and I/O (we carry it).
// AsyncLocalStorage (node/async_hooks) stores its map here. While `active` is false nobody ever set one and no hook listens, and
// the queues skip the work. `tracker` (internal/async_hooks/tracking) is there once hooks have to be told who runs.
'use strict';

const { get, set } = native('async_context');
const { kTracking, sharedState } = native('runtime');

function exchange(value) {
  const outer = get();
  set(value);
  return outer;
}

const asyncContext = {
  active: false,
  tracker: null,
  onTaskEnd: null,
  get,
  exchange,
  set(value) {
    if (!asyncContext.active) {
      asyncContext.active = true;
      sharedState[kTracking] ||= 1;
    }
    set(value);
  },

  // A function that runs `callback` in the context that is current now; `type` names it to hooks.
  bind(callback, type) {
    if (asyncContext.tracker !== null && type !== undefined) return asyncContext.tracker.bind(callback, type);
    const context = get();
    return function (...args) {
      const outer = exchange(context);
      try {
        return Reflect.apply(callback, this, args);
      } finally {
        set(outer);
      }
    };
  },

  // For queues with objects of their own: capture when made; enter, then leave (or abandon, when it threw) around each run;
  // release when it will run no more.
  capture(resource, type) {
    return asyncContext.tracker === null ? get() : asyncContext.tracker.capture(resource, type);
  },
  enter(captured) {
    return asyncContext.tracker === null ? exchange(captured) : asyncContext.tracker.enter(captured);
  },
  leave(captured, outer) {
    if (asyncContext.tracker === null) set(outer);
    else asyncContext.tracker.leave(captured, outer);
  },
  abandon(captured, outer) {
    set(outer);
  },
  release(captured) {
    asyncContext.tracker?.release(captured);
  },
};

module.exports = asyncContext;
