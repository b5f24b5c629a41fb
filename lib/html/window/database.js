// natives: none
// indexedDB of a window: fake-indexeddb, with its steps as tasks of the database access source, in memory or kept (html/window/storage).
// Loaded when first touched.
'use strict';

const { loop, sources, queueTask, enterScript, noteTransactions, noteDetail, define } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch, substitution } = require('html/jsdom/patches');
const { kFiles } = require('html/jsdom/patch_table');

let delay = 0;

const kNames = [
  'indexedDB',
  'IDBCursor',
  'IDBCursorWithValue',
  'IDBDatabase',
  'IDBFactory',
  'IDBIndex',
  'IDBKeyRange',
  'IDBObjectStore',
  'IDBOpenDBRequest',
  'IDBRequest',
  'IDBTransaction',
  'IDBVersionChangeEvent',
];

const kFolder = 'fake-indexeddb/build/cjs';

const kMessages = {
  __proto__: null,
  AbortError: 'The transaction was aborted, so the request cannot be fulfilled.',
  ConstraintError: 'Key already exists in the object store.',
  DataCloneError: 'The object could not be cloned.',
  DataError: 'The parameter is not a valid key.',
  InvalidAccessError: 'The storeNames parameter was empty.',
  InvalidStateError: 'The operation is not possible in this state.',
  NotFoundError: 'The specified object was not found.',
  ReadOnlyError: 'The transaction is read-only.',
  SyntaxError: 'The keyPath argument contains an invalid key path.',
  TransactionInactiveError: 'The transaction is not active.',
  VersionError: 'The requested version is less than the existing version.',
};

// A class whose instances are the window's own DOMExceptions of a name.
function errorClass(window, name) {
  const made = function (message = kMessages[name]) {
    return new window.DOMException(message, name);
  };
  Object.defineProperty(made, Symbol.hasInstance, {
    __proto__: null,
    value: (error) => error instanceof window.DOMException && error.name === name,
  });
  return made;
}

// fake-indexeddb, of the window's realm.
function load(window, origin) {
  if (window.document === undefined) pack.open();
  const steps = {
    queueTask(callback) {
      if (delay > 0) loop.setTimer(delay, false, () => queueTask(sources.database, callback));
      else queueTask(sources.database, callback);
    },
  };
  const errors = Object.fromEntries(kFiles['database: errors'][1].map((name) => [name, errorClass(window, name)]));
  const file = pack.loaderIn(
    window,
    Object.fromEntries([substitution('database: tasks', steps), substitution('database: errors', errors)]),
  );
  const loaded = file(`${kFolder}/index.js`);
  enterAtListeners(file);
  endWithCheckpoints(file);
  withoutSetters(loaded.IDBCursor.prototype);
  loaded.indexedDB._databases = databasesOf(origin);
  if (origin === '') refuse(window, loaded);
  else if (window.document !== undefined) require('html/window/storage').keepDatabases(file, loaded.indexedDB, origin);
  return loaded;
}

// A document without an origin has no databases: https://w3c.github.io/IndexedDB/#dom-idbfactory-open
function refuse(window, { IDBFactory: { prototype } }) {
  const refusing = (name) => () => {
    const message = `Failed to execute '${name}' on 'IDBFactory': access to the Indexed Database API is denied in this context.`;
    throw new window.DOMException(message, 'SecurityError');
  };
  for (const name of each(['open', 'deleteDatabase', 'databases'])) define(prototype, name, refusing(name));
}

// A request's listeners are the page's code, with a checkpoint when they are done.
function enterAtListeners(file) {
  const entering = (dispatchEvent) =>
    function (event) {
      noteDetail(`${event.type} event`);
      return enterScript(() => Reflect.apply(dispatchEvent, this, [event]));
    };
  patch('database: event', entering, file);
}

// Attributes that nobody can set have no setter.
function withoutSetters(prototype) {
  for (const name of each(['source', 'request', 'direction', 'key', 'primaryKey'])) {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { __proto__: null, configurable: true, enumerable: true, get, set: undefined });
  }
}

// Step 5 of the checkpoint, https://w3c.github.io/IndexedDB/#cleanup-indexed-database-transactions: what a task has left active is
// active no more. The database makes a transaction active again while it tells of a request.
function endWithCheckpoints(file) {
  const live = new Set();
  const listing = (make) =>
    function (...args) {
      const made = Reflect.apply(make, this, args);
      live.add(made);
      loop.watchTransactions(true);
      return made;
    };
  patch('database: transaction', listing, file);
  noteTransactions();
  loop.setHook(loop.kCleanUpHook, () => {
    for (const made of each([...each(live)])) {
      if (made._state === 'active') made._state = 'inactive';
      if (made._state === 'finished') live.delete(made);
    }
    if (live.size === 0) loop.watchTransactions(false);
  });
}

// Databases that the windows of an origin share: name → fake-indexeddb's Database.
const databases = new Map();
function databasesOf(origin) {
  if (!databases.has(origin)) databases.set(origin, new Map());
  return databases.get(origin);
}

// `origin`: whose data it is; '': no origin's.
function install(window, origin) {
  let loaded;
  for (const name of each(kNames)) {
    Object.defineProperty(window, name, {
      __proto__: null,
      configurable: true,
      enumerable: name === 'indexedDB',
      get: () => (loaded ??= load(window, origin))[name],
      set(value) {
        Object.defineProperty(window, name, { __proto__: null, value, writable: true, configurable: true });
      },
    });
  }
}

module.exports = {
  install,
  setDelay(milliseconds) {
    delay = +milliseconds || 0;
  },
};
