// natives: none
// setTimeout, setInterval (https://html.spec.whatwg.org/#timers), animation frames and idle callbacks of a window.
'use strict';

const { loop, callScript, define, defineAll } = require('html/agent');

function handlerOf(window, handler, name) {
  if (typeof handler === 'function') return handler;
  const code = `${handler}`;
  return () => window.eval(code);
}

function requireFunction(callback, name) {
  if (typeof callback !== 'function') throw new TypeError(`Failed to execute '${name}' on 'Window': parameter 1 is not of type 'Function'.`);
}

class IdleDeadline {
  #deadline;
  #didTimeout;
  constructor(deadline, didTimeout) {
    this.#deadline = deadline;
    this.#didTimeout = didTimeout;
  }
  get didTimeout() { return this.#didTimeout; }
  timeRemaining() { return this.#didTimeout ? 0 : Math.max(0, this.#deadline - loop.now()); }
}
define(IdleDeadline.prototype, Symbol.toStringTag, 'IdleDeadline', false);

function install(window) {
  const start = (repeats, name) => function(handler, timeout = 0, ...args) {
    if (arguments.length === 0) throw new TypeError(`Failed to execute '${name}' on 'Window': 1 argument required, but only 0 present.`);
    const run = handlerOf(window, handler, name);
    return loop.setTimer(timeout | 0, repeats, () => { callScript(run, window, args); });
  };
  const clear = (id = 0) => { loop.clearTimer(id | 0); };
  defineAll(window, {
    setTimeout: named('setTimeout', start(false, 'setTimeout')),
    setInterval: named('setInterval', start(true, 'setInterval')),
    clearTimeout: named('clearTimeout', (id) => clear(id)),
    clearInterval: named('clearInterval', (id) => clear(id)),
    requestAnimationFrame(callback) {
      requireFunction(callback, 'requestAnimationFrame');
      return loop.requestFrame((timestamp) => { callScript(callback, window, [timestamp]); });
    },
    cancelAnimationFrame(id) { loop.cancelFrame(id >>> 0); },
    requestIdleCallback(callback, options) {
      requireFunction(callback, 'requestIdleCallback');
      const timeout = options?.timeout >>> 0;
      return loop.requestIdle((deadline, didTimeout) => {
        callScript(callback, window, [new IdleDeadline(deadline, didTimeout)]);
      }, timeout);
    },
    cancelIdleCallback(id) { loop.cancelIdle(id >>> 0); },
    queueMicrotask(callback) {
      requireFunction(callback, 'queueMicrotask');
      require('internal/queues/microtasks').queueMicrotask(() => { callScript(callback, undefined, []); });
    },
    IdleDeadline,
  });
}

function named(name, callback) {
  Object.defineProperty(callback, 'name', { __proto__: null, value: name, configurable: true });
  return callback;
}

module.exports = { install };
