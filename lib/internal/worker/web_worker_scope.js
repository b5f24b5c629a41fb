// natives: modules
// The global scope of a web worker (https://html.spec.whatwg.org/#the-workerglobalscope-common-interface) and its program.
'use strict';

const binding = native('modules');
const state = require('internal/worker/state');
const { EventTarget, defineEventHandler } = require('internal/events/event_target');

// The events of the global scope go through this.
class Scope extends EventTarget {
  constructor() {
    super();
  }
}
for (const type of each(['message', 'messageerror', 'error'])) defineEventHandler(Scope.prototype, type);
const scope = new Scope();

const kGlobals = {
  WorkerGlobalScope: class WorkerGlobalScope {
    static [Symbol.hasInstance](value) {
      return value === globalThis;
    }
  },
  DedicatedWorkerGlobalScope: class DedicatedWorkerGlobalScope {
    static [Symbol.hasInstance](value) {
      return value === globalThis;
    }
  },
};

function define(name, value) {
  Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
}

function defineHandler(name) {
  Object.defineProperty(globalThis, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => scope[name],
    set(value) {
      scope[name] = value;
      listen();
    },
  });
}

// https://html.spec.whatwg.org/#the-event-handler-processing-algorithm: of an error a global scope's handler gets the parts, and true
// handles it.
function defineErrorHandler() {
  let handler = null;
  Object.defineProperty(globalThis, 'onerror', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => handler,
    set(value) {
      handler = typeof value === 'function' ? value : null;
      scope.onerror = handler === null ? null : callErrorHandler;
    },
  });
  function callErrorHandler(event) {
    if (!(event instanceof require('internal/events/error_event').ErrorEvent)) return Reflect.apply(handler, globalThis, [event]);
    const { message, filename, lineno, colno, error } = event;
    if (Reflect.apply(handler, globalThis, [message, filename, lineno, colno, error]) === true) event.preventDefault();
  }
}

// The port runs, and keeps the worker alive, from the first listener on.
let isListening = false;
function listen() {
  if (isListening) return;
  isListening = true;
  const { parentPort } = state;
  const { MessageEvent } = require('internal/messaging/message_event');
  const forward = (event) => scope.dispatchEvent(new MessageEvent(event.type, { data: event.data, ports: event.ports }));
  parentPort.addEventListener('message', forward);
  parentPort.addEventListener('messageerror', forward);
}

// The task that runs finishes, with its microtasks; nothing else of what is queued runs any more.
function close() {
  const { exitCode = 0 } = process;
  require('internal/queues/ticks').whenAtRest(() => process.reallyExit(exitCode));
}

function textOf(url, blob) {
  if (blob !== undefined) return blob;
  if (stringStartsWith.call(url, 'file:')) return binding.readFileUtf8(require('internal/url/url').fileURLToPath(url));
  const comma = stringIndexOf.call(url, ',');
  const data = decodeURIComponent(stringSlice.call(url, comma + 1));
  return regexpTest.call(/;base64$/i, stringSlice.call(url, 0, comma))
    ? require('internal/buffer/buffer').Buffer.from(data, 'base64').toString()
    : data;
}

let base;

function importScripts(...urls) {
  const { URL } = require('internal/url/url');
  const { DOMException } = require('internal/errors/dom_exception');
  for (const given of each(urls)) {
    const url = stringStartsWith.call(base, 'file:') ? new URL(`${given}`, base).href : `${given}`;
    let source;
    try {
      if (!regexpTest.call(/^(?:file|data):/, url)) throw new TypeError('cannot be loaded');
      source = textOf(url);
    } catch {
      throw new DOMException(`The script at '${url}' failed to load.`, 'NetworkError');
    }
    binding.runScript(source, url);
  }
}

// An uncaught error is reported, here and then to the owner; the worker goes on.
function onUncaught(error, sendError) {
  const { errorEvent } = require('internal/events/error_event');
  if (scope.dispatchEvent(errorEvent(error))) sendError(error);
  return true;
}

function install({ url, type, name }, sendError) {
  base = url;
  define('self', globalThis);
  define('name', name);
  define('location', new (require('internal/url/url').URL)(url));
  define('postMessage', (...args) => state.parentPort.postMessage(...each(args)));
  define('close', close);
  if (type === 'classic') define('importScripts', importScripts);
  define('addEventListener', (kind, ...rest) => {
    scope.addEventListener(kind, ...each(rest));
    if (kind === 'message' || kind === 'messageerror') listen();
  });
  define('removeEventListener', (...args) => scope.removeEventListener(...each(args)));
  define('dispatchEvent', (event) => scope.dispatchEvent(event));
  for (const handler of each(['onmessage', 'onmessageerror'])) defineHandler(handler);
  defineErrorHandler();
  for (const key of each(Object.keys(kGlobals))) {
    Object.defineProperty(globalThis, key, {
      __proto__: null,
      value: kGlobals[key],
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
  process._fatalException = (error) => onUncaught(error, sendError);
}

// The program. A blob's comes later, as a task of its own, so that what it throws is thrown like anything else.
function run(kind, entry, { url, type, blob }) {
  if (blob === undefined) return start(type, url);
  promiseThen(blob.text(), (source) => {
    setImmediate(start, type, url, source);
  });
}

function start(type, url, source) {
  const program = require('internal/modules/run_main');
  if (type === 'module') return program.runUrl(source === undefined ? url : `data:text/javascript,${encodeURIComponent(source)}`);
  binding.runScript(source ?? textOf(url), url);
}

module.exports = { install, run };
