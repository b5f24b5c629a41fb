// natives: none
// indexedDB of a window: fake-indexeddb, in memory, with its steps as tasks of the database access source. Loaded when first touched.
'use strict';

const { loop, sources, queueTask } = require('html/agent');
const pack = require('html/pack');

const kCleanUpHook = 2;

let delay = 0;

const kNames = [
  'indexedDB', 'IDBCursor', 'IDBCursorWithValue', 'IDBDatabase', 'IDBFactory', 'IDBIndex', 'IDBKeyRange', 'IDBObjectStore', 'IDBOpenDBRequest',
  'IDBRequest', 'IDBTransaction', 'IDBVersionChangeEvent',
];

function load() {
  pack.replace('fake-indexeddb/build/cjs/lib/scheduling.js', {
    queueTask(steps) {
      if (delay > 0) loop.setTimer(delay, false, () => queueTask(sources.database, steps));
      else queueTask(sources.database, steps);
    },
  });
  const loaded = pack.load('fake-indexeddb');
  endWithCheckpoints(loaded.IDBDatabase.prototype);
  return loaded;
}

// Step 5 of the checkpoint, https://w3c.github.io/IndexedDB/#cleanup-indexed-database-transactions: what a task has left active is active no more.
// The database makes a transaction active again while it tells of a request.
function endWithCheckpoints(prototype) {
  const live = new Set();
  const { transaction: make } = prototype;
  prototype.transaction = function(...args) {
    const made = Reflect.apply(make, this, args);
    live.add(made);
    return made;
  };
  loop.setHook(kCleanUpHook, () => {
    for (const made of each([...each(live)])) {
      if (made._state === 'active') made._state = 'inactive';
      if (made._state === 'finished') live.delete(made);
    }
  });
}

function install(window) {
  let loaded;
  for (const name of each(kNames)) {
    Object.defineProperty(window, name, {
      __proto__: null, configurable: true, enumerable: name === 'indexedDB',
      get: () => (loaded ??= load())[name],
      set(value) { Object.defineProperty(window, name, { __proto__: null, value, writable: true, configurable: true }); },
    });
  }
}

module.exports = { install, setDelay(milliseconds) { delay = +milliseconds || 0; } };
