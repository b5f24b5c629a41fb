// natives: none
// fetch (https://fetch.spec.whatwg.org/#fetch-method): undici's, as Node embeds it, loaded by the first call. What the package's
// own entry does when it is loaded is done here on demand: its other classes are globals of their own (internal/process/web_globals),
// the dispatcher's methods load when called.
'use strict';

let undiciFetch;

function load() {
  const { setGlobalDispatcher, getGlobalDispatcher } = require('undici/lib/global');
  const prototype = require('undici/lib/dispatcher/dispatcher').prototype;
  for (const name of each(['request', 'stream', 'pipeline', 'upgrade', 'connect'])) {
    prototype[name] = function (...args) {
      return Reflect.apply(require('undici/lib/api/index')[name], this, args);
    };
  }
  undiciFetch = require('undici/lib/web/fetch/index').fetch;
  return { setGlobalDispatcher, getGlobalDispatcher };
}

// The agent that asks the environment for proxies, as the dispatcher of every fetch (`--use-env-proxy`).
function useEnvironmentProxies(options = undefined) {
  const { setGlobalDispatcher, getGlobalDispatcher } = load();
  const before = getGlobalDispatcher();
  setGlobalDispatcher(new (require('undici/lib/dispatcher/env-http-proxy-agent'))(options));
  return () => setGlobalDispatcher(before);
}

// A failure is found in a later turn, where no frame is the program's: its stack is that of the call.
function fetch(input, init = undefined) {
  if (undiciFetch === undefined) load();
  const called = new Error();
  captureStackTrace(called, fetch);
  return promiseThen(undiciFetch(input, init), undefined, (error) => {
    if (typeof error === 'object' && error !== null && error instanceof TypeError) {
      const frames = arrayJoin.call(arraySlice.call(stringSplit.call(`${called.stack}`, '\n'), 1), '\n');
      Object.defineProperty(error, 'stack', {
        __proto__: null,
        value: `${error.name}: ${error.message}\n${frames}`,
        writable: true,
        configurable: true,
      });
    }
    throw error;
  });
}

module.exports = { fetch, useEnvironmentProxies };
