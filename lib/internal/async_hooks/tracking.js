// natives: fs, net
// Makes ticks, timers, immediates, microtasks and native requests known to async hooks. Loaded by the first hook or the first
// executionAsyncId(): before that nothing here costs anything. Queues of lib/ meet it through internal/async_hooks/context.
'use strict';

const asyncContext = require('internal/async_hooks/context');
const ids = require('internal/async_hooks/ids');

// What a timer or an immediate keeps from its making until it runs.
class Task {
  constructor(type, resource) {
    this.context = asyncContext.get();
    this.asyncId = ids.newAsyncId();
    this.triggerAsyncId = ids.currentAsyncId();
    this.resource = resource;
    this.isDestroyed = false;
    ids.emitInit(this.asyncId, type, this.triggerAsyncId, resource);
  }
}

const tracker = {
  capture: (resource, type) => new Task(type, resource),

  // A tick or a microtask: runs once.
  bind(callback, type) {
    const resource = { callback };
    const task = new Task(type, resource);
    return function(...args) {
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
  abandon(task, outer) { asyncContext.exchange(outer); },

  release(task) {
    if (!(task instanceof Task) || task.isDestroyed) return;
    task.isDestroyed = true;
    ids.emitDestroy(task.asyncId);
  },
};

function wrapLast(binding, name, type) {
  const call = binding[name];
  if (typeof call !== 'function') return;
  binding[name] = function(...args) {
    const last = args.length - 1;
    if (last >= 0 && typeof args[last] === 'function') args[last] = ids.tracked(type(args), args[last]);
    return Reflect.apply(call, this, args);
  };
}

function trackFiles() {
  const binding = native('fs');
  const notRequests = new Set(['activeRequests', 'traceSyncCalls']);
  for (const name of Object.keys(binding)) {
    if (!notRequests.has(name) && !/watch/i.test(name)) wrapLast(binding, name, () => 'FSREQCALLBACK');
  }
}

const handleTypes = { TCP: 'TCPWRAP', Pipe: 'PIPEWRAP', TCPListener: 'TCPSERVERWRAP', PipeListener: 'PIPESERVERWRAP', ChildProcess: 'PROCESSWRAP' };

// A handle's callbacks run as the handle.
function trackCallback(handle, name, asyncId, trigger) {
  let callback;
  Object.defineProperty(handle, name, {
    __proto__: null, configurable: true, enumerable: true,
    get: () => callback,
    set(value) {
      callback = typeof value !== 'function' ? value : function(...args) {
        ids.enter(asyncId, trigger, handle);
        const result = Reflect.apply(value, this, args);
        ids.leave(asyncId);
        return result;
      };
    },
  });
}

function trackHandles() {
  const active = require('internal/process/active_resources');
  const { add, remove } = active;
  const known = new WeakMap();
  active.add = (handle) => {
    add(handle);
    const asyncId = ids.newAsyncId();
    const trigger = ids.currentAsyncId();
    known.set(handle, asyncId);
    ids.emitInit(asyncId, handleTypes[handle.constructor.name] ?? 'HANDLEWRAP', trigger, handle);
    if (typeof handle.getAsyncId === 'function') handle.getAsyncId = () => asyncId;
    for (const name of ['onread', 'onconnection']) trackCallback(handle, name, asyncId, trigger);
  };
  active.remove = (handle) => {
    remove(handle);
    if (!known.has(handle)) return;
    ids.emitDestroy(known.get(handle));
    known.delete(handle);
  };
}

function trackSockets() {
  const binding = native('net');
  const isPath = ([, address]) => typeof address === 'string' && address.includes('/');
  wrapLast(binding, 'connect', (args) => (isPath(args) ? 'PIPECONNECTWRAP' : 'TCPCONNECTWRAP'));
  wrapLast(binding, 'shutdown', () => 'SHUTDOWNWRAP');
  binding.tryBytes = () => 0;  // each write is a request now
  for (const name of ['writeBytes', 'writeMany', 'writeText']) wrapLast(binding, name, () => 'WRITEWRAP');
}

function start(onMainOver) {
  asyncContext.active = true;
  asyncContext.tracker = tracker;
  trackFiles();
  trackHandles();
  trackSockets();
  // The first tick queue drain after the main script ends its scope.
  asyncContext.onTaskEnd = onMainOver;
}

module.exports = { start };
