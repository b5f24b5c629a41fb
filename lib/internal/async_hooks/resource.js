// natives: none
// AsyncResource: for libraries that queue callbacks themselves. It remembers the async
// context in which it was made and runs functions in it.
'use strict';

const {
  codes: { ERR_ASYNC_TYPE, ERR_INVALID_ASYNC_ID },
} = require('internal/errors/coded');
const { validateFunction, validateString } = require('internal/util/validators');
const asyncContext = require('internal/async_hooks/context');
const ids = require('internal/async_hooks/ids');

const kAsyncId = Symbol('async_id_symbol');
const kTriggerAsyncId = Symbol('trigger_async_id_symbol');
const kContext = Symbol('context_frame');
const kDestroyed = Symbol('destroyed');

let collected;
function destroyWhenCollected(resource, asyncId) {
  collected ??= new FinalizationRegistry(({ id, state }) => {
    if (!state.destroyed) ids.callHooks('destroy', id);
  });
  const state = { destroyed: false };
  resource[kDestroyed] = state;
  collected.register(resource, { id: asyncId, state });
}

class AsyncResource {
  constructor(type, options = {}) {
    validateString(type, 'type');
    const trigger =
      typeof options === 'number' ? options : options.triggerAsyncId === undefined ? ids.currentAsyncId() : options.triggerAsyncId;
    if (!Number.isSafeInteger(trigger) || trigger < -1) throw new ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    this[kContext] = asyncContext.get();
    const asyncId = (this[kAsyncId] = ids.newAsyncId());
    this[kTriggerAsyncId] = trigger;
    if (ids.hasHook('init')) {
      if (type.length === 0) throw new ERR_ASYNC_TYPE(type);
      ids.callHooks('init', asyncId, type, trigger, this);
    }
    if (!options.requireManualDestroy && ids.hasHook('destroy')) destroyWhenCollected(this, asyncId);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const asyncId = this[kAsyncId];
    ids.enter(asyncId, this[kTriggerAsyncId], this);
    const outer = asyncContext.get();
    asyncContext.set(this[kContext]);
    try {
      return Reflect.apply(fn, thisArg, args);
    } finally {
      asyncContext.set(outer);
      ids.leave(asyncId);
    }
  }

  emitDestroy() {
    if (this[kDestroyed] !== undefined) this[kDestroyed].destroyed = true;
    const asyncId = this[kAsyncId];
    ids.emitDestroy(asyncId);
    return this;
  }

  asyncId() {
    return this[kAsyncId];
  }
  triggerAsyncId() {
    return this[kTriggerAsyncId];
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    const bound =
      thisArg === undefined
        ? function (...args) {
            return resource.runInAsyncScope(fn, this, ...each(args));
          }
        : functionBind.call(this.runInAsyncScope, this, fn, thisArg);
    return Object.defineProperty(bound, 'length', {
      __proto__: null,
      configurable: true,
      enumerable: false,
      writable: false,
      value: fn.length,
    });
  }

  static bind(fn, type, thisArg) {
    type ||= fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

module.exports = { AsyncResource };
