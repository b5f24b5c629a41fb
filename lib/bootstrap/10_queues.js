// natives: runtime
// First at start-up: the tick, rejection, timer and immediate queues, and the global functions over them.
'use strict';

const { setHook } = native('runtime');
require('internal/queues/ticks');
require('internal/queues/rejections');
const timers = require('internal/timers/timers');
const own = require('bootstrap/00_primordials');

function define(target, name, value, enumerable) {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
}

define(globalThis, 'global', globalThis, true);
Object.defineProperty(globalThis, Symbol.toStringTag, { __proto__: null, value: 'global', configurable: true });
for (const name of each(['clearImmediate', 'setImmediate', 'clearInterval', 'clearTimeout', 'setInterval', 'setTimeout'])) {
  define(globalThis, name, (own[name] = timers[name]), true);
}
own.queueMicrotask = require('internal/queues/microtasks').queueMicrotask;
define(globalThis, 'queueMicrotask', own.queueMicrotask, true);
define(Error, 'captureStackTrace', captureStackTrace, false);

const sites = () => require('internal/errors/call_site');
const prepareStackTrace = (error, trace) => sites().prepareStackTrace(error, trace);
define(Error, 'prepareStackTrace', prepareStackTrace, false);
setHook('DefaultPrepareStackTrace', prepareStackTrace);
setHook('PrepareStackTrace', (prepare, realmError, error, frames) => sites().prepareWith(prepare, realmError, error, frames));
