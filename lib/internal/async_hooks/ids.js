// natives: none
// Async ids and the stack of scopes: who runs now (executionAsyncId) and who caused it
// (triggerAsyncId), and the hooks of async_hooks.createHook. AsyncResource feeds it.
'use strict';

let lastId = 1;
const newAsyncId = () => ++lastId;

// The main script is scope 1, caused by nobody.
const scopes = [{ asyncId: 1, triggerAsyncId: 0, resource: {} }];
const current = () => scopes[scopes.length - 1];

// Replaced, never changed, so that a hook may enable or disable others while it runs.
let hooks = [];

function enableHook(hook) {
  if (!hooks.includes(hook)) hooks = [...hooks, hook];
}

function disableHook(hook) {
  hooks = hooks.filter((other) => other !== hook);
}

// A hook that throws ends the process: the state it watches could no longer be trusted.
function callHooks(name, ...args) {
  for (const hook of hooks) {
    if (hook[name] === undefined) continue;
    try {
      Reflect.apply(hook[name], hook, args);
    } catch (error) {
      const text = typeof error?.stack === 'string' ? error.stack : require('internal/util/inspect').inspect(error);
      process._rawDebug(text);
      process.exit(1);
    }
  }
}

const hasHook = (name) => hooks.length > 0 && hooks.some((hook) => hook[name] !== undefined);

function enter(asyncId, triggerAsyncId, resource) {
  scopes.push({ asyncId, triggerAsyncId, resource });
  if (hooks.length > 0) callHooks('before', asyncId);
}

function leave(asyncId) {
  if (hooks.length > 0) callHooks('after', asyncId);
  if (scopes.length > 1) scopes.pop();
}

module.exports = {
  callHooks, disableHook, enableHook, enter, hasHook, leave, newAsyncId,
  executionAsyncId: () => current().asyncId,
  executionAsyncResource: () => current().resource,
  triggerAsyncId: () => current().triggerAsyncId,
};
