// natives: none
//
// v8.promiseHooks, over the hooks of node:async_hooks: each promise is a resource there.

'use strict';

const { createHook: createAsyncHook } = require('internal/async_hooks/async_hooks');
const { validateFunction, validateObject } = require('internal/util/validators');
const { isAsyncFunction, isPromise } = require('internal/util/types');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');

const kNames = ['init', 'before', 'after', 'settled'];
const hooks = { __proto__: null, init: new Set(), before: new Set(), after: new Set(), settled: new Set() };
const promises = new Map(); // async id → the promise, weakly
let isOn = false;

function tell(name, promise, parent) {
  if (promise === undefined) return;
  for (const hook of each(Array.from(hooks[name]))) hook(promise, parent);
}

function promiseOf(id) {
  return promises.get(id)?.deref();
}

const asyncHook = () =>
  createAsyncHook({
    init(id, type, trigger, resource) {
      if (type !== 'PROMISE') return;
      const promise = isPromise(resource) ? resource : resource?.promise;
      if (!isPromise(promise)) return;
      promises.set(id, new WeakRef(promise));
      tell('init', promise, promiseOf(trigger));
    },
    before: (id) => tell('before', promiseOf(id)),
    after: (id) => tell('after', promiseOf(id)),
    promiseResolve: (id) => tell('settled', promiseOf(id)),
    destroy: (id) => promises.delete(id),
  });

let enabled;
function update() {
  const isWanted = arraySome.call(kNames, (name) => hooks[name].size > 0);
  if (isWanted === isOn) return;
  isOn = isWanted;
  enabled ??= asyncHook();
  if (isOn) enabled.enable();
  else enabled.disable();
}

function add(name, hook, label) {
  validateFunction(hook, label);
  if (isAsyncFunction(hook)) throw new ERR_INVALID_ARG_TYPE(label, 'function', hook);
  hooks[name].add(hook);
  update();
  return () => {
    hooks[name].delete(hook);
    update();
  };
}

function createHook(given = {}) {
  validateObject(given, 'hook');
  const stops = [];
  for (const name of each(kNames)) {
    if (given[name] !== undefined) arrayPush.call(stops, add(name, given[name], `${name}Hook`));
  }
  return () => {
    for (const stop of each(stops)) stop();
  };
}

const promiseHooks = {
  createHook,
  onInit: (hook) => add('init', hook, 'initHook'),
  onBefore: (hook) => add('before', hook, 'beforeHook'),
  onAfter: (hook) => add('after', hook, 'afterHook'),
  onSettled: (hook) => add('settled', hook, 'settledHook'),
};

module.exports = { promiseHooks };
