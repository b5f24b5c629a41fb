// natives: runtime
// What a page's code throws and nobody catches, and promises that are rejected and not handled: events of the window first
// (https://html.spec.whatwg.org/#report-the-exception, #unhandled-promise-rejections). What no listener prevents is printed, and the
// run's exit code is 1; the page goes on.
'use strict';

const { setCallback, throwSite, throwStack } = native('runtime');
const { sources, queueTask } = require('html/agent');
const { fire } = require('html/events');
const ticks = require('internal/queues/ticks');

const kRejected = 0;

let window;
let isReporting = false;
let aboutToBeNotified = [];
const outstanding = new WeakSet();  // rejected promises that the page was told of

function print(error, site, stack) {
  process.exitCode = 1;
  require('internal/process/report').printUncaught(error, site, stack);
}

// https://html.spec.whatwg.org/#report-the-exception
function reportException(error) {
  const site = throwSite();
  const stack = throwStack();
  if (isReporting || window === undefined) return print(error, site, stack);
  isReporting = true;  // an exception inside of an error listener is not reported to it again
  try {
    const [filename = '', lineno = 0, colno = 0] = each(Array.isArray(site) ? site : []);
    const event = new window.ErrorEvent('error', {
      cancelable: true, message: messageOf(error), filename: `${filename}`, lineno: +lineno || 0, colno: +colno || 0, error,
    });
    if (fire(window, window, event)) print(error, site, stack);
  } finally {
    isReporting = false;
  }
}

function messageOf(error) {
  try {
    return typeof error?.stack === 'string' ? `Uncaught ${error.name}: ${error.message}` : `Uncaught ${String(error)}`;
  } catch {
    return 'Uncaught';
  }
}

function onRejection(operation, promise, reason) {
  if (operation === kRejected) {
    aboutToBeNotified.push({ promise, reason, isHandled: false });
    ticks.noteRejection();
    return;
  }
  const waiting = aboutToBeNotified.find((entry) => entry.promise === promise);
  if (waiting !== undefined) {
    waiting.isHandled = true;
  } else if (notified.has(promise)) {
    notified.get(promise).isHandled = true;
  } else if (outstanding.has(promise)) {
    outstanding.delete(promise);
    queueTask(sources.dom, () => { fireRejection('rejectionhandled', promise, reason, false); });
  }
}

// Promises whose event is queued and has not come yet.
const notified = new WeakMap();

// https://html.spec.whatwg.org/#notify-about-rejected-promises: step 4 of the checkpoint. The events are a task.
function notifyAboutRejectedPromises() {
  const list = aboutToBeNotified.filter((entry) => !entry.isHandled);
  aboutToBeNotified = [];
  if (list.length === 0) return false;
  for (const entry of each(list)) notified.set(entry.promise, entry);
  queueTask(sources.dom, () => {
    for (const entry of each(list)) {
      notified.delete(entry.promise);
      if (entry.isHandled) continue;
      if (fireRejection('unhandledrejection', entry.promise, entry.reason, true)) printRejection(entry.reason);
      if (!entry.isHandled) outstanding.add(entry.promise);
    }
  });
  return false;
}

function fireRejection(type, promise, reason, cancelable) {
  if (window === undefined) return true;
  return fire(window, window, new window.PromiseRejectionEvent(type, { cancelable, promise, reason }));
}

function printRejection(reason) {
  process.exitCode = 1;
  process._rawDebug(`Uncaught (in promise) ${typeof reason?.stack === 'string' ? reason.stack : require('util').inspect(reason)}`);
}

function start() {
  setCallback('Uncaught', (error) => {
    reportException(error);
    return true;
  });
  setCallback('Rejection', onRejection);
  ticks.setRejectionProcessor(notifyAboutRejectedPromises);
}

module.exports = { start, reportException, setWindow(value) { window = value; } };
