// natives: html, runtime, ledger
// Base of every part of a window: tasks of a source, calls into the page's own code, and the report of what it throws.
// The event loop itself is C++ (include/rondo/html).
'use strict';

const loop = native('html');
const { reportUncaught, sharedState, kHasQueuedWork, kHasRejections } = native('runtime');
const ledger = native('ledger');

// Numbers of html::TaskSource.
const sources = Object.freeze({
  __proto__: null,
  dom: loop.kDomManipulation,
  interaction: loop.kUserInteraction,
  networking: loop.kNetworking,
  history: loop.kHistoryTraversal,
  timer: loop.kTimer,
  message: loop.kPostedMessage,
  scheduler: loop.kScheduler,
  rendering: loop.kRendering,
  idle: loop.kIdle,
  database: loop.kDatabaseAccess,
});

// `document`: the cell of the document that the task is of; without it the page's own.
// A task has none of the scheduling state of the task that queued it: html/window/scheduler says how, once there is such a state.
let asOther;
const queueTask = (source, steps, document) => loop.queueTask(source, asOther === undefined ? steps : () => asOther(steps), document);

// A watcher may come and go while the page runs.
let isTraced = ledger.enabled;
arrayPush.call(ledger.switches, (isOn) => {
  isTraced = isOn;
});

// For reports: the running task is about `text`; once it has called a function of the page, that names it.
function noteDetail(text) {
  if (isTraced) ledger.detail(text);
}
let noted = { type: '', task: 0 }; // an event may have several listeners, the library's among them
function noteFunction(callback) {
  if (isTraced) ledger.ran(callback);
}
// `event`: jsdom's; of window.onerror the first argument is a text.
function noteListener(event, listener) {
  if (!isTraced) return;
  const task = ledger.runningTask();
  const type = event?.type ?? 'error';
  if (type !== noted.type || task !== noted.task) ledger.detail(`${type} event`);
  noted = { type, task };
  ledger.ran(listener);
}
// The running microtask is the library's own, and calls a function of the page.
function noteInMicrotask(what, callback) {
  if (!isTraced) return;
  ledger.expect(what);
  ledger.ran(callback);
}

// A script or a module of the page is a task inside of the one that runs it.
function asScript(name, run) {
  if (!isTraced) return run();
  const id = ledger.queuedAs(ledger.kScript, name());
  ledger.begin(ledger.kScript, id);
  try {
    return run();
  } finally {
    ledger.end(ledger.kScript, id);
  }
}

// How many functions of the page lie on the stack.
let depth = 0;

// Calls a function of the page: what it throws is reported to the window that the function is of, and when it was the outermost,
// "clean up after running script" performs a microtask checkpoint.
function callScript(callback, self, args) {
  const window = depth > kShallow && !hasRoom(kRoomToCall) ? (windowOf(callback.objectReference ?? callback) ?? self) : undefined;
  depth++;
  try {
    if (isTraced) ledger.ran(callback.objectReference ?? callback);
    if (window !== undefined) throw new (window.RangeError ?? RangeError)('Maximum call stack size exceeded');
    return Reflect.apply(callback, self, args);
  } catch (error) {
    reportAt(windowOf(callback.objectReference ?? callback) ?? self, error);
    return undefined;
  } finally {
    leaveScript();
  }
}

function leaveScript() {
  depth--;
  if (waiting.length > 0 && hasRoom(kRoomToReport)) for (const { where, error } of each(waiting.splice(0))) reportAt(where, error);
  checkpointIfOutermost();
}

// A function of the page is called by the library only where enough of the stack is left for what the library does then: it is not
// told of an overflow in the midst of its own steps. A report needs more, for listeners; it waits until functions have returned.
const kRoomToCall = 192 * 1024;
const kRoomToReport = 320 * 1024;
const kShallow = 20; // so few calls of the page leave room
const waiting = []; // reports: { where, error }
function hasRoom(bytes) {
  try {
    return loop.stackRoom() >= bytes;
  } catch {
    return false;
  }
}

// The window whose realm an object is of: its outermost prototype tells. A proxy may have any number of them, and may throw.
const realms = new WeakMap(); // Object.prototype → its window
const kPrototypes = 100;
function addRealm(window) {
  realms.set(window.Object.prototype, window);
}
function windowOf(object) {
  try {
    let at = object;
    for (let i = 0; i < kPrototypes && at !== null && at !== undefined; i++, at = Object.getPrototypeOf(at))
      if (realms.has(at)) return realms.get(at);
  } catch {
    // Nobody's, then.
  }
  return undefined;
}

// Where what is being reported was thrown, as far as known: a window, or anything else.
let thrower;
function reportAt(where, error) {
  if (depth > 0 && !hasRoom(kRoomToReport)) {
    waiting.push({ where, error });
    return;
  }
  const outer = thrower;
  thrower = where;
  try {
    reportUncaught(error, false);
  } finally {
    thrower = outer;
  }
}

// Before something is made that a half of would be worse than nothing.
const kRoomToMake = 256 * 1024;
function requireRoom() {
  if (!hasRoom(kRoomToMake)) throw new RangeError('Maximum call stack size exceeded');
}

// The same in a microtask: a checkpoint is being performed, another would do nothing.
function callMicrotask(callback) {
  depth++;
  try {
    callScript(callback, undefined, []);
  } finally {
    depth--;
  }
}

// The same for a caller that deals with exceptions itself.
function enterScript(run) {
  depth++;
  try {
    return run();
  } finally {
    leaveScript();
  }
}

// Where the Standard asks for a checkpoint if no code of the page is on the stack.
// "Cleanup Indexed Database transactions" is the only step of a checkpoint that needs no microtask.
let hasTransactions = false;
function noteTransactions() {
  hasTransactions = true;
}
function checkpointIfOutermost() {
  if (depth === 0 && (hasTransactions || sharedState[kHasQueuedWork] !== 0 || sharedState[kHasRejections] !== 0)) loop.checkpoint();
}
const isOutermost = () => depth === 0;

// A property as WebIDL's interfaces have them.
function define(target, name, value, enumerable = true) {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
}
function defineAll(target, members) {
  for (const name of each(Reflect.ownKeys(members)))
    define(target, name, members[name], typeof members[name] !== 'function' || !/^[A-Z]/.test(name));
}

// A property whose value `make` puts in its place, before anybody else can.
function later(target, name, make) {
  Object.defineProperty(target, name, {
    __proto__: null,
    configurable: true,
    get() {
      requireRoom();
      make();
      return target[name];
    },
    set(value) {
      requireRoom();
      make();
      Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true });
    },
  });
}

module.exports = {
  loop,
  sources,
  queueTask,
  setAsOther(value) {
    asOther = value;
  },
  callScript,
  callMicrotask,
  enterScript,
  reportAt,
  thrower: () => thrower,
  addRealm,
  windowOf,
  checkpointIfOutermost,
  noteTransactions,
  noteDetail,
  noteFunction,
  noteListener,
  noteInMicrotask,
  asScript,
  isOutermost,
  requireRoom,
  define,
  defineAll,
  later,
};
