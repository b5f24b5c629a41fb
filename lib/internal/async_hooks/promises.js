// natives: none
// Promises for async hooks. The engine tells nobody of its promises, so while a hook wants them Promise.prototype.then is
// replaced: a promise is known from the first time something is chained to it. `await` does not pass here.
'use strict';

const ids = require('internal/async_hooks/ids');

const known = new WeakMap(); // promise → { asyncId, triggerAsyncId }
const standard = Promise.prototype.then;
let isOn = false;

function register(promise, parent) {
  let entry = known.get(promise);
  if (entry !== undefined) return entry;
  entry = { asyncId: ids.newAsyncId(), triggerAsyncId: parent?.asyncId ?? ids.currentAsyncId() };
  known.set(promise, entry);
  ids.emitInit(entry.asyncId, 'PROMISE', entry.triggerAsyncId, promise);
  return entry;
}

function then(onFulfilled, onRejected) {
  const parent = register(this);
  let derived;
  let entry;
  const wrap = (callback) =>
    typeof callback !== 'function'
      ? callback
      : (value) => {
          ids.enter(entry.asyncId, entry.triggerAsyncId, derived);
          try {
            return callback(value);
          } finally {
            if (ids.hasHook('promiseResolve')) ids.callHooks('promiseResolve', entry.asyncId);
            ids.leave(entry.asyncId);
          }
        };
  derived = Reflect.apply(standard, this, [wrap(onFulfilled), wrap(onRejected)]);
  entry = register(derived, parent);
  return derived;
}

function start() {
  if (isOn) return;
  isOn = true;
  Promise.prototype.then = then;
}

function stop() {
  if (!isOn) return;
  isOn = false;
  if (Promise.prototype.then === then) Promise.prototype.then = standard;
}

Object.defineProperty(then, 'name', { __proto__: null, value: 'then', configurable: true });

module.exports = { start, stop };
