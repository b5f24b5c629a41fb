// natives: none
// A window without a document, for scripts: a realm of its own with the interfaces of lib/internal, and nothing of Node's.
'use strict';

const vm = require('vm');
const { define, defineAll, callScript } = require('html/agents/agent');
const { attribute } = require('html/window/handler_attribute');

// Interfaces that need no document: [module, names].
const interfaces = [
  ['internal/events/event_target', ['Event', 'CustomEvent', 'EventTarget']],
  ['internal/events/abort', ['AbortController', 'AbortSignal']],
  ['internal/errors/dom_exception', ['DOMException']],
  ['internal/url/url_class', ['URL']],
  ['internal/url/search_params', ['URLSearchParams']],
  ['internal/encoding/encoding', ['TextEncoder', 'TextDecoder']],
  ['internal/encoding/base64', ['atob', 'btoa']],
  ['internal/webstreams/blob', ['Blob', 'File']],
];

// Listeners are the page's code: each is called as such.
function pageEventTarget(base) {
  const wrappers = new WeakMap();
  const wrapped = (listener) => {
    if ((typeof listener !== 'function' && typeof listener !== 'object') || listener === null) return listener;
    if (!wrappers.has(listener)) {
      wrappers.set(listener, function (event) {
        if (typeof listener === 'function') callScript(listener, this, [event]);
        else callScript((...args) => listener.handleEvent(...each(args)), listener, [event]);
      });
    }
    return wrappers.get(listener);
  };
  return {
    EventTarget: class EventTarget extends base {
      constructor() {
        super();
      }
      addEventListener(type, listener, options) {
        return super.addEventListener(type, wrapped(listener), options);
      }
      removeEventListener(type, listener, options) {
        return super.removeEventListener(type, wrapped(listener), options);
      }
    },
  }.EventTarget;
}

// A global scope of its own realm, whose class is called `name`, with the interfaces above.
function createScope(name, types, parent) {
  const scope = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  require('html/agents/realm').joinErrors(scope);
  for (const [module, names] of eachEntry(interfaces)) {
    for (const key of each(names)) define(scope, key, require(module)[key], false);
  }
  const { EventTarget, initEventTarget } = require('internal/events/event_target');
  define(scope, 'EventTarget', pageEventTarget(EventTarget), false);
  const illegal = () => {
    throw new scope.TypeError('Illegal constructor');
  };
  const base =
    parent === undefined
      ? scope.EventTarget
      : {
          [parent]: class extends scope.EventTarget {
            constructor() {
              illegal();
            }
          },
        }[parent];
  const Scope = {
    [name]: class extends base {
      constructor() {
        illegal();
      }
    },
  }[name];
  if (parent !== undefined) define(scope, parent, base, false);
  define(scope, name, Scope, false);
  Object.setPrototypeOf(scope, Scope.prototype);
  initEventTarget(scope);
  for (const type of each(types)) attribute(scope, type, undefined, scope);
  for (const key of each(['addEventListener', 'removeEventListener', 'dispatchEvent'])) {
    const method = scope.EventTarget.prototype[key];
    define(scope, key, (...args) => Reflect.apply(method, scope, args));
  }
  return scope;
}

// The console of a page: its methods, and nothing of the streams behind it.
const kConsole = [
  'log',
  'info',
  'warn',
  'error',
  'debug',
  'dir',
  'dirxml',
  'table',
  'trace',
  'assert',
  'clear',
  'count',
  'countReset',
  'time',
  'timeEnd',
  'timeLog',
  'group',
  'groupCollapsed',
  'groupEnd',
];
function consoleOver(inner) {
  const made = {};
  for (const name of each(kConsole))
    define(
      made,
      name,
      {
        [name](...args) {
          Reflect.apply(inner[name], inner, args);
        },
      }[name],
    );
  Object.defineProperty(made, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });
  return made;
}

const locationOf = (url) =>
  Object.freeze({
    href: url.href,
    origin: url.origin,
    protocol: url.protocol,
    host: url.host,
    hostname: url.hostname,
    port: url.port,
    pathname: url.pathname,
    search: url.search,
    hash: url.hash,
    toString: () => url.href,
  });

function create(url) {
  const window = createScope('Window', ['error', 'message', 'messageerror', 'unhandledrejection', 'rejectionhandled', 'load']);
  defineAll(window, {
    window,
    self: window,
    frames: window,
    parent: window,
    top: window,
    console: consoleOver(require('internal/console/program')),
    location: locationOf(url),
    origin: url.origin,
    name: '',
    isSecureContext: true,
  });
  return window;
}

module.exports = { create, createScope, consoleOver };
