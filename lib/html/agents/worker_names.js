// natives: none
// Interfaces that only workers have: WorkerLocation and WorkerNavigator (https://html.spec.whatwg.org/#worker-locations,
// #the-workernavigator-object).
'use strict';

const { define } = require('html/agents/agent');

const kLocation = ['href', 'origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

// An interface whose only object is made here, with the given attributes.
function single(scope, name, attributes, more = {}) {
  let isMade = false;
  const made = {
    [name]: class {
      constructor() {
        if (isMade) throw new scope.TypeError('Illegal constructor');
      }
    },
  }[name];
  const object = new made();
  isMade = true;
  for (const key of each(Object.keys(attributes))) {
    Object.defineProperty(made.prototype, key, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      set: undefined,
      get() {
        if (this !== object) throw new scope.TypeError('Illegal invocation');
        return attributes[key]();
      },
    });
  }
  for (const key of each(Object.keys(more))) define(made.prototype, key, more[key]);
  define(made.prototype, Symbol.toStringTag, name, false);
  define(scope, name, made, false);
  return object;
}

function locationOf(scope, url) {
  const attributes = Object.fromEntries(kLocation.map((name) => [name, () => url[name]]));
  return single(scope, 'WorkerLocation', attributes, {
    toString: {
      toString() {
        return this.href;
      },
    }.toString,
  });
}

function navigatorOf(scope) {
  const { navigator } = require('internal/worker/navigator');
  const userAgent = `Mozilla/5.0 (linux) AppleWebKit/605.1.15 (KHTML, like Gecko) Rondo/${process.version.slice(1)}`;
  const facts = {
    appCodeName: 'Mozilla',
    appName: 'Netscape',
    appVersion: userAgent.slice('Mozilla/'.length),
    product: 'Gecko',
    platform: navigator.platform,
    userAgent,
    onLine: true,
    language: navigator.language,
    languages: Object.freeze(scope.Array.from(navigator.languages)),
    hardwareConcurrency: navigator.hardwareConcurrency,
  };
  return single(scope, 'WorkerNavigator', Object.fromEntries(Object.keys(facts).map((name) => [name, () => facts[name]])));
}

module.exports = { locationOf, navigatorOf };
