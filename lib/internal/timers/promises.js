// natives: none
// node:timers/promises: timers as promises and an async iterator, with AbortSignal, and `scheduler`.
'use strict';

const timers = require('internal/timers/timers');
const {
  AbortError,
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS },
} = require('internal/errors/coded');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject } = require('internal/util/validators');
const { kResistStopPropagation } = require('internal/symbols/events');

// { signal, ref } of the options, checked.
function readOptions(options) {
  validateObject(options, 'options');
  const { signal, ref = true } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  validateBoolean(ref, 'options.ref');
  return { signal, ref };
}

function abortReason(signal) {
  return new AbortError(undefined, { cause: signal.reason });
}

// The promise of a timer that `start` begins; `cancel` undoes it.
function once(options, start, cancel) {
  let read;
  try {
    read = readOptions(options);
  } catch (error) {
    return Promise.reject(error);
  }
  const { signal, ref } = read;
  if (signal?.aborted) return Promise.reject(abortReason(signal));
  const { promise, resolve, reject } = Promise.withResolvers();
  let onAbort;
  const timer = start((value) => {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    resolve(value);
  });
  if (!ref) timer.unref();
  if (signal) {
    onAbort = () => {
      cancel(timer);
      reject(abortReason(signal));
    };
    signal.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
  }
  return promise;
}

function setTimeout(delay, value, options = { __proto__: null }) {
  try {
    if (delay !== undefined) validateNumber(delay, 'delay');
  } catch (error) {
    return Promise.reject(error);
  }
  return once(options, (done) => timers.setTimeout(done, delay, value), timers.clearTimeout);
}

function setImmediate(value, options = { __proto__: null }) {
  return once(options, (done) => timers.setImmediate(done, value), timers.clearImmediate);
}

async function* setInterval(delay, value, options = { __proto__: null }) {
  if (delay !== undefined) validateNumber(delay, 'delay');
  const { signal, ref } = readOptions(options);
  if (signal?.aborted) throw abortReason(signal);
  let onAbort, interval;
  try {
    let missed = 0;
    let wake;
    interval = timers.setInterval(() => {
      missed++;
      wake?.();
      wake = undefined;
    }, delay);
    if (!ref) interval.unref();
    if (signal) {
      onAbort = () => {
        timers.clearInterval(interval);
        wake?.(Promise.reject(abortReason(signal)));
        wake = undefined;
      };
      signal.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
    }
    while (!signal?.aborted) {
      if (missed === 0)
        await new Promise((resolve) => {
          wake = resolve;
        });
      for (; missed > 0; missed--) yield value;
    }
    throw abortReason(signal);
  } finally {
    timers.clearInterval(interval);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

const kMake = Symbol('make');

// https://github.com/WICG/scheduling-apis, the two parts Node has.
class Scheduler {
  #brand = true;

  constructor(token) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    if (typeof this !== 'object' || this === null || !(#brand in this)) throw new ERR_INVALID_THIS('Scheduler');
    return setImmediate();
  }

  wait(delay, options) {
    if (typeof this !== 'object' || this === null || !(#brand in this)) throw new ERR_INVALID_THIS('Scheduler');
    return setTimeout(delay, undefined, options);
  }
}

for (const name of each(['yield', 'wait'])) Object.defineProperty(Scheduler.prototype, name, { enumerable: true });

module.exports = { setTimeout, setImmediate, setInterval, scheduler: new Scheduler(kMake) };
