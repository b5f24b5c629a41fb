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

// The context in which a callback of a queue has just thrown: the report of the exception runs in it. A microtask, which runs after
// the report, forgets it: the exception may have been caught.
let thrown;
const forgetThrown = () => {
  thrown = undefined;
};

function noteThrow(outer) {
  if (thrown === undefined) {
    thrown = get();
    queueMicrotask(forgetThrown);
  }
  set(outer);
}

const asyncContext = {
  active: false,
  tracker: null,
  onTaskEnd: null,
  onLoopEnd: null, // before 'beforeExit'
  onCapture: null, // the test runner hears of each timer that is made
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
      let isDone = false;
      try {
        const result = Reflect.apply(callback, this, args);
        isDone = true;
        return result;
      } finally {
        if (isDone) set(outer);
        else noteThrow(outer);
      }
    };
  },

  // For queues with objects of their own: capture when made; enter, then leave (or abandon, when it threw) around each run;
  // release when it will run no more.
  capture(resource, type) {
    if (asyncContext.onCapture !== null) asyncContext.onCapture(resource, type);
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
    noteThrow(outer);
  },
  noteThrow,
  // Runs `report` where the exception was thrown that it is about.
  inContextOfThrow(report) {
    const context = thrown ?? get();
    thrown = undefined;
    if (context === undefined) return report();
    const outer = exchange(context);
    try {
      return report();
    } finally {
      set(outer);
    }
  },
  release(captured) {
    asyncContext.tracker?.release(captured);
  },
};

module.exports = asyncContext;
