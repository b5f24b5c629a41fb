// natives: none
// events.on: an emitter's events as an async iterator, with pause()/resume() back-pressure
// between two watermarks. Events that nobody awaits yet and promises that no event has met
// yet wait in two queues; at most one of them is non-empty.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/util/validators');
const { addAbortListener } = require('internal/events/abort_listener');
const { addListenerTo, removeListenerFrom } = require('internal/events/any_target');
const { kFirstEventParam, kWatermarkData } = require('internal/symbols/events');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

// First in, first out; the front moves instead of the elements.
class Queue {
  #items = [];
  #front = 0;
  get size() {
    return this.#items.length - this.#front;
  }
  push(item) {
    arrayPush.call(this.#items, item);
  }
  shift() {
    const item = this.#items[this.#front];
    this.#items[this.#front++] = undefined;
    if (this.#front > 1024 && this.#front * 2 > this.#items.length) {
      arraySplice.call(this.#items, 0, this.#front);
      this.#front = 0;
    }
    return item;
  }
}

class EventStream {
  constructor(emitter, event, low, high) {
    this.emitter = emitter;
    this.event = event;
    this.low = low;
    this.high = high;
    this.paused = false;
    this.error = null;
    this.finished = false;
    this.events = new Queue();
    this.waiting = new Queue();
    this.cleanups = [];
  }

  listen(event, listener) {
    addListenerTo(this.emitter, event, listener);
    arrayPush.call(this.cleanups, () => removeListenerFrom(this.emitter, event, listener));
  }

  onEvent(value) {
    if (this.waiting.size > 0) {
      this.waiting.shift().resolve({ done: false, value });
      return;
    }
    this.events.push(value);
    if (!this.paused && this.events.size > this.high) {
      this.paused = true;
      this.emitter.pause();
    }
  }

  onError(error) {
    if (this.waiting.size > 0) this.waiting.shift().reject(error);
    else this.error = error;
    this.close();
  }

  close() {
    while (this.cleanups.length > 0) arrayPop.call(this.cleanups)();
    this.finished = true;
    this.paused = false;
    const end = { done: true, value: undefined };
    while (this.waiting.size > 0) this.waiting.shift().resolve(end);
    return Promise.resolve(end);
  }

  next() {
    if (this.events.size > 0) {
      const value = this.events.shift();
      if (this.paused && this.events.size < this.low) {
        this.emitter.resume();
        this.paused = false;
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.error) {
      const error = this.error;
      this.error = null;
      return Promise.reject(error);
    }
    if (this.finished) return this.close();
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
    });
  }
}

function makeIterator(stream) {
  return Object.setPrototypeOf(
    {
      next: () => stream.next(),
      return: () => stream.close(),
      throw(error) {
        if (!error || !(error instanceof Error)) {
          throw new ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
        }
        stream.onError(error);
      },
      [Symbol.asyncIterator]() {
        return this;
      },
      [kWatermarkData]: {
        get size() {
          return stream.events.size;
        },
        get low() {
          return stream.low;
        },
        get high() {
          return stream.high;
        },
        get isPaused() {
          return stream.paused;
        },
      },
    },
    AsyncIteratorPrototype,
  );
}

function on(emitter, event, options = { __proto__: null }) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  validateInteger(high, 'options.highWaterMark', 1);
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(low, 'options.lowWaterMark', 1);

  const stream = new EventStream(emitter, event, low, high);
  stream.listen(event, options[kFirstEventParam] ? (value) => stream.onEvent(value) : (...args) => stream.onEvent(args));
  if (event !== 'error' && typeof emitter.on === 'function') {
    stream.listen('error', (error) => stream.onError(error));
  }
  for (const name of each(options.close ?? [])) stream.listen(name, () => stream.close());
  if (signal) {
    const disposable = addAbortListener(signal, () => stream.onError(new AbortError(undefined, { cause: signal.reason })));
    arrayPush.call(stream.cleanups, () => disposable[Symbol.dispose]());
  }
  return makeIterator(stream);
}

module.exports = { on };
