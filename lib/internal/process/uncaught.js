// natives: runtime
// An exception nobody caught: tell the program, else print it as Node prints it and say with which code to end.
'use strict';

const programState = require('internal/process/program_state');
const { throwSite, throwStack } = native('runtime');

let captureCallback = null;

function setCapture(callback) {
  captureCallback = callback;
}
function hasCapture() {
  return captureCallback !== null;
}

// addUncaughtExceptionCaptureCallback: asked where no callback is set above, newest first; true means handled.
let extraCaptures = [];
function setExtraCaptures(callbacks) {
  extraCaptures = callbacks;
}

// Writes a diagnostic report, once process.report is there.
let reporter;
function setReporter(callback) {
  reporter = callback;
}

const abortsOnUncaught = () => require('internal/process/options').getOptionValue('--abort-on-uncaught-exception');

// With --abort-on-uncaught-exception only a callback of the program is asked, no listener; an error of the callback itself ends the
// process with code 7, with the option and without.
function isTaken(error, origin) {
  if (captureCallback === null) {
    if (origin === 'uncaughtException' && abortsOnUncaught()) return false;
    return (
      arraySome.call(arrayToReversed.call(extraCaptures), (capture) => capture(error) === true) ||
      process.emit('uncaughtException', error, origin)
    );
  }
  captureCallback(error);
  return true;
}

// Whether the program takes it. Listeners run in the async context in which it was thrown.
function offer(error, fromPromise) {
  const asyncContext = require('internal/async_hooks/context');
  return asyncContext.active ? asyncContext.inContextOfThrow(() => offerHere(error, fromPromise)) : offerHere(error, fromPromise);
}

function offerHere(error, fromPromise) {
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  process.emit('uncaughtExceptionMonitor', error, origin);
  if (!isTaken(error, origin)) return false;
  require('internal/async_hooks/ids').leaveAll();
  // Ticks left behind by the one that threw run after the next callback: make sure there is one.
  setImmediate(() => {});
  return true;
}

const kHandlerThrew = 7;

// true: handled, go on. A number: the exit code to end with.
function onUncaught(error, fromPromise) {
  const site = throwSite();
  const stack = throwStack();
  try {
    if (offer(error, fromPromise)) return true;
  } catch (thrown) {
    require('internal/process/report').printUncaught(thrown, undefined);
    return kHandlerThrew;
  }
  reporter?.(error);
  endProcess();
  try {
    require('internal/errors/coded').enhanceFatalStack(error);
  } catch {
    // A Proxy whose traps throw keeps the stack it has.
  }
  require('internal/process/report').printUncaught(error, site, stack);
  programState.compileCache?.flush();
  if (abortsOnUncaught()) process.abort();
  return process.exitCode ?? 1;
}

function endProcess() {
  if (process._exiting) return;
  process._exiting = true;
  process.exitCode = 1;
  try {
    process.emit('exit', 1);
  } catch {
    // The process is ending because of an exception already.
  }
}

module.exports = { onUncaught, offer, endProcess, setCapture, hasCapture, setExtraCaptures, setReporter };
