// natives: none
// MockTimers: timers, Date, scheduler.wait and AbortSignal.timeout whose time a test moves.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { addAbortListener } = require('internal/events/abort_listener');
const { validateAbortSignal, validateNumber, validateStringArray, validateUint32 } = require('internal/util/validators');
const { makeMockDate } = require('internal/test_runner/mock/date');
const { kMaxTimeout } = require('internal/test_runner/plan');

const kApis = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait', 'AbortSignal.timeout'];
const kImmediateDelay = -1;

const abortErrorOf = (signal) => new AbortError(undefined, { __proto__: null, cause: signal.reason });

class MockTimer {
  #clear;

  constructor({ id, callback, runAt, interval, args, clear }) {
    this.id = id;
    this.callback = callback;
    this.runAt = runAt;
    this.interval = interval;
    this.args = args;
    this.#clear = clear;
  }

  hasRef() {
    return true;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  refresh() {
    return this;
  }

  close() {
    this.#clear(this);
    return this;
  }

  [Symbol.dispose]() {
    this.#clear(this);
  }
  [Symbol.toPrimitive]() {
    return this.id;
  }
}

// Timers by time, then by the order in which they were made.
class TimerQueue {
  #timers = [];

  get first() {
    return this.#timers[0];
  }
  get last() {
    return this.#timers[this.#timers.length - 1];
  }

  add(timer) {
    const after = arrayFindIndex.call(this.#timers, ({ runAt, id }) => runAt > timer.runAt || (runAt === timer.runAt && id > timer.id));
    arraySplice.call(this.#timers, after < 0 ? this.#timers.length : after, 0, timer);
  }

  remove(timer) {
    const index = arrayIndexOf.call(this.#timers, timer);
    if (index >= 0) arraySplice.call(this.#timers, index, 1);
    return index >= 0;
  }

  byId(id) {
    return arrayFind.call(this.#timers, (timer) => timer.id === id);
  }
  clear() {
    this.#timers = [];
  }
}

class MockTimers {
  #isEnabled = false;
  #now = 0;
  #lastId = 0;
  #queue = new TimerQueue();
  #restore = []; // functions that put back what was replaced

  #create(isInterval, callback, delay, args) {
    if (delay > kMaxTimeout) delay = 1;
    const timer = new MockTimer({
      id: ++this.#lastId,
      callback,
      runAt: this.#now + delay,
      interval: isInterval ? delay : undefined,
      args,
      clear: (one) => this.#clear(one),
    });
    this.#queue.add(timer);
    return timer;
  }

  #clear(timer) {
    if (typeof timer === 'number' || typeof timer === 'string') timer = this.#queue.byId(Number(timer));
    if (timer !== undefined && timer !== null && this.#queue.remove(timer)) timer.interval = undefined;
  }

  // The promise of a timer that `start` makes.
  async #promise(start, result, options) {
    const { promise, resolve, reject } = Promise.withResolvers();
    let listener;
    if (options?.signal) {
      validateAbortSignal(options.signal, 'options.signal');
      if (options.signal.aborted) throw abortErrorOf(options.signal);
      listener = addAbortListener(options.signal, () => reject(abortErrorOf(options.signal)));
    }
    const timer = start(resolve);
    try {
      await promise;
      return result;
    } finally {
      listener?.[Symbol.dispose]();
      this.#clear(timer);
    }
  }

  async *#intervals(interval, result, options) {
    const EventEmitter = require('internal/events/events');
    const emitter = new EventEmitter();
    let listener;
    if (options?.signal) {
      validateAbortSignal(options.signal, 'options.signal');
      if (options.signal.aborted) throw abortErrorOf(options.signal);
      listener = addAbortListener(options.signal, () => emitter.emit('error', abortErrorOf(options.signal)));
    }
    const ticks = EventEmitter.on(emitter, 'data');
    const timer = this.#create(true, () => emitter.emit('data'), interval, []);
    try {
      for await (const tick of ticks) yield tick && result;
    } finally {
      listener?.[Symbol.dispose]();
      this.#clear(timer);
    }
  }

  #replace(object, name, value) {
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    arrayPush.call(this.#restore, () => Object.defineProperty(object, name, { __proto__: null, ...descriptor }));
    Object.defineProperty(object, name, {
      __proto__: null,
      configurable: true,
      writable: true,
      enumerable: descriptor?.enumerable ?? true,
      value,
    });
  }

  // The same function in the global object and in node:timers, and its promise in node:timers/promises.
  #replaceTimer(kind, set, clear, promised) {
    const clearing = (timer) => clear(timer);
    for (const object of each([globalThis, require('internal/modules/builtins').loadBuiltin('timers')])) {
      this.#replace(object, `set${kind}`, set);
      this.#replace(object, `clear${kind}`, clearing);
    }
    this.#replace(require('internal/timers/promises'), `set${kind}`, promised);
  }

  #enableApi(api) {
    const clear = (timer) => this.#clear(timer);
    const wait = (delay, result, options) => this.#promise((done) => this.#create(false, done, delay, []), result, options);
    switch (api) {
      case 'setTimeout':
        return this.#replaceTimer('Timeout', (callback, delay, ...args) => this.#create(false, callback, delay, args), clear, wait);
      case 'setInterval':
        return this.#replaceTimer(
          'Interval',
          (callback, delay, ...args) => this.#create(true, callback, delay, args),
          clear,
          (delay, result, options) => this.#intervals(delay, result, options),
        );
      case 'setImmediate': {
        const start = (callback, args) => this.#create(false, callback, kImmediateDelay, args);
        return this.#replaceTimer(
          'Immediate',
          (callback, ...args) => start(callback, args),
          clear,
          (result, options) => this.#promise((done) => start(done, []), result, options),
        );
      }
      case 'scheduler.wait':
        return this.#replace(require('internal/timers/promises').scheduler, 'wait', (delay, options) => wait(delay, undefined, options));
      case 'Date':
        return this.#replace(
          globalThis,
          'Date',
          makeMockDate(globalThis.Date, () => this.#now),
        );
      default:
        return this.#enableAbortTimeout();
    }
  }

  #enableAbortTimeout() {
    const { AbortController, AbortSignal } = require('internal/events/abort');
    this.#replace(AbortSignal, 'timeout', (delay) => {
      validateUint32(delay, 'delay', false);
      const controller = new AbortController();
      this.#create(false, () => controller.abort(), delay, []);
      return controller.signal;
    });
  }

  #checkEnabled() {
    if (!this.#isEnabled) throw new ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
  }

  #checkTime(time) {
    if (time < 0) throw new ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
  }

  enable(options = {}) {
    if (this.#isEnabled) throw new ERR_INVALID_STATE('MockTimers is already enabled!');
    if (Number.isNaN(options.now)) {
      throw new ERR_INVALID_ARG_VALUE('now', options.now, `epoch must be a positive integer received ${options.now}`);
    }
    const apis = options.apis || kApis;
    validateStringArray(apis, 'options.apis');
    for (const api of each(apis)) {
      if (!arrayIncludes.call(kApis, api)) throw new ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
    }
    this.#now = this.#readNow(options.now || 0);
    this.#isEnabled = true;
    for (const api of each(apis)) this.#enableApi(api);
  }

  #readNow(now) {
    if (require('internal/util/types').isDate(now)) return dateGetTime.call(now);
    validateNumber(now, 'initialTime');
    this.#checkTime(now);
    return now;
  }

  tick(time = 1) {
    this.#checkEnabled();
    this.#checkTime(time);
    this.#now += time;
    for (let timer; (timer = this.#queue.first) !== undefined && timer.runAt <= this.#now; ) {
      Reflect.apply(timer.callback, undefined, timer.args);
      this.#queue.remove(timer);
      // Its own callback may have cleared it.
      if (timer.interval === undefined) continue;
      timer.runAt += timer.interval;
      this.#queue.add(timer);
    }
  }

  runAll() {
    this.#checkEnabled();
    const { last } = this.#queue;
    if (last !== undefined) this.tick(Math.max(last.runAt - this.#now, 0));
  }

  setTime(time = 0) {
    validateNumber(time, 'time');
    this.#checkTime(time);
    this.#checkEnabled();
    this.#now = time;
  }

  reset() {
    if (!this.#isEnabled) return;
    for (const restore of each(arrayReverse.call(this.#restore))) restore();
    this.#restore = [];
    this.#isEnabled = false;
    this.#now = 0;
    this.#queue.clear();
  }

  [Symbol.dispose]() {
    this.reset();
  }
}

module.exports = { MockTimers };
