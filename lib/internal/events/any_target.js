// natives: none
// The static helpers of node:events that take an EventEmitter or an EventTarget:
// once, getEventListeners, getMaxListeners, listenerCount, and adding or removing a listener
// on either kind. EventTarget itself lives in web/event_target.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateObject } = require('internal/util/validators');
const { kMaxEventTargetListeners, kResistStopPropagation } = require('internal/symbols/events');

const kOnce = { __proto__: null, once: true, [kResistStopPropagation]: true };

function wrongTarget(value, expected = ['EventEmitter', 'EventTarget']) {
  return new ERR_INVALID_ARG_TYPE('emitter', expected, value);
}

function addListenerTo(target, name, listener, flags) {
  if (typeof target.on === 'function') {
    if (flags?.once) target.once(name, listener);
    else target.on(name, listener);
  } else if (typeof target.addEventListener === 'function') {
    target.addEventListener(name, listener, flags);
  } else {
    throw wrongTarget(target, 'EventEmitter');
  }
}

function removeListenerFrom(target, name, listener, flags) {
  if (typeof target.removeListener === 'function') {
    target.removeListener(name, listener);
  } else if (typeof target.removeEventListener === 'function') {
    target.removeEventListener(name, listener, flags);
  } else {
    throw wrongTarget(target, 'EventEmitter');
  }
}

const eventTargets = () => require('internal/events/event_target');

function getEventListeners(target, type) {
  if (typeof target.listeners === 'function') return target.listeners(type);
  if (eventTargets().isEventTarget(target)) return eventTargets().listenersOf(target, type);
  throw wrongTarget(target);
}

function listenerCount(target, type) {
  if (typeof target.listenerCount === 'function') return target.listenerCount(type);
  if (eventTargets().isEventTarget(target)) return eventTargets().listenersOf(target, type).length;
  throw wrongTarget(target);
}

function getMaxListeners(target) {
  if (typeof target?.getMaxListeners === 'function') {
    return target._maxListeners ?? require('internal/events/events').defaultMaxListeners;
  }
  if (typeof target?.[kMaxEventTargetListeners] === 'number') return target[kMaxEventTargetListeners];
  throw wrongTarget(target);
}

async function once(emitter, name, options = { __proto__: null }) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });

  const { promise, resolve, reject } = Promise.withResolvers();
  const forgetSignal = () => {
    if (signal != null) removeListenerFrom(signal, 'abort', onAbort);
  };
  const onError = (error) => {
    emitter.removeListener(name, onEvent);
    forgetSignal();
    reject(error);
  };
  const onEvent = (...args) => {
    if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
    forgetSignal();
    resolve(args);
  };
  const onAbort = () => {
    removeListenerFrom(emitter, name, onEvent);
    removeListenerFrom(emitter, 'error', onError);
    reject(new AbortError(undefined, { cause: signal.reason }));
  };
  addListenerTo(emitter, name, onEvent, kOnce);
  // Only emitters give 'error' its meaning.
  if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError);
  if (signal != null) addListenerTo(signal, 'abort', onAbort, kOnce);
  return promise;
}

module.exports = {
  addListenerTo,
  getEventListeners,
  getMaxListeners,
  listenerCount,
  once,
  removeListenerFrom,
};
