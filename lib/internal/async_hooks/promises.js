// natives: async_context
// Promises for async hooks. While a hook wants them, the engine's functions tell of each promise of the program: that it is made, chained
// to or awaited, that a reaction begins and ends, that it is settled (src/engine/patches/promise_functions.cpp, P7). An await is a promise
// of its own here, as in Node. Promises made before the first hook get an id when they are first met, and no init.
'use strict';

const { setPromiseHook } = native('async_context');
const ids = require('internal/async_hooks/ids');

// First argument of `tell`.
const kMade = 0;
const kChained = 1;
const kBefore = 2;
const kAfter = 3;
const kResolved = 4;

const known = new WeakMap(); // promise → Entry
const awaits = new WeakMap(); // what is suspended → the promise that stands for its await, and its Entry
const { prototype } = Promise;
const { isArray } = Array;
let collected; // FinalizationRegistry, for destroy hooks
let isOn = false;

class Entry {
  constructor(triggerAsyncId) {
    this.asyncId = ids.newAsyncId();
    this.triggerAsyncId = triggerAsyncId;
  }
}

// The module loader's promises are another class.
const isOfProgram = (promise) => objectIsPrototypeOf.call(prototype, promise);

function entryOf(promise) {
  let entry = known.get(promise);
  if (entry === undefined) {
    entry = new Entry(ids.currentAsyncId());
    known.set(promise, entry);
  }
  return entry;
}

function init(promise, parent) {
  const entry = new Entry(parent === undefined ? ids.currentAsyncId() : entryOf(parent).asyncId);
  known.set(promise, entry);
  ids.callPromiseHooks('init', entry.asyncId, 'PROMISE', entry.triggerAsyncId, promise);
  if (ids.hasHook('destroy')) {
    collected ??= new FinalizationRegistry((asyncId) => ids.callPromiseHooks('destroy', asyncId));
    collected.register(promise, entry.asyncId);
  }
  return entry;
}

function chained(parent, derived, suspended) {
  if (parent !== undefined && !isOfProgram(parent)) return;
  const promise = isOfProgram(derived) ? derived : derived.promise;
  if (promise === undefined || !isOfProgram(promise)) return;
  if (suspended !== undefined) awaits.set(suspended, { entry: init(promise, parent), promise });
  else if (!known.has(promise)) init(promise, parent);
}

// `target`: a promise, a capability, or what goes on after an await, perhaps in an array with the async context behind it.
function before(target) {
  if (target === undefined) return undefined;
  const suspended = isArray(target) ? target[0] : target;
  if (suspended === undefined) return undefined;
  const found = awaits.get(suspended);
  const promise = found?.promise ?? (isOfProgram(suspended) ? suspended : suspended.promise);
  if (promise === undefined || !isOfProgram(promise)) return undefined;
  const { asyncId, triggerAsyncId } = found?.entry ?? entryOf(promise);
  if (found !== undefined) awaits.delete(suspended);
  ids.enterPromise(asyncId, triggerAsyncId, promise);
  return { asyncId, isAwait: found !== undefined };
}

// `entered`: the result of before().
function after(entered) {
  if (entered === undefined) return;
  const { asyncId, isAwait } = entered;
  if (isAwait) ids.callPromiseHooks('promiseResolve', asyncId);
  ids.leavePromise(asyncId);
}

function resolved(promise) {
  if (isOfProgram(promise)) ids.callPromiseHooks('promiseResolve', entryOf(promise).asyncId);
}

function tell(what, first, second, third) {
  if (what === kBefore) return before(first);
  if (what === kAfter) after(first);
  else if (what === kChained) chained(first, second, third);
  else if (what === kResolved) resolved(first);
  else if (what === kMade && isOfProgram(first)) init(first, second);
  return undefined;
}

function start() {
  if (isOn) return;
  isOn = true;
  setPromiseHook(tell);
}

function stop() {
  if (!isOn) return;
  isOn = false;
  setPromiseHook(undefined);
}

// Runs `callback` as a reaction of the promise: for its unhandled rejection.
function runIn(promise, callback) {
  if (!isOn || !isOfProgram(promise)) return callback();
  const { asyncId, triggerAsyncId } = entryOf(promise);
  ids.enterPromise(asyncId, triggerAsyncId, promise);
  try {
    return callback();
  } finally {
    ids.leavePromise(asyncId);
  }
}

module.exports = { start, stop, runIn };
