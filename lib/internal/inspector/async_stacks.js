// natives: none
//
// Stacks across asynchronous calls, for sessions that ask for them (setAsyncCallStackDepth): where each timer, promise and request was
// started is noted by an async hook while one of them asks. A stack goes with its resource.

'use strict';

const { currentStack } = require('internal/inspector/stack');

const depths = new Map(); // session → how many stacks it wants
const stacks = new Map(); // async id → { description, callFrames, parentId }
const kMostStacks = 100_000;
let hook;

const hooks = () => require('internal/async_hooks/async_hooks');
const scriptIdOf = (url) => require('internal/inspector/debugger_engine').scriptIdOf(url);
const kDescriptions = { __proto__: null, PROMISE: 'Promise.then' };

function onInit(asyncId, type) {
  const { callFrames } = currentStack(onInit, scriptIdOf);
  const shown = arrayFilter.call(callFrames, ({ url }) => !stringStartsWith.call(url, 'node:internal/async_hooks/'));
  if (stacks.size >= kMostStacks) stacks.delete(firstKey());
  stacks.set(asyncId, { description: kDescriptions[type] ?? type, callFrames: shown, parentId: hooks().executionAsyncId() });
}

function firstKey() {
  for (const key of each(stacks.keys())) return key;
  return undefined;
}

function setDepth(session, depth) {
  if (depth > 0) depths.set(session, depth);
  else depths.delete(session);
  if (depths.size > 0 && hook === undefined) {
    hook = hooks().createHook({ init: onInit, destroy: (asyncId) => stacks.delete(asyncId) });
    hook.enable();
  } else if (depths.size === 0 && hook !== undefined) {
    hook.disable();
    hook = undefined;
    stacks.clear();
  }
}

// Runtime.StackTrace of what led to the code that runs, or undefined.
function current(session) {
  const depth = depths.get(session);
  return depth === undefined ? undefined : chain(hooks().executionAsyncId(), depth);
}

function chain(asyncId, depth) {
  const stack = stacks.get(asyncId);
  if (stack === undefined || depth === 0) return undefined;
  const parent = chain(stack.parentId, depth - 1);
  // A stack without frames of the program says nothing: the one that led to it stands for it.
  if (stack.callFrames.length === 0) return parent;
  return { description: stack.description, callFrames: stack.callFrames, ...(parent !== undefined && { parent }) };
}

module.exports = { current, setDepth };
