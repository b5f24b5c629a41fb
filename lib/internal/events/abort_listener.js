// natives: none
// events.addAbortListener: a one-time abort listener that no other listener can suppress,
// given back as a Disposable. Used by streams, timers/promises and the events helpers.
'use strict';

const { validateAbortSignal, validateFunction } = require('internal/util/validators');
const { kResistStopPropagation } = require('internal/symbols/events');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');

  let remove;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, { __proto__: null, once: true, [kResistStopPropagation]: true });
    remove = () => signal.removeEventListener('abort', listener);
  }
  return {
    __proto__: null,
    [Symbol.dispose]() {
      remove?.();
    },
  };
}

module.exports = { addAbortListener };
