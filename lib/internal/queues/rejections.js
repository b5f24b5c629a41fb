// natives: runtime, ledger
// Promises rejected without a handler: remembered when the engine reports them, looked at when ticks and microtasks are empty
// (so that a handler attached in a later microtask still counts), then warned about or thrown, as --unhandled-rejections says.
'use strict';

const { setCallback, reportUncaught } = native('runtime');
const ticks = require('internal/queues/ticks');
const asyncContext = require('internal/async_hooks/context');

const ledger = native('ledger');

const kRejected = 0;
const kWarningName = 'UnhandledPromiseRejectionWarning';

// promise -> { reason, warned, id }
const unhandled = new WeakMap();
let pending = [];
const handledLater = [];
let lastId = 0;
let mode = 'throw';
let trace; // (unhandled, handled after that) while trace events tell of them
let unhandledCount = 0,
  handledCount = 0;

function onRejection(operation, promise, reason) {
  if (operation === kRejected) {
    const context = asyncContext.active ? asyncContext.get() : undefined;
    const entry = { promise, reason, warned: false, id: ++lastId, context, domain: process.domain };
    unhandled.set(promise, entry);
    arrayPush.call(pending, entry);
    ticks.noteRejection();
    unhandledCount++;
    if (trace !== undefined) trace(unhandledCount, handledCount);
    return;
  }
  const entry = unhandled.get(promise);
  if (entry === undefined) return;
  unhandled.delete(promise);
  handledCount++;
  if (trace !== undefined) trace(unhandledCount, handledCount);
  if (entry.warned) {
    const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${entry.id})`);
    warning.name = 'PromiseRejectionHandledWarning';
    warning.id = entry.id;
    arrayPush.call(handledLater, { promise, warning });
    ticks.noteRejection();
  }
}

// The rejections being told now. An exception of a listener leaves the others here, for the next round.
let batch = [];
let next = 0;

// Returns whether a listener may have queued more work. Promises that listeners reject wait until ticks and microtasks have
// run again.
function processRejections() {
  let didWork = false;
  while (handledLater.length > 0) {
    const { promise, warning } = arrayShift.call(handledLater);
    didWork = true;
    if (!process.emit('rejectionHandled', promise)) process.emitWarning(warning);
  }
  if (next === batch.length) {
    batch = pending;
    pending = [];
    next = 0;
  }
  while (next < batch.length) {
    const entry = batch[next++];
    if (unhandled.get(entry.promise) !== entry) continue;
    entry.warned = true;
    didWork = true;
    inContextOf(entry, handleOne);
  }
  return didWork || pending.length > 0;
}

function inContextOf(entry, callback) {
  if (!asyncContext.active) return callback(entry);
  const outer = asyncContext.get();
  asyncContext.set(entry.context);
  try {
    if (asyncContext.tracker === null) callback(entry);
    else require('internal/async_hooks/promises').runIn(entry.promise, () => callback(entry));
  } finally {
    asyncContext.set(outer);
  }
}

// To the domain the promise was rejected in, if any (node:domain), else to the program.
function tell(entry) {
  if (!ledger.enabled) return tellProgram(entry);
  const id = ledger.queuedAs(ledger.kEvent, 'unhandledRejection');
  ledger.begin(ledger.kEvent, id);
  ledger.expect('unhandledRejection');
  try {
    return tellProgram(entry);
  } finally {
    ledger.end(ledger.kEvent, id);
  }
}

function tellProgram({ promise, reason, domain }) {
  return domain ? domain.emit('error', reason) : process.emit('unhandledRejection', reason, promise);
}

function handleOne(entry) {
  const { reason, id } = entry;
  switch (mode) {
    case 'strict':
      throwRejection(reason);
      tell(entry) || warn(reason, id);
      break;
    case 'none':
      tell(entry);
      break;
    case 'warn':
      tell(entry);
      warn(reason, id);
      break;
    case 'warn-with-error-code':
      if (!tell(entry)) {
        warn(reason, id);
        process.exitCode = 1;
      }
      break;
    default:
      if (!tell(entry)) throwRejection(reason);
  }
}

const isErrorLike = (reason) => typeof reason === 'object' && reason !== null && Object.hasOwn(reason, 'stack');

function throwRejection(reason) {
  reportUncaught(isErrorLike(reason) ? reason : notAnError(reason), true);
}

const kOrigin =
  'This error originated either by throwing inside of an async function without a catch block, or by rejecting a ' +
  'promise which was not handled with .catch().';

function notAnError(reason) {
  const error = new Error(`${kOrigin} The promise rejected with the reason "${plainText(reason)}".`);
  Object.defineProperty(error, 'name', { __proto__: null, value: 'UnhandledPromiseRejection', configurable: true, writable: true });
  error.code = 'ERR_UNHANDLED_REJECTION';
  return error;
}

// The reason in a few words, without running code of its own.
function plainText(reason) {
  if (typeof reason === 'function') return functionToString.call(reason);
  if (typeof reason !== 'object' || reason === null) return String(reason);
  const { isProxy, isNativeError } = require('internal/util/types');
  if (isProxy(reason)) return '#<Object>';
  const { value: message } = Object.getOwnPropertyDescriptor(reason, 'message') ?? {};
  if (isNativeError(reason)) return message ? `Error: ${message}` : 'Error';
  return `#<${constructorName(reason)}>`;
}

function constructorName(object) {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    const { value } = Object.getOwnPropertyDescriptor(at, 'constructor') ?? {};
    if (typeof value === 'function' && typeof value.name === 'string' && value.name !== '') return value.name;
  }
  return 'Object';
}

function warn(reason, id) {
  const advice = new Error(
    `Unhandled promise rejection. ${kOrigin} To terminate the node process on unhandled promise rejection, ` +
      'use the CLI flag `--unhandled-rejections=strict` ' +
      `(see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`,
  );
  advice.name = kWarningName;
  let text;
  try {
    if (isErrorLike(reason)) text = advice.stack = reason.stack;
    else text = plainText(reason);
    process.emitWarning(text, kWarningName);
  } catch {
    // A `stack` that throws, or is no string.
    process.emitWarning(plainText(reason), kWarningName);
  }
  process.emitWarning(advice);
}

function setMode(value) {
  mode = value;
}

setCallback('Rejection', onRejection);
ticks.setRejectionProcessor(processRejections);

function setTrace(tell) {
  trace = tell;
}

module.exports = { setMode, setTrace };
