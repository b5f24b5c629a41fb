// natives: runtime
// Promises rejected without a handler: remembered when the engine reports them, looked at when ticks and microtasks are empty
// (so that a handler attached in a later microtask still counts), then warned about or thrown, as --unhandled-rejections says.
'use strict';

const { setCallback, reportUncaught } = native('runtime');
const ticks = require('internal/ticks');

const kRejected = 0;

// promise → { reason, warned, id }
const unhandled = new WeakMap();
let pending = [];
let handledLater = [];
let lastId = 0;
let mode = 'throw';

function onRejection(operation, promise, reason) {
  if (operation === kRejected) {
    const entry = { promise, reason, warned: false, id: ++lastId };
    unhandled.set(promise, entry);
    pending.push(entry);
    ticks.noteRejection();
    return;
  }
  const entry = unhandled.get(promise);
  if (entry === undefined) return;
  unhandled.delete(promise);
  if (entry.warned) {
    handledLater.push(entry);
    ticks.noteRejection();
  }
}

// Returns whether a listener may have queued more work.
function processRejections() {
  let didWork = false;
  while (handledLater.length > 0) {
    const { promise, id } = handledLater.shift();
    didWork = true;
    if (mode === 'warn' || mode === 'warn-with-error-code') {
      const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${id})`);
      warning.name = 'PromiseRejectionHandledWarning';
      warning.id = id;
      process.emitWarning(warning);
    }
    process.emit('rejectionHandled', promise);
  }
  while (pending.length > 0) {
    const batch = pending;
    pending = [];
    for (let i = 0; i < batch.length; i++) {
      const entry = batch[i];
      if (unhandled.get(entry.promise) !== entry) continue;
      entry.warned = true;
      didWork = true;
      // What one handler throws must not lose the rest of the batch.
      if (i + 1 < batch.length) pending = batch.slice(i + 1).concat(pending);
      handleOne(entry);
      break;
    }
  }
  return didWork;
}

function handleOne({ promise, reason, id }) {
  switch (mode) {
    case 'strict':
      throwRejection(reason);
      process.emit('unhandledRejection', reason, promise) || warn(reason, id);
      break;
    case 'none':
      process.emit('unhandledRejection', reason, promise);
      break;
    case 'warn':
      process.emit('unhandledRejection', reason, promise);
      warn(reason, id);
      break;
    case 'warn-with-error-code':
      if (!process.emit('unhandledRejection', reason, promise)) {
        warn(reason, id);
        process.exitCode = 1;
      }
      break;
    default:
      if (!process.emit('unhandledRejection', reason, promise)) throwRejection(reason);
  }
}

function throwRejection(reason) {
  const isError = reason instanceof Error || Object.prototype.toString.call(reason) === '[object Error]';
  reportUncaught(isError ? reason : notAnError(reason), true);
}

function notAnError(reason) {
  const { codes: { ERR_UNHANDLED_REJECTION } } = require('internal/errors');
  return new ERR_UNHANDLED_REJECTION(describe(reason));
}

function describe(reason) {
  return require('internal/util/inspect').inspect(reason, { maxArrayLength: 10, depth: 2 });
}

function warn(reason, id) {
  const text = reason instanceof Error ? reason.stack : describe(reason);
  process.emitWarning(text, 'UnhandledPromiseRejectionWarning');
  const advice = new Error(
    'Unhandled promise rejection. This error originated either by throwing inside of an async function without a catch block, ' +
    'or by rejecting a promise which was not handled with .catch(). To terminate the process on unhandled promise rejection, ' +
    `use the CLI flag \`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`);
  advice.name = 'UnhandledPromiseRejectionWarning';
  process.emitWarning(advice);
}

function setMode(value) { mode = value; }

setCallback('Rejection', onRejection);
ticks.setRejectionProcessor(processRejections);

module.exports = { setMode };
