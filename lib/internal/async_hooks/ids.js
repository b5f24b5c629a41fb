// natives: perf, runtime
// Async ids and the stack of scopes: who runs now (executionAsyncId) and who caused it (triggerAsyncId), and the hooks of
// async_hooks.createHook. Nothing is tracked until a program asks: AsyncResource alone needs only the stack; the first hook or
// the first question starts tracking of ticks, timers, immediates and native requests (internal/async_hooks/tracking).
'use strict';

let lastId = 1;
const newAsyncId = () => ++lastId;

// The main script is scope 1, caused by nobody. Between tasks nobody runs: scope 0.
const kMain = { asyncId: 1, triggerAsyncId: 0, resource: {} };
const kNobody = { asyncId: 0, triggerAsyncId: 0, resource: {} };
let scopes = [kMain];
let current = kMain;
let isMainOver = false;

// Hooks that a hook enables or disables count when it, and all that it led to, is done.
let hooks = [];
let nextHooks = null;
let depth = 0;

function setHooks(list) {
  if (depth > 0) {
    nextHooks = list;
    return;
  }
  hooks = list;
  if (hooks.length > 0) startTracking();
  const promises = require('internal/async_hooks/promises');
  if (arraySome.call(hooks, tracksPromises)) promises.start();
  else promises.stop();
}

function enableHook(hook) {
  const list = nextHooks ?? hooks;
  if (!arrayIncludes.call(list, hook)) setHooks([...each(list), hook]);
}

function disableHook(hook) {
  setHooks(arrayFilter.call(nextHooks ?? hooks, (other) => other !== hook));
}

const tracksPromises = (hook) => hook.trackPromises !== false;
const isAny = () => true;

// A hook that throws ends the process: the state it watches could no longer be trusted.
function callHooks(name, ...args) {
  callHooksThat(isAny, name, args);
}

// Of a promise: not the hooks with trackPromises: false.
function callPromiseHooks(name, ...args) {
  if (hooks.length > 0) callHooksThat(tracksPromises, name, args);
}

function callHooksThat(isMeant, name, args) {
  depth++;
  for (const hook of each(hooks)) {
    if (hook[name] === undefined || !isMeant(hook)) continue;
    try {
      Reflect.apply(hook[name], hook.hook, args);
    } catch (error) {
      endProcess(error);
    }
  }
  leaveHooks();
}

function leaveHooks() {
  if (--depth > 0 || nextHooks === null) return;
  const list = nextHooks;
  nextHooks = null;
  setHooks(list);
}

function endProcess(error) {
  let text = error?.stack;
  if (typeof text !== 'string') {
    const shown = { message: require('internal/util/inspect').inspect(error) };
    captureStackTrace(shown, endProcess);
    text = shown.stack;
  }
  process._rawDebug(text);
  if (requireLater('internal/process/options').getOptionValue('--abort-on-uncaught-exception')) process.abort();
  process.exit(1);
}

const hasHook = (name) => hooks.length > 0 && arraySome.call(hooks, (hook) => hook[name] !== undefined);

function pushScope(asyncId, triggerAsyncId, resource) {
  current = { asyncId, triggerAsyncId, resource };
  arrayPush.call(scopes, current);
}

function enter(asyncId, triggerAsyncId, resource) {
  pushScope(asyncId, triggerAsyncId, resource);
  if (hooks.length > 0) callHooks('before', asyncId);
}

function enterPromise(asyncId, triggerAsyncId, promise) {
  pushScope(asyncId, triggerAsyncId, promise);
  callPromiseHooks('before', asyncId);
}

function leave(asyncId) {
  if (hooks.length > 0) callHooks('after', asyncId);
  popScope(asyncId);
}

function leavePromise(asyncId) {
  callPromiseHooks('after', asyncId);
  popScope(asyncId);
}

function popScope(asyncId) {
  if (current.asyncId !== asyncId) return;
  if (scopes.length > 1 || isMainOver) arrayPop.call(scopes);
  current = scopes[scopes.length - 1] ?? kNobody;
}

// An exception that was handled leaves no scope behind.
function leaveAll() {
  while (scopes.length > 0 && current !== kMain && current !== kNobody) leave(current.asyncId);
}

let isTracking = false;
function startTracking() {
  if (isTracking) return;
  isTracking = true;
  const first = native('perf').milestone('loopStart') > 0 ? lateScope() : kMain;
  require('internal/async_hooks/tracking').start(() => {
    isMainOver = true;
    if (first !== kMain && hooks.length > 0) callHooks('after', first.asyncId);
    scopes = arrayFilter.call(scopes, (scope) => scope !== first);
    current = scopes[scopes.length - 1] ?? kNobody;
    if (first !== kMain) emitDestroy(first.asyncId);
  });
}

// The task that runs when tracking starts after the main script: hooks hear of its end.
function lateScope() {
  const scope = { asyncId: newAsyncId(), triggerAsyncId: kMain.asyncId, resource: {} };
  scopes = arrayMap.call(scopes, (other) => (other === kMain ? scope : other));
  if (current === kMain) current = scope;
  const { kHasQueuedWork, sharedState } = native('runtime');
  sharedState[kHasQueuedWork] = 1; // a drain of ticks ends it
  return scope;
}

// Not by callHooks: a hook that looks at the stack finds the program's function among its ten frames (why-is-node-running does).
function emitInit(asyncId, type, triggerAsyncId, resource) {
  if (hooks.length === 0) return;
  depth++;
  for (const hook of each(hooks)) {
    if (hook.init === undefined) continue;
    try {
      call4(hook.init, hook.hook, asyncId, type, triggerAsyncId, resource);
    } catch (error) {
      endProcess(error);
    }
  }
  leaveHooks();
}

// Destroy hooks run together, before the immediates of the next check phase, or at the end of the loop, and keep nothing alive.
let destroyed = [];
let isTelling = false;
function emitDestroy(asyncId) {
  if (!hasHook('destroy')) return;
  if (arrayPush.call(destroyed, asyncId) > 1 || isTelling) return;
  require('internal/async_hooks/context').onLoopEnd = tellDestroyed;
  requireLater('internal/timers/timers').setFirstImmediate(tellDestroyed);
}

function tellDestroyed() {
  isTelling = true;
  while (destroyed.length > 0) {
    const batch = destroyed;
    destroyed = [];
    for (const asyncId of each(batch)) callHooks('destroy', asyncId);
  }
  isTelling = false;
  require('internal/async_hooks/context').onLoopEnd = null;
}

function asking(answer) {
  return () => {
    startTracking();
    return answer();
  };
}

module.exports = {
  callHooks,
  callPromiseHooks,
  disableHook,
  emitDestroy,
  emitInit,
  enableHook,
  enter,
  enterPromise,
  hasHook,
  leave,
  leaveAll,
  leavePromise,
  newAsyncId,
  currentAsyncId: () => current.asyncId,
  executionAsyncId: asking(() => current.asyncId),
  executionAsyncResource: asking(() => current.resource),
  triggerAsyncId: asking(() => current.triggerAsyncId),
};
