// natives: runtime
// Makes ticks, timers, immediates, microtasks and native requests known to async hooks. Loaded by the first hook or the first
// executionAsyncId(): before that nothing here costs anything. Queues of lib/ meet it through internal/async_hooks/context,
// native requests and handles through Continuation (src/runtime/entry/continuation.h).
'use strict';

const { kTracking, setCallback, sharedState } = native('runtime');
const asyncContext = require('internal/async_hooks/context');
const ids = require('internal/async_hooks/ids');

// The record that a timer, an immediate or a native resource keeps from its making until it runs. `parent`: who brought it forth, when that
// is not who runs now.
class Task {
  constructor(type, resource, parent) {
    this.context = parent === undefined ? asyncContext.get() : parent.context;
    this.asyncId = ids.newAsyncId();
    this.triggerAsyncId = parent === undefined ? ids.currentAsyncId() : parent.asyncId;
    this.resource = resource;
    this.isDestroyed = false;
    ids.emitInit(this.asyncId, type, this.triggerAsyncId, resource);
  }
}

// A handle that is being made. A port keeps the loop alive only when told to: ref() and unref() put their answer here.
function resourceOf(type) {
  return type === 'MESSAGEPORT' ? { hasRef: () => false } : {};
}

const tracker = {
  capture: (resource, type) => new Task(type, resource),

  // A tick or a microtask: runs once.
  bind(callback, type) {
    const resource = { callback };
    const task = new Task(type, resource);
    return function (...args) {
      const outer = tracker.enter(task);
      Reflect.apply(callback, this, args);
      tracker.leave(task, outer);
      tracker.release(task);
    };
  },

  enter(task) {
    const outer = asyncContext.exchange(task instanceof Task ? task.context : task);
    asyncContext.onTaskEnd?.();
    asyncContext.onTaskEnd = null;
    if (task instanceof Task) ids.enter(task.asyncId, task.triggerAsyncId, task.resource);
    return outer;
  },

  leave(task, outer) {
    if (task instanceof Task) ids.leave(task.asyncId);
    asyncContext.exchange(outer);
  },

  // It threw: who handles the exception still runs in its scope.
  abandon(task, outer) {
    asyncContext.noteThrow(outer);
  },

  release(task) {
    if (!(task instanceof Task) || task.isDestroyed) return;
    task.isDestroyed = true;
    ids.emitDestroy(task.asyncId);
  },
};

// A call of C++ in the name of a resource; the last one ends it.
function runTracked(task, callback, isLast, ...args) {
  const outer = tracker.enter(task);
  let isDone = false;
  try {
    const result = Reflect.apply(callback, undefined, args);
    isDone = true;
    return result;
  } finally {
    if (isDone) tracker.leave(task, outer);
    else tracker.abandon(task, outer);
    if (isLast) tracker.release(task);
  }
}

function start(onMainOver) {
  asyncContext.active = true;
  asyncContext.tracker = tracker;
  setCallback('Track', (type, resource, parent) => new Task(type, resource ?? resourceOf(type), parent));
  setCallback('RunTracked', runTracked);
  setCallback('EndTracked', tracker.release);
  sharedState[kTracking] = 2;
  // The first tick queue drain after the main script ends its scope.
  asyncContext.onTaskEnd = onMainOver;
}

module.exports = { start };
