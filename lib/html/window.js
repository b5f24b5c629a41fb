// natives: none
// What every window has, with a document or without: put on it here, once, before its first script runs.
'use strict';

const { loop, sources, queueTask, define } = require('html/agent');

// On the virtual clock a page's dates are virtual too.
function installDate(window) {
  if (!loop.isVirtual) return;
  const Real = window.Date;
  const begin = 0;
  const now = () => begin + Math.floor(loop.now());
  const Virtual = new Proxy(Real, {
    __proto__: null,
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Real(now()).toString(),
  });
  define(Real, 'now', now);
  define(Real.prototype, 'constructor', Virtual, false);
  define(window, 'Date', Virtual, false);
}

function install(window, url) {
  let isClosing = false;
  require('html/events').install(window);
  require('html/timers').install(window);
  require('html/messaging').install(window, url.origin);
  require('html/performance').install(window);
  require('html/scheduler').install(window);
  require('html/rondo').install(window);
  require('html/fetch').install(window);
  installDate(window);
  define(window, 'close', () => {
    if (isClosing) return;
    isClosing = true;
    queueTask(sources.dom, () => { loop.close(); });
  });
  Object.defineProperty(window, 'closed', { __proto__: null, configurable: true, enumerable: true, get: () => isClosing });
  define(window, 'reportError', (error) => { require('html/reports').reportException(error); });
  require('html/reports').setWindow(window);
}

module.exports = { install };
