// natives: none
// The iterator helpers of Readable: map, filter, flatMap, take, drop give new
// streams; forEach, toArray, some, every, find, reduce give promises. All rest on
// map, which runs up to `concurrency` calls at a time and keeps the order.
// node/stream.js puts them on Readable.prototype.
'use strict';

const {
  AbortError,
  codes: { ERR_MISSING_ARGS, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateFunction, validateInteger, validateObject } = require('internal/util/validators');

const kSkip = Symbol('kSkip');
const kEnd = Symbol('kEnd');

function checkOptions(options) {
  if (options != null) validateObject(options, 'options');
  if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function map(fn, options) {
  validateFunction(fn, 'fn');
  checkOptions(options);
  const concurrency = options?.concurrency != null ? Math.floor(options.concurrency) : 1;
  const ahead = options?.highWaterMark != null ? Math.floor(options.highWaterMark) : concurrency - 1;
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(ahead, 'options.highWaterMark', 0);
  return new Mapping(this, fn, options?.signal, concurrency, ahead + concurrency).results();
}

// The source runs ahead of the consumer: results wait, as promises and in order,
// in `queue`. `active` counts the calls under way.
class Mapping {
  constructor(source, fn, signal, concurrency, limit) {
    this.source = source;
    this.fn = fn;
    this.outerSignal = signal;
    this.concurrency = concurrency;
    this.limit = limit;
    this.queue = [];
    this.active = 0;
    this.done = false;
    this.wakeConsumer = null;
    this.wakeSource = null;
  }

  async *results() {
    const { AbortSignal } = require('internal/events/abort');
    this.signal = AbortSignal.any(this.outerSignal ? [this.outerSignal] : []);
    this.pump();
    const queue = this.queue;
    try {
      while (true) {
        while (queue.length > 0) {
          const value = await queue[0];
          if (value === kEnd) return;
          if (this.signal.aborted) throw new AbortError();
          if (value !== kSkip) yield value;
          arrayShift.call(queue);
          this.resumeSource();
        }
        await new Promise((resolve) => {
          this.wakeConsumer = resolve;
        });
      }
    } finally {
      this.done = true;
      this.wake('wakeSource');
    }
  }

  async pump() {
    const { queue, signal } = this;
    const callOptions = { signal };
    try {
      for await (const value of this.source) {
        if (this.done) return;
        if (signal.aborted) throw new AbortError();
        let result;
        try {
          result = this.fn(value, callOptions);
          if (result === kSkip) continue;
          result = Promise.resolve(result);
        } catch (error) {
          result = Promise.reject(error);
        }
        this.active++;
        this.enqueue(result);
        this.wake('wakeConsumer');
        if (!this.done && (queue.length >= this.limit || this.active >= this.concurrency)) {
          await new Promise((resolve) => {
            this.wakeSource = resolve;
          });
        }
      }
      arrayPush.call(queue, kEnd);
    } catch (error) {
      this.enqueue(Promise.reject(error));
    } finally {
      this.done = true;
      this.wake('wakeConsumer');
    }
  }

  enqueue(promise) {
    promiseThen(
      promise,
      () => {
        this.settled();
      },
      () => {
        this.done = true;
        this.settled();
      },
    );
    arrayPush.call(this.queue, promise);
  }

  settled() {
    this.active--;
    this.resumeSource();
  }

  resumeSource() {
    if (!this.done && this.active < this.concurrency && this.queue.length < this.limit) {
      this.wake('wakeSource');
    }
  }

  wake(who) {
    const resolve = this[who];
    if (resolve === null) return;
    this[who] = null;
    resolve();
  }
}

function filter(fn, options) {
  validateFunction(fn, 'fn');
  return call2(map, this, async (value, callOptions) => ((await fn(value, callOptions)) ? value : kSkip), options);
}

function flatMap(fn, options) {
  const values = call2(map, this, fn, options);
  return (async function* flatMap() {
    for await (const value of values) yield* each(value);
  })();
}

// As the language's own iterator helpers count.
function toCount(number) {
  number = Number(number);
  if (Number.isNaN(number)) return 0;
  if (number < 0) throw new ERR_OUT_OF_RANGE('number', '>= 0', number);
  return number;
}

function drop(number, options = undefined) {
  checkOptions(options);
  number = toCount(number);
  const source = this;
  return (async function* drop() {
    if (options?.signal?.aborted) throw new AbortError();
    for await (const value of source) {
      if (options?.signal?.aborted) throw new AbortError();
      if (number-- <= 0) yield value;
    }
  })();
}

function take(number, options = undefined) {
  checkOptions(options);
  number = toCount(number);
  const source = this;
  return (async function* take() {
    if (options?.signal?.aborted) throw new AbortError();
    for await (const value of source) {
      if (options?.signal?.aborted) throw new AbortError();
      if (number-- > 0) yield value;
      if (number <= 0) return; // without asking for one more
    }
  })();
}

async function some(fn, options = undefined) {
  for await (const _ of call2(filter, this, fn, options)) return true;
  return false;
}

async function every(fn, options = undefined) {
  validateFunction(fn, 'fn');
  return !(await call2(some, this, async (...args) => !(await fn(...each(args))), options));
}

async function find(fn, options) {
  for await (const value of call2(filter, this, fn, options)) return value;
  return undefined;
}

async function forEach(fn, options) {
  validateFunction(fn, 'fn');
  const none = call2(
    map,
    this,
    async (value, callOptions) => {
      await fn(value, callOptions);
      return kSkip;
    },
    options,
  );
  for await (const _ of none);
}

async function toArray(options) {
  checkOptions(options);
  const values = [];
  for await (const value of this) {
    if (options?.signal?.aborted) throw new AbortError(undefined, { cause: options.signal.reason });
    arrayPush.call(values, value);
  }
  return values;
}

async function reduce(reducer, initialValue, options) {
  validateFunction(reducer, 'reducer');
  checkOptions(options);
  const outer = options?.signal;
  let hasValue = arguments.length > 1;
  let value = initialValue;
  if (outer?.aborted) {
    const error = new AbortError(undefined, { cause: outer.reason });
    this.once('error', () => {}); // thrown below
    await require('internal/streams/end_of_stream').finished(this.destroy(error));
    throw error;
  }
  const { AbortController } = require('internal/events/abort');
  const controller = new AbortController();
  const onAbort = () => {
    controller.abort();
  };
  outer?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of this) {
      if (outer?.aborted) throw new AbortError();
      if (hasValue) {
        value = await reducer(value, chunk, { signal: controller.signal });
      } else {
        value = chunk;
        hasValue = true;
      }
    }
    if (!hasValue) {
      const error = new ERR_MISSING_ARGS('reduce');
      error.message = 'Reduce of an empty stream requires an initial value';
      throw error;
    }
  } finally {
    outer?.removeEventListener('abort', onAbort);
    controller.abort();
  }
  return value;
}

module.exports = {
  streamReturningOperators: { drop, filter, flatMap, map, take },
  promiseReturningOperators: { every, forEach, reduce, toArray, some, find },
};
