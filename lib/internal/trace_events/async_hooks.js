// natives: none
// The category node.async_hooks: the life of each asynchronous resource, and its callbacks.
'use strict';

const { eventWithData, kAsyncHooks } = require('internal/trace_events/events');

const types = new Map(); // id → type
let hook;

// Resources of JavaScript have callbacks on the stack, which nest; those of natives are told as Node does, by their id.
const kOnStack = ['PROMISE', 'Timeout', 'Immediate', 'TickObject', 'Microtask'];
const phaseOf = (type, begins) => {
  const isOnStack = arrayIncludes.call(kOnStack, type);
  return begins ? (isOnStack ? 'B' : 'b') : isOnStack ? 'E' : 'e';
};

function makeHook() {
  const { createHook, executionAsyncId } = require('internal/async_hooks/async_hooks');
  return createHook({
    init(asyncId, type, triggerAsyncId) {
      types.set(asyncId, type);
      eventWithData('b', kAsyncHooks, type, asyncId, { triggerAsyncId, executionAsyncId: executionAsyncId() });
    },
    before(asyncId) {
      const type = types.get(asyncId);
      if (type !== undefined) eventWithData(phaseOf(type, true), kAsyncHooks, `${type}_CALLBACK`, asyncId);
    },
    after(asyncId) {
      const type = types.get(asyncId);
      if (type !== undefined) eventWithData(phaseOf(type, false), kAsyncHooks, `${type}_CALLBACK`, asyncId);
    },
    destroy(asyncId) {
      const type = types.get(asyncId);
      if (type === undefined) return;
      types.delete(asyncId);
      eventWithData('e', kAsyncHooks, type, asyncId);
    },
  });
}

function toggle(isOn) {
  if (!isOn) {
    hook.disable();
    types.clear();
    return;
  }
  hook ??= makeHook();
  hook.enable();
}

module.exports = { toggle };
