// natives: none
// setTimeout, setInterval (https://html.spec.whatwg.org/#timers), animation frames and idle callbacks of a window.
'use strict';

const { loop, callScript, callMicrotask, define, defineAll } = require('html/agents/agent');
const { asIdle, asOther } = require('html/window/scheduler');

function handlerOf(window, handler) {
  if (typeof handler === 'function') return handler;
  const code = `${handler}`;
  return () => require('vm').runInContext(code, window, { filename: window.location.href });
}

function requireFunction(window, callback, name) {
  if (typeof callback !== 'function')
    throw new window.TypeError(`Failed to execute '${name}' on 'Window': parameter 1 is not of type 'Function'.`);
}

class IdleDeadline {
  #deadline;
  #didTimeout;
  constructor(deadline, didTimeout) {
    this.#deadline = deadline;
    this.#didTimeout = didTimeout;
  }
  get didTimeout() {
    return this.#didTimeout;
  }
  timeRemaining() {
    return this.#didTimeout ? 0 : Math.max(0, this.#deadline - loop.now());
  }
}
define(IdleDeadline.prototype, Symbol.toStringTag, 'IdleDeadline', false);

// `document`: the cell of the window's document.
function install(window, document) {
  const start = (repeats, name) =>
    function (handler, timeout = 0, ...args) {
      if (arguments.length === 0)
        throw new window.TypeError(`Failed to execute '${name}' on 'Window': 1 argument required, but only 0 present.`);
      const run = handlerOf(window, handler);
      return loop.setTimer(
        timeout | 0,
        repeats,
        () => {
          asOther(() => callScript(run, window, args));
        },
        document,
        handler,
      );
    };
  const clear = (id = 0) => {
    loop.clearTimer(id | 0);
  };
  defineAll(window, {
    setTimeout: named('setTimeout', start(false, 'setTimeout')),
    setInterval: named('setInterval', start(true, 'setInterval')),
    clearTimeout: named('clearTimeout', (id) => clear(id)),
    clearInterval: named('clearInterval', (id) => clear(id)),
    requestAnimationFrame(callback) {
      requireFunction(window, callback, 'requestAnimationFrame');
      return loop.requestFrame(
        (timestamp) => {
          callScript(callback, window, [timestamp]);
        },
        document,
        callback,
      );
    },
    cancelAnimationFrame(id) {
      loop.cancelFrame(id >>> 0, document);
    },
    requestIdleCallback(callback, options) {
      requireFunction(window, callback, 'requestIdleCallback');
      const timeout = options?.timeout >>> 0;
      return loop.requestIdle(
        (deadline, didTimeout) => {
          asIdle(() => callScript(callback, window, [new IdleDeadline(deadline, didTimeout)]));
        },
        timeout,
        document,
        callback,
      );
    },
    cancelIdleCallback(id) {
      loop.cancelIdle(id >>> 0, document);
    },
    queueMicrotask(callback) {
      requireFunction(window, callback, 'queueMicrotask');
      require('internal/queues/microtasks').queueMicrotaskFor(() => {
        callMicrotask(callback);
      }, callback);
    },
    IdleDeadline,
  });
}

function named(name, callback) {
  Object.defineProperty(callback, 'name', { __proto__: null, value: name, configurable: true });
  return callback;
}

module.exports = { install };
