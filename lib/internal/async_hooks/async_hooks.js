// natives: none
// node:async_hooks: AsyncLocalStorage, AsyncResource, createHook and who runs now.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const {
  codes: { ERR_ASYNC_CALLBACK, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateBoolean } = require('internal/util/validators');
const ids = require('internal/async_hooks/ids');

const kCallbacks = ['init', 'before', 'after', 'destroy', 'promiseResolve'];

class AsyncHook {
  #callbacks = { hook: this };

  constructor(options) {
    for (const name of each(kCallbacks)) {
      const callback = options[name];
      if (callback !== undefined && typeof callback !== 'function') throw new ERR_ASYNC_CALLBACK(`hook.${name}`);
      this.#callbacks[name] = callback;
    }
    const { trackPromises, promiseResolve } = options;
    this.#callbacks.trackPromises = trackPromises;
    if (trackPromises !== undefined) validateBoolean(trackPromises, 'trackPromises');
    if (trackPromises === false && promiseResolve) {
      throw new ERR_INVALID_ARG_VALUE('trackPromises', trackPromises, 'must not be false when promiseResolve is enabled');
    }
  }

  enable() {
    ids.enableHook(this.#callbacks);
    return this;
  }

  disable() {
    ids.disableHook(this.#callbacks);
    return this;
  }
}

module.exports = {
  get AsyncLocalStorage() {
    return require('internal/async_hooks/local_storage').AsyncLocalStorage;
  },
  createHook: (callbacks) => new AsyncHook(callbacks),
  executionAsyncId: ids.executionAsyncId,
  triggerAsyncId: ids.triggerAsyncId,
  executionAsyncResource: ids.executionAsyncResource,
  asyncWrapProviders: Object.freeze({ __proto__: null }),
};
addLazy(module.exports, ['AsyncResource'], () => require('internal/async_hooks/resource').AsyncResource, true);
