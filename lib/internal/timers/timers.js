// natives: timers, runtime, ledger
// setTimeout, setInterval, setImmediate: the queues behind them and the functions C++ runs in the timers and check phases.
//
// Timers of one duration share a list, in order of start; the lists stand in a heap by the expiry of their first timer. Starting
// and clearing is a constant-time list operation, and C++ sees one timer: the earliest expiry. Times are milliseconds
// since start, with fractions, read fresh from the loop's clock: a timer never fires early.
'use strict';

const { now: readClock, schedule, refTimers, refImmediates } = native('timers');
const { kImmediateCount, kImmediateRefCount, kImmediatesOutstanding, setCallback, sharedState } = native('runtime');
const { runNextTicks } = require('internal/queues/ticks');
const asyncContext = require('internal/async_hooks/context');
const ledger = native('ledger');
let isTraced = ledger.enabled;
let noteOrigin = null; // returns where the program is, while somebody asks for leaks
let isNoted = isTraced; // any of the two
arrayPush.call(ledger.switches, (isOn) => {
  isTraced = isOn;
  isNoted = isTraced || noteOrigin !== null;
});
const { TimerHeap } = require('internal/timers/heap');

const TIMEOUT_MAX = 2 ** 31 - 1;
const kRefed = Symbol('refed');
const kHasPrimitive = Symbol('kHasPrimitive');
const kContext = Symbol('kAsyncContextFrame');
const kId = Symbol('asyncId');
const kTask = Symbol('task'); // of the run to come, while the program is traced; 0 when none will

// ---- lists ----

class TimersList {
  constructor(expiry, msecs) {
    this._idleNext = this;
    this._idlePrev = this;
    this.expiry = expiry;
    this.msecs = msecs;
    this.heapIndex = -1;
    this.number = 0; // of the heap
  }
}

function unlink(item) {
  item._idleNext._idlePrev = item._idlePrev;
  item._idlePrev._idleNext = item._idleNext;
  item._idleNext = item._idlePrev = null;
}

function append(list, item) {
  const last = list._idlePrev;
  item._idlePrev = last;
  item._idleNext = list;
  last._idleNext = item;
  list._idlePrev = item;
}

const lists = new Map();
let listCount = 0; // lists.size, without a call
const heap = new TimerHeap();
let lastList = null; // the list used last: bursts of one duration skip the map
let nextExpiry = Infinity;
let refCount = 0;
let lastTimerId = 0;
const knownById = new Map();

function listFor(msecs, start) {
  if (lastList !== null && lastList.msecs === msecs) return lastList;
  let list = lists.get(msecs);
  if (list === undefined) {
    list = new TimersList(start + msecs, msecs);
    lists.set(msecs, list);
    listCount++;
    heap.insert(list);
    if (nextExpiry > list.expiry) {
      nextExpiry = list.expiry;
      schedule(nextExpiry);
    }
  }
  return (lastList = list);
}

function dropList(list) {
  if (lastList === list) lastList = null;
  lists.delete(list.msecs);
  listCount--;
  heap.remove(list);
}

function insert(item, msecs, start) {
  msecs = Math.trunc(msecs);
  item._idleStart = start;
  append(listFor(msecs, start), item);
}

// ---- Timeout ----

function coerceDelay(after) {
  after *= 1;
  if (after >= 1 && after <= TIMEOUT_MAX) return after;
  if (after > TIMEOUT_MAX) warnDelay(after, 'TimeoutOverflowWarning', 'does not fit into a 32-bit signed integer');
  else if (after < 0) warnDelay(after, 'TimeoutNegativeWarning', 'is a negative number');
  else if (after !== after) warnDelay(after, 'TimeoutNaNWarning', 'is not a number');
  return 1;
}

// Negative and NaN delays are told once a process, as in Node.
const warned = new Set();

function warnDelay(after, name, reason) {
  if (name !== 'TimeoutOverflowWarning') {
    if (warned.has(name)) return;
    warned.add(name);
  }
  process.emitWarning(`${after} ${reason}.\nTimeout duration was set to 1.`, name);
}

class Timeout {
  constructor(callback, after, args, isRepeat, isRefed) {
    after = after === undefined ? 1 : coerceDelay(after);
    this._idleTimeout = after;
    this._idlePrev = null;
    this._idleNext = null;
    this._idleStart = 0;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = isRepeat ? after : null;
    this._destroyed = false;
    this[kRefed] = isRefed;
    this[kHasPrimitive] = false;
    this[kContext] = asyncContext.active ? asyncContext.capture(this, 'Timeout') : undefined;
    this[kId] = ++lastTimerId;
    if (isNoted) noteMade(this, callback, after);
    if (isRefed) countRef(1);
  }

  ref() {
    if (this[kRefed] === false) {
      this[kRefed] = true;
      if (!this._destroyed) countRef(1);
    }
    return this;
  }

  unref() {
    if (this[kRefed] === true) {
      this[kRefed] = false;
      if (!this._destroyed) countRef(-1);
    }
    return this;
  }

  hasRef() {
    return this[kRefed] === true;
  }

  refresh() {
    if (this[kRefed] !== null && !(this._destroyed && this._onTimeout === null)) restart(this);
    return this;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    if (!this[kHasPrimitive]) {
      this[kHasPrimitive] = true;
      knownById.set(this[kId], this);
    }
    return this[kId];
  }

  // Its own fields alone: the lists it is in would show every other timer.
  [Symbol.for('nodejs.util.inspect.custom')](_, options, inspect) {
    return inspect(this, { ...options, depth: 0, customInspect: false });
  }
}
// A timer has a field of its own for it only while the program is traced: one more field would not fit into the object itself.
Object.defineProperty(Timeout.prototype, kTask, { __proto__: null, writable: true, value: 0 });
Object.defineProperty(Timeout.prototype, Symbol.dispose ?? Symbol.for('Symbol.dispose'), {
  __proto__: null,
  configurable: true,
  writable: true,
  value() {
    clearTimeout(this);
  },
});

function countRef(by) {
  const before = refCount;
  refCount += by;
  if (before === 0 || refCount === 0) refTimers(refCount > 0);
}

function restart(timer) {
  if (timer._idleNext !== null) unlinkTimer(timer);
  else if (timer._destroyed) {
    timer._destroyed = false;
    if (timer[kRefed]) countRef(1);
  }
  if (isTraced && timer[kTask] === 0) timer[kTask] = ledger.queued(ledger.kTimer, timer._onTimeout, timer._idleTimeout);
  insert(timer, timer._idleTimeout, readClock());
}

// An emptied list stays until its expiry, so that setting and clearing a time-out again and again touches neither heap nor C++;
// but not when there are many durations.
const kKeepLists = 64;

function unlinkTimer(timer) {
  const next = timer._idleNext;
  unlink(timer);
  if (listCount > kKeepLists && next._idleNext === next) dropList(next);
}

function checkCallback(callback) {
  if (typeof callback !== 'function') require('internal/util/validators').validateFunction(callback, 'callback');
}

function extraArguments(all) {
  const args = new Array(all.length - 2);
  for (let i = 2; i < all.length; i++) args[i - 2] = all[i];
  return args;
}

function setTimeout(callback, after) {
  checkCallback(callback);
  const args = arguments.length > 2 ? extraArguments(arguments) : undefined;
  const timeout = new Timeout(callback, after, args, false, true);
  insert(timeout, timeout._idleTimeout, readClock());
  return timeout;
}

function setInterval(callback, repeat) {
  checkCallback(callback);
  const args = arguments.length > 2 ? extraArguments(arguments) : undefined;
  const timeout = new Timeout(callback, repeat, args, true, true);
  insert(timeout, timeout._idleTimeout, readClock());
  return timeout;
}

function clearTimeout(timer) {
  if (timer?._onTimeout) {
    timer._onTimeout = null;
    destroyTimer(timer);
    return;
  }
  if (typeof timer === 'number' || typeof timer === 'string') {
    const known = knownById.get(+timer);
    if (known !== undefined) clearTimeout(known);
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

function destroyTimer(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kHasPrimitive]) knownById.delete(timer[kId]);
  if (timer[kRefed]) countRef(-1);
  timer[kRefed] = null;
  if (timer[kContext] !== undefined) asyncContext.release(timer[kContext]);
  if (timer._idleNext !== null) unlinkTimer(timer);
  if (isTraced && timer[kTask] > 0) {
    ledger.cancelled(ledger.kTimer, timer[kTask]);
    timer[kTask] = 0;
  }
  timer._idleTimeout = -1;
}

// ---- for observers ----

let origins; // by timer, as noteOrigin said

function noteMade(timer, callback, after) {
  if (isTraced) timer[kTask] = ledger.queued(ledger.kTimer, callback, after);
  if (noteOrigin !== null) origins.set(timer, noteOrigin());
}

function setOriginNoter(noter) {
  noteOrigin = noter;
  origins ??= new WeakMap();
  isNoted = isTraced || noteOrigin !== null;
}

const originOf = (timer) => origins?.get(timer);

let timersRun = 0;
let lateLimit = Infinity;
let onLate = null;

// Callbacks before it in this phase count, too.
function noteLate(timer, expiry) {
  const late = readClock() - expiry;
  if (late > lateLimit) onLate(timer, late);
}

// `callback(timer, late)`: a timer that runs now is more than so many milliseconds late.
function watchLateness(limit, callback) {
  lateLimit = limit;
  onLate = callback;
}

// Timers and immediates that wait: [timer, milliseconds until it is due].
function waitingTimers() {
  const now = readClock();
  const waiting = [];
  const all = [...each(lists.values())];
  for (let i = 0; i < all.length; i++) {
    const list = all[i];
    for (let timer = list._idleNext; timer !== list; timer = timer._idleNext) {
      arrayPush.call(waiting, [timer, timer._idleStart + list.msecs - now]);
    }
  }
  for (let immediate = queueHead; immediate !== null; immediate = immediate._idleNext) arrayPush.call(waiting, [immediate, 0]);
  return waiting;
}

// Whether any timer waits, unref'd ones included. A list whose timers were all cleared stays in the heap until it expires.
function hasTimers() {
  for (const list of each(lists.values())) {
    if (list._idleNext !== list) return true;
  }
  return false;
}

// ---- the timers phase ----

// Runs what is due at `now`, the time at which the phase began; what becomes due meanwhile waits for the next iteration.
// Returns when to come back: a time, negative when only unref'd timers wait, 0 when none is left.
function runTimers(now) {
  nextExpiry = Infinity;
  let ranOne = false;
  let list;
  while ((list = heap.peek()) !== undefined) {
    if (list.expiry > now) {
      nextExpiry = list.expiry;
      return refCount > 0 ? nextExpiry : -nextExpiry;
    }
    if (ranOne) runNextTicks();
    else ranOne = true;
    runList(list, now);
  }
  return 0;
}

function runList(list, now) {
  const { msecs } = list;
  let ranOne = false;
  let timer;
  while ((timer = list._idleNext) !== list) {
    const expiry = timer._idleStart + msecs;
    if (expiry > now) {
      list.expiry = expiry;
      heap.sinkFirst();
      return;
    }
    if (ranOne) {
      runNextTicks();
      // The ticks may have cleared it, or anything else.
      if (list._idleNext !== timer) continue;
    } else {
      ranOne = true;
    }
    unlink(timer);
    const callback = timer._onTimeout;
    if (callback === null) continue;
    timersRun++;
    if (onLate !== null) noteLate(timer, expiry);
    const start = timer._repeat === null ? 0 : readClock();
    if (timer[kContext] !== undefined || isTraced) runTraced(timer, start);
    else {
      const args = timer._timerArgs;
      try {
        if (args === undefined) timer._onTimeout();
        else timer._onTimeout(...each(args));
      } finally {
        finish(timer, start);
      }
    }
  }
  if (heap.has(list)) dropList(list);
}

function runTraced(timer, start) {
  const captured = timer[kContext];
  const outer = captured === undefined ? undefined : asyncContext.enter(captured);
  const traces = isTraced;
  const task = traces && timer[kTask] === 0 ? ledger.queued(ledger.kTimer, timer._onTimeout, 0) : timer[kTask];
  if (traces) {
    ledger.begin(ledger.kTimer, task);
    timer[kTask] = 0;
    if (timer._repeat !== null && isExplored()) start = beginAgain(timer);
  }
  let isDone = false;
  try {
    timer._onTimeout(...each(timer._timerArgs ?? []));
    isDone = true;
  } finally {
    if (traces) endTask(timer, task);
    if (captured !== undefined) endContext(captured, outer, isDone);
    finish(timer, start);
  }
}

// An explored run chooses when a repetition's time begins as it chooses for any timer, when the task is queued.
let isInExplorer;
function isExplored() {
  return (isInExplorer ??= requireLater('internal/process/options').getOptionValue('--exploring') !== false);
}

function beginAgain(timer) {
  timer[kTask] = ledger.queued(ledger.kTimer, timer._onTimeout, timer._repeat);
  return readClock();
}

// A repetition is a task of its own, queued by the one before it. An interval may be made of a timer by its own callback.
function endTask(timer, task) {
  const goesOn = timer._repeat !== null && timer._idleTimeout !== -1;
  if (goesOn && timer[kTask] === 0) timer[kTask] = ledger.queued(ledger.kTimer, timer._onTimeout, timer._repeat);
  ledger.end(ledger.kTimer, task);
}

function endContext(captured, outer, isDone) {
  if (isDone) asyncContext.leave(captured, outer);
  else asyncContext.abandon(captured, outer);
}

function finish(timer, start) {
  if (timer._repeat !== null && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    if (timer._idleNext === null) insert(timer, timer._idleTimeout, start);
  } else if (timer._idleNext === null && !timer._destroyed) {
    timer._destroyed = true;
    if (timer[kHasPrimitive]) knownById.delete(timer[kId]);
    if (timer[kRefed]) countRef(-1);
    if (timer[kContext] !== undefined) asyncContext.release(timer[kContext]);
  }
}

// ---- immediates ----

class Immediate {
  constructor(callback, args, isTracked) {
    this._idleNext = null;
    this._idlePrev = null;
    this._onImmediate = callback;
    this._argv = args;
    this._destroyed = false;
    this[kRefed] = true;
    this[kContext] = isTracked && asyncContext.active ? asyncContext.capture(this, 'Immediate') : undefined;
    this[kTask] = isTraced ? ledger.queued(ledger.kImmediate, callback, 0) : 0;
    if (sharedState[kImmediateRefCount]++ === 0) refImmediates(true);
    sharedState[kImmediateCount]++;
    if (queueTail === null) queueHead = this;
    else {
      queueTail._idleNext = this;
      this._idlePrev = queueTail;
    }
    queueTail = this;
  }

  ref() {
    if (this[kRefed] === false) {
      this[kRefed] = true;
      if (sharedState[kImmediateRefCount]++ === 0) refImmediates(true);
    }
    return this;
  }

  unref() {
    if (this[kRefed] === true) {
      this[kRefed] = false;
      if (--sharedState[kImmediateRefCount] === 0) refImmediates(false);
    }
    return this;
  }

  hasRef() {
    return this[kRefed] === true;
  }
}
Object.defineProperty(Immediate.prototype, Symbol.dispose ?? Symbol.for('Symbol.dispose'), {
  __proto__: null,
  configurable: true,
  writable: true,
  value() {
    clearImmediate(this);
  },
});

let queueHead = null;
let queueTail = null;
let runningHead = null; // what is left of the batch that runs now

function setImmediate(callback) {
  checkCallback(callback);
  const count = arguments.length;
  let args = null;
  if (count > 1) {
    args = new Array(count - 1);
    for (let i = 1; i < count; i++) args[i - 1] = arguments[i];
  }
  return new Immediate(callback, args, true);
}

// For lib/: runs before all others of the next check phase, keeps nothing alive, and async hooks do not hear of it.
function setFirstImmediate(callback) {
  const immediate = new Immediate(callback, null, false).unref();
  if (queueHead === immediate) return;
  queueTail = immediate._idlePrev;
  queueTail._idleNext = null;
  immediate._idlePrev = null;
  immediate._idleNext = queueHead;
  queueHead._idlePrev = immediate;
  queueHead = immediate;
}

function clearImmediate(immediate) {
  if (!immediate?._onImmediate || immediate._destroyed) return;
  retire(immediate);
  if (immediate[kContext] !== undefined) asyncContext.release(immediate[kContext]);
  if (sharedState[kImmediateRefCount] === 0) refImmediates(false);
  if (isTraced && immediate[kTask] > 0) ledger.cancelled(ledger.kImmediate, immediate[kTask]);
  immediate._onImmediate = null;
  const { _idlePrev: before, _idleNext: after } = immediate;
  if (before !== null) before._idleNext = after;
  if (after !== null) after._idlePrev = before;
  if (queueHead === immediate) queueHead = after;
  if (queueTail === immediate) queueTail = before;
  if (runningHead === immediate) runningHead = after;
  immediate._idlePrev = immediate._idleNext = null;
}

function retire(immediate) {
  immediate._destroyed = true;
  sharedState[kImmediateCount]--;
  if (immediate[kRefed]) sharedState[kImmediateRefCount]--;
  immediate[kRefed] = null; // ref() does nothing any more
}

// The check phase: all that were queued when it began; later ones wait for the next iteration. When a callback throws, C++
// calls again for what is left (kImmediatesOutstanding).
function runImmediates() {
  if (runningHead === null) {
    runningHead = queueHead;
    queueHead = queueTail = null;
  }
  let ranOne = false;
  while (runningHead !== null) {
    if (ranOne) {
      runNextTicks();
      if (runningHead === null) break;
    } else {
      ranOne = true;
    }
    const immediate = runningHead;
    runningHead = immediate._idleNext;
    if (runningHead !== null) {
      runningHead._idlePrev = null;
      immediate._idleNext = null;
      sharedState[kImmediatesOutstanding] = 1;
    } else {
      sharedState[kImmediatesOutstanding] = 0;
    }
    retire(immediate);
    try {
      if (immediate[kContext] !== undefined || isTraced) runImmediateTraced(immediate);
      else if (immediate._argv === null) immediate._onImmediate();
      else immediate._onImmediate(...each(immediate._argv));
    } finally {
      immediate._onImmediate = null;
    }
  }
  sharedState[kImmediatesOutstanding] = 0;
}

function runImmediateTraced(immediate) {
  const captured = immediate[kContext];
  const outer = captured === undefined ? undefined : asyncContext.enter(captured);
  const traces = isTraced;
  const task = traces && immediate[kTask] === 0 ? ledger.queued(ledger.kImmediate, immediate._onImmediate, 0) : immediate[kTask];
  if (traces) ledger.begin(ledger.kImmediate, task);
  let isDone = false;
  try {
    immediate._onImmediate(...each(immediate._argv ?? []));
    isDone = true;
  } finally {
    if (traces) ledger.end(ledger.kImmediate, task);
    if (captured !== undefined) {
      endContext(captured, outer, isDone);
      asyncContext.release(captured);
    }
  }
}

setCallback('RunTimers', runTimers);
setCallback('RunImmediates', runImmediates);

// util.promisify() of the globals, whether or not node:timers is ever loaded.
const kCustomPromisify = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(setTimeout, kCustomPromisify, {
  __proto__: null,
  enumerable: true,
  get: () => require('internal/timers/promises').setTimeout,
});
Object.defineProperty(setImmediate, kCustomPromisify, {
  __proto__: null,
  enumerable: true,
  get: () => require('internal/timers/promises').setImmediate,
});

// Ids of the tasks of all timers and immediates that wait, while a run is traced.
function waitingTasks() {
  const ids = new Set();
  for (const list of each(lists.values())) {
    for (let timer = list._idleNext; timer !== list; timer = timer._idleNext) ids.add(timer[kTask]);
  }
  for (let immediate = queueHead; immediate !== null; immediate = immediate._idleNext) ids.add(immediate[kTask]);
  return ids;
}

module.exports = {
  waitingTasks,
  setTimeout,
  setInterval,
  setImmediate,
  setFirstImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
  Timeout,
  Immediate,
  TIMEOUT_MAX,
  kRefed,
  insert,
  readClock,
  restart,
  destroyTimer,
  timersRun: () => timersRun,
  watchLateness,
  setOriginNoter,
  originOf,
  waitingTimers,
  activeTimers: () => refCount,
  hasTimers,
  activeImmediates: () => sharedState[kImmediateRefCount],
};
