// natives: none
// A window without a document, for scripts: a realm of its own with the interfaces of lib/web, and nothing of Node's.
'use strict';

const vm = require('vm');
const { define, defineAll, callScript } = require('html/agent');
const { attribute } = require('html/messaging');

// Interfaces that need no document: [module, names].
const interfaces = [
  ['web/event_target', ['Event', 'CustomEvent', 'EventTarget']],
  ['web/abort', ['AbortController', 'AbortSignal']],
  ['web/dom_exception', ['DOMException']],
  ['web/url', ['URL']],
  ['web/url_search_params', ['URLSearchParams']],
  ['web/encoding', ['TextEncoder', 'TextDecoder']],
  ['web/base64', ['atob', 'btoa']],
  ['web/blob', ['Blob', 'File']],
];

// Listeners are the page's code: each is called as such.
function pageEventTarget(base) {
  const wrappers = new WeakMap();
  const wrapped = (listener) => {
    if ((typeof listener !== 'function' && typeof listener !== 'object') || listener === null) return listener;
    if (!wrappers.has(listener)) {
      wrappers.set(listener, function(event) {
        if (typeof listener === 'function') callScript(listener, this, [event]);
        else callScript((...args) => listener.handleEvent(...each(args)), listener, [event]);
      });
    }
    return wrappers.get(listener);
  };
  return {
    EventTarget: class EventTarget extends base {
      constructor() { super(); }
      addEventListener(type, listener, options) { return super.addEventListener(type, wrapped(listener), options); }
      removeEventListener(type, listener, options) { return super.removeEventListener(type, wrapped(listener), options); }
    },
  }.EventTarget;
}

function create(url) {
  const window = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  for (const [module, names] of eachEntry(interfaces)) {
    for (const name of each(names)) define(window, name, require(module)[name], false);
  }
  const { EventTarget, initEventTarget } = require('web/event_target');
  define(window, 'EventTarget', pageEventTarget(EventTarget), false);
  class Window extends window.EventTarget {
    constructor() { throw new window.TypeError('Illegal constructor'); }
  }
  Object.setPrototypeOf(window, Window.prototype);
  initEventTarget(window);
  for (const type of each(['error', 'message', 'messageerror', 'unhandledrejection', 'rejectionhandled', 'load'])) attribute(window, type, undefined, window);
  for (const name of each(['addEventListener', 'removeEventListener', 'dispatchEvent'])) {
    const method = window.EventTarget.prototype[name];
    define(window, name, (...args) => Reflect.apply(method, window, args));
  }
  defineAll(window, {
    window, self: window, frames: window, parent: window, top: window, console: require('console'),
    Window, location: Object.freeze({ href: url.href, origin: url.origin, protocol: url.protocol, pathname: url.pathname, search: url.search, hash: url.hash }),
    origin: url.origin, name: '', isSecureContext: true,
  });
  return window;
}

module.exports = { create };
