// natives: runtime
// Uncaught exceptions of a page's code, and promises that are rejected and not handled: events of the window first
// (https://html.spec.whatwg.org/#report-the-exception, #unhandled-promise-rejections). Reports not prevented are printed, and the
// run's exit code is 1; the page goes on.
'use strict';

const { setCallback, throwSite, throwStack } = native('runtime');
const { sources, queueTask, thrower, addRealm, windowOf } = require('html/agents/agent');
const { fire } = require('html/window/events');
const ticks = require('internal/queues/ticks');
const { withoutFragment } = require('html/network/addresses');

const kRejected = 0;

let window; // the page's own
const documents = new WeakMap(); // window → cell of its document
let handOn; // in a worker: its owner prints, or has a listener that prevents it
let printed; // html/compare is told what is printed
let isReporting = false;
let aboutToBeNotified = [];
const outstanding = new WeakSet(); // rejected promises that the page was told of

// A text that does not parse has no frame; the library's are of no use to a page.
const hasNoFrame = new WeakSet();
function withoutFrames(error) {
  if (!Error.isError(error) || error.name !== 'SyntaxError' || typeof error.stack !== 'string' || placeInStack(error.stack)) return;
  const at = error.stack.search(/\n {4}at /);
  hasNoFrame.add(error);
  if (at < 0 || !Object.isExtensible(error)) return;
  Object.defineProperty(error, 'stack', { __proto__: null, value: error.stack.slice(0, at), writable: true, configurable: true });
}

function print(error, site, stack, event) {
  printed?.(error, false);
  if (handOn !== undefined) return handOn(error, event);
  process.exitCode = 1;
  const { printUncaught, isPrimitive, reportOf, shownExcerpt, thrownAt } = require('internal/process/report');
  const place = isOfPage(site) ? site : require('internal/errors/arrow').placeOf(error);
  printUncaught(error, place, stack, () => {
    if (hasNoFrame.has(error))
      return `${require('internal/errors/arrow').isDecorated(error) ? '' : shownExcerpt(error, place)}${error.stack}`;
    if (!isPrimitive(error)) return reportOf(error, place, stack);
    // It has no stack: its place, or the page's address at least (an attribute's code has no place), and what browsers call it.
    const where = place === undefined ? `${event.filename ?? ''}\n\n` : shownExcerpt(error, place);
    return `${where}${messageOf(error)}${thrownAt(error, stack)}`;
  });
}

const isOfPage = (site) => Array.isArray(site) && site[0] !== '' && !/^node:|[/]node_modules[/]/.test(site[0]);

// https://html.spec.whatwg.org/#report-the-exception
function reportException(error, place) {
  const site = throwSite();
  const stack = throwStack();
  withoutFrames(error);
  if (isReporting || window === undefined) return print(error, site, stack, { message: messageOf(error) });
  isReporting = true; // an exception inside of an error listener is not reported to it again
  try {
    const target = documents.has(thrower()) ? thrower() : window;
    const event = new target.ErrorEvent('error', { cancelable: true, ...aboutError(target, error, place ?? placeOf(target, error, site)) });
    // An undefined error: the event's dictionary makes it null.
    if (error === undefined && target.document !== undefined) require('html/document/document').implOf(event).error = undefined;
    if (fire(target, target, event)) print(error, site, stack, event);
  } finally {
    isReporting = false;
  }
}

// The first line of a stack that is the page's own: [url, line, column]. An attribute's code has no place that a page has.
const kPlace = /^ +at (?:.* \()?(?:((?:https?|file|data|blob):.*)|<anonymous>):(\d+):(\d+)\)?$/m;
function placeInStack(stack) {
  const found = typeof stack === 'string' ? kPlace.exec(stack) : null;
  return found === null || found[1] === undefined ? undefined : [found[1], +found[2], +found[3]];
}

// Where it was thrown: by the throw itself, unless that was ours or the document's, which throw on what the page has thrown.
function placeOf(window, error, site) {
  return (
    require('internal/errors/arrow').placeOf(error) ?? (isOfPage(site) ? site : placeInStack(error?.stack)) ?? [window.location.href, 0, 0]
  );
}

// https://html.spec.whatwg.org/#muted-errors: a script that came from another origin without CORS tells nothing by its errors. By the
// addresses that were asked for: one that redirects there is one of them.
const muted = new Set();
function mute(url, { type }) {
  if (type === 'opaque') muted.add(withoutFragment(url));
}
const isMuted = (url) => muted.size > 0 && typeof url === 'string' && muted.has(withoutFragment(url));

function aboutError(window, error, place) {
  const [filename, lineno, colno] = each(place);
  if (isMuted(filename)) return { message: 'Script error.', filename: '', lineno: 0, colno: 0, error: null };
  return { message: messageOf(error), filename: `${filename}`, lineno: +lineno || 0, colno: +colno || 0, error };
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
    const target = windowOf(promise) ?? window;
    if (target !== undefined && isMuted(placeInStack(reason?.stack)?.[0] ?? target.document?.currentScript?.src)) return;
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
    queueFor(windowOf(promise), () => {
      fireRejection('rejectionhandled', promise, reason, false);
    });
  }
}

// Promises whose event is queued and has not come yet.
const notified = new WeakMap();

const queueFor = (target, steps) => queueTask(sources.dom, steps, documents.get(target ?? window));

// https://html.spec.whatwg.org/#notify-about-rejected-promises: step 4 of the checkpoint. The events are a task of each window that
// has some.
function notifyAboutRejectedPromises() {
  const list = aboutToBeNotified.filter((entry) => !entry.isHandled);
  aboutToBeNotified = [];
  if (list.length === 0) return false;
  for (const entry of each(list)) notified.set(entry.promise, entry);
  for (const [target, entries] of each([...each(Map.groupBy(list, ({ promise }) => windowOf(promise) ?? window))]))
    notifyWindow(target, entries);
  return false;
}

function notifyWindow(target, entries) {
  queueFor(target, () => {
    for (const entry of each(entries)) {
      notified.delete(entry.promise);
      if (entry.isHandled) continue;
      if (fireRejection('unhandledrejection', entry.promise, entry.reason, true)) printRejection(entry.reason);
      if (!entry.isHandled) outstanding.add(entry.promise);
    }
  });
}

// At the window that the promise is of.
function fireRejection(type, promise, reason, cancelable) {
  const target = windowOf(promise) ?? window;
  if (target === undefined) return true;
  return fire(target, target, new target.PromiseRejectionEvent(type, { cancelable, promise, reason }));
}

function printRejection(reason) {
  printed?.(reason, true);
  process.exitCode = 1;
  process._rawDebug(`Uncaught (in promise) ${require('internal/util/util').inspect(reason)}`);
}

function start() {
  setCallback('Uncaught', (error) => {
    reportException(error);
    return true;
  });
  setCallback('Rejection', onRejection);
  ticks.setRejectionProcessor(notifyAboutRejectedPromises);
}

// A worker's uncaught error, told to its owner's window after the worker's own listeners: `shown` is what is printed.
function reportForeign({ message, filename, lineno, colno, shown }) {
  if (
    window !== undefined &&
    !fire(window, window, new window.ErrorEvent('error', { cancelable: true, message, filename, lineno, colno, error: null }))
  )
    return;
  printForeign({ shown });
}

function printForeign({ shown }) {
  process.exitCode = 1;
  process._rawDebug(shown);
}

module.exports = {
  mute,
  start,
  reportException,
  placeInStack,
  reportForeign,
  printForeign,
  // The page has gone on to another window.
  setTop(value) {
    window = value;
  },
  setWindow(value, document) {
    window ??= value;
    documents.set(value, document);
    addRealm(value);
  },
  setHandOn(value) {
    handOn = value;
  },
  setPrinted(value) {
    printed = value;
  },
};
