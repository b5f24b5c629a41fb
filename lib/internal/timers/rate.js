// natives: none
//
// util.debounce and util.throttle: a function that is called less often than
// it is asked for. Every call gets a promise of its own; what the function
// returns, or why it was not called, arrives there.

'use strict';

const {
  AbortError,
  codes: { ERR_THROTTLED },
} = require('internal/errors/coded');
const {
  validateAbortSignal,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateObject,
  validateOneOf,
} = require('internal/util/validators');
const { TIMEOUT_MAX } = require('internal/timers/timers');

function abortError(reason) {
  return reason === undefined ? new AbortError() : new AbortError(undefined, { cause: reason });
}

function markHandled(promise) {
  promiseThen(promise, undefined, () => {});
}

function checkSignal(signal) {
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

// Common part of both: the promises of calls that wait, a timer, and the ways to stop.
class Waiting {
  calls = [];
  timer;
  #isRefed = true;
  #signal;
  #stopped;

  constructor(signal, stop) {
    this.#signal = signal;
    this.stop = stop;
    if (signal !== undefined) requireLater('internal/events/events').addAbortListener(signal, () => this.isStopped());
  }

  // Once the signal has fired every call fails, with the same error.
  isStopped() {
    if (this.#stopped === undefined && this.#signal?.aborted) {
      this.#stopped = abortError(this.#signal.reason);
      this.stop(this.#stopped);
    }
    return this.#stopped;
  }

  start(callback, delay) {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      callback();
    }, delay);
    if (!this.#isRefed) this.timer.unref();
  }

  end() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  rejectAll(error) {
    for (const call of each(arraySplice.call(this.calls, 0))) call.reject(error);
  }

  ref(is) {
    this.#isRefed = is;
    if (is) this.timer?.ref();
    else this.timer?.unref();
  }
}

// The wrapping function looks like the wrapped one, with methods.
function dress(target, original, waiting, methods, getters) {
  const all = {
    ...methods,
    ref() {
      waiting.ref(true);
      return target;
    },
    unref() {
      waiting.ref(false);
      return target;
    },
  };
  Object.assign(target, all);
  const read = { pending: () => arrayAt.call(waiting.calls, -1)?.promise ?? null, pendingCount: () => waiting.calls.length, ...getters };
  for (const name of each(Object.keys(read))) Object.defineProperty(target, name, { __proto__: null, get: read[name] });
  for (const name of each(['length', 'name'])) {
    Object.defineProperty(target, name, { __proto__: null, configurable: true, value: original[name] });
  }
  return target;
}

// Called `wait` milliseconds after the last call, with the last call's arguments.
function debounce(fn, wait, options = {}) {
  validateFunction(fn, 'fn');
  validateInteger(wait, 'wait', 0, TIMEOUT_MAX);
  validateObject(options, 'options');
  const { leading = false, rejectOnCancel = false, signal } = options;
  validateBoolean(leading, 'options.leading');
  validateBoolean(rejectOnCancel, 'options.rejectOnCancel');
  checkSignal(signal);

  let lastArguments;
  const stop = (error) => {
    if (waiting.timer === undefined) return;
    waiting.end();
    waiting.rejectAll(error);
  };
  const waiting = new Waiting(signal, stop);

  function settle(calls, parameters) {
    const stopped = waiting.isStopped();
    if (stopped !== undefined) {
      for (const call of each(calls)) call.reject(stopped);
      return;
    }
    try {
      const result = Reflect.apply(fn, debounced, parameters);
      for (const call of each(calls)) call.resolve(result);
    } catch (error) {
      for (const call of each(calls)) call.reject(error);
    }
  }

  function callNow() {
    const calls = arraySplice.call(waiting.calls, 0);
    if (calls.length > 0) settle(calls, lastArguments);
  }

  // The calls before the last one count for nothing any more; their promises follow it, or fail.
  function supersede() {
    const before = arrayAt.call(waiting.calls, -1);
    if (before !== undefined) {
      markHandled(before.promise);
      if (rejectOnCancel) waiting.rejectAll(new AbortError('The debounced call was superseded'));
    }
    waiting.timer.refresh();
  }

  function debounced(...parameters) {
    const stopped = waiting.isStopped();
    if (stopped !== undefined) return Promise.reject(stopped);
    const isFirst = waiting.timer === undefined;
    if (isFirst) waiting.start(callNow, wait);
    else supersede();
    const call = Promise.withResolvers();
    if (leading && isFirst) {
      settle([call], parameters);
    } else {
      arrayPush.call(waiting.calls, call);
      lastArguments = parameters;
    }
    return call.promise;
  }

  return dress(debounced, fn, waiting, {
    cancel(reason) {
      stop(abortError(reason));
    },
    flush() {
      if (waiting.calls.length === 0) return;
      waiting.end();
      callNow();
    },
  });
}

// How many calls began lately: in windows that follow one another, or (strict) in any window of that length.
class Rate {
  #limit;
  #interval;
  #isStrict;
  #starts = [];
  #windowStart;
  #count = 0;

  constructor(limit, interval, isStrict) {
    this.#limit = limit;
    this.#interval = interval;
    this.#isStrict = isStrict;
  }

  #renew(now) {
    if (this.#isStrict) {
      while (this.#starts.length > 0 && now - this.#starts[0] >= this.#interval) arrayShift.call(this.#starts);
    } else if (this.#windowStart === undefined || now - this.#windowStart >= this.#interval) {
      this.#windowStart = now;
      this.#count = 0;
    }
  }

  hasRoom(now) {
    this.#renew(now);
    return (this.#isStrict ? this.#starts.length : this.#count) < this.#limit;
  }

  // Looks only: a window that is over does not begin anew.
  wouldHaveRoom(now) {
    if (this.#isStrict) return arrayFilter.call(this.#starts, (start) => now - start < this.#interval).length < this.#limit;
    return this.#windowStart === undefined || now - this.#windowStart >= this.#interval || this.#count < this.#limit;
  }

  take(now) {
    if (this.#isStrict) arrayPush.call(this.#starts, now);
    else this.#count++;
  }

  delay(now) {
    return (this.#isStrict ? this.#starts[0] : this.#windowStart) + this.#interval - now;
  }

  reset() {
    this.#starts = [];
    this.#windowStart = undefined;
    this.#count = 0;
  }
}

function readThrottleOptions(options) {
  validateObject(options, 'options');
  const { concurrency = Infinity, maxPending = Infinity, overflow = 'queue', signal, strict = false } = options;
  if (concurrency !== Infinity) validateInteger(concurrency, 'options.concurrency', 1);
  if (maxPending !== Infinity) validateInteger(maxPending, 'options.maxPending', 0);
  validateOneOf(overflow, 'options.overflow', ['queue', 'drop']);
  validateAbortSignal(signal, 'options.signal');
  validateBoolean(strict, 'options.strict');
  checkSignal(signal);
  return { concurrency, maxPending, overflow, signal, strict };
}

function promiseOfCall(fn, self, parameters) {
  try {
    return Promise.resolve(Reflect.apply(fn, self, parameters));
  } catch (error) {
    return Promise.reject(error);
  }
}

// Called at most `limit` times in `interval` milliseconds; more calls wait, or are dropped.
function throttle(fn, limit, interval, options = {}) {
  validateFunction(fn, 'fn');
  validateInteger(limit, 'limit', 1);
  validateInteger(interval, 'interval', 0, TIMEOUT_MAX);
  const { concurrency, maxPending, overflow, signal, strict } = readThrottleOptions(options);

  const { now } = requireLater('internal/perf/clock');
  const rate = new Rate(limit, interval, strict);
  let active = 0;
  const stop = (error) => {
    waiting.end();
    rate.reset();
    waiting.rejectAll(error);
  };
  const waiting = new Waiting(signal, stop);

  function ended() {
    active--;
    drain();
  }

  function begin(call, time) {
    rate.take(time);
    active++;
    const result = promiseOfCall(fn, throttled, call.parameters);
    call.resolve(result);
    promiseThen(result, ended, ended);
  }

  function drain() {
    if (waiting.isStopped() !== undefined) return;
    while (waiting.calls.length > 0 && active < concurrency) {
      const time = now();
      if (!rate.hasRoom(time)) {
        if (waiting.timer === undefined) waiting.start(drain, Math.ceil(rate.delay(time)));
        return;
      }
      begin(arrayShift.call(waiting.calls), time);
    }
  }

  function drop() {
    const promise = Promise.reject(new ERR_THROTTLED());
    markHandled(promise);
    return promise;
  }

  function throttled(...parameters) {
    const stopped = waiting.isStopped();
    if (stopped !== undefined) return Promise.reject(stopped);
    const time = now();
    const isFree = waiting.calls.length === 0 && active < concurrency && rate.hasRoom(time);
    if (!isFree && (overflow === 'drop' || waiting.calls.length >= maxPending)) return drop();
    const call = { ...Promise.withResolvers(), parameters };
    if (isFree) {
      begin(call, time);
    } else {
      arrayPush.call(waiting.calls, call);
      drain();
    }
    return call.promise;
  }

  return dress(
    throttled,
    fn,
    waiting,
    {
      cancel(reason) {
        stop(abortError(reason));
      },
      hasImmediateCapacity() {
        return !signal?.aborted && waiting.calls.length === 0 && active < concurrency && rate.wouldHaveRoom(now());
      },
    },
    { activeCount: () => active },
  );
}

module.exports = { debounce, throttle };
