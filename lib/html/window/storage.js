// natives: none
// --storage=DIR: localStorage and IndexedDB of an origin kept over runs, in two journals (html/window/journal) in a folder of the origin's
// name. A change of localStorage is written before setItem returns, a transaction before its complete event.
'use strict';

const { define } = require('html/agents/agent');
const { patch } = require('html/jsdom/patches');
const { Journal } = require('html/window/journal');

function folderOf(origin) {
  const { getOptionValue } = require('internal/process/options');
  const root = getOptionValue('--storage');
  return root ? require('internal/path/path').resolve(root, encodeURIComponent(origin)) : undefined;
}

// The map that localStorage of an origin is made of; without the option an ordinary one.
function localStorageArea(origin) {
  const folder = folderOf(origin);
  if (folder === undefined) return new Map();
  const area = new Map();
  const journal = new Journal(`${folder}/localstorage.journal`, ({ key, value }) => {
    if (key === null) area.clear();
    else if (value === null) area.delete(key);
    else area.set(key, value);
  });
  journal.compact(() => [...each(area.keys())].map((key) => ({ key, value: area.get(key) })));
  const methods = {
    set(key, value) {
      journal.append({ key, value });
      return Map.prototype.set.call(area, key, value);
    },
    delete(key) {
      journal.append({ key, value: null });
      return Map.prototype.delete.call(area, key);
    },
    clear() {
      journal.append({ key: null, value: null });
      return Map.prototype.clear.call(area);
    },
  };
  for (const name of each(Object.keys(methods))) define(area, name, methods[name], false);
  return area;
}

// Everything of a database, and back.
const snapshotOf = ({ name, version, rawObjectStores }) => ({
  name,
  version,
  stores: [...each(rawObjectStores.values())].map((store) => ({
    name: store.name,
    keyPath: store.keyPath,
    autoIncrement: store.autoIncrement,
    number: store.keyGenerator?.num,
    indexes: [...each(store.rawIndexes.values())].map((index) => ({
      name: index.name,
      keyPath: index.keyPath,
      multiEntry: index.multiEntry,
      unique: index.unique,
    })),
    records: [...each(store.records.values())].map(({ key, value }) => [key, value]),
  })),
});

function restore(load, { name, version, stores }) {
  const Database = load('lib/Database.js');
  const ObjectStore = load('lib/ObjectStore.js');
  const Index = load('lib/Index.js');
  const database = new Database(name, version);
  for (const { name: storeName, keyPath, autoIncrement, number, indexes, records } of each(stores)) {
    const store = new ObjectStore(database, storeName, keyPath, autoIncrement);
    database.rawObjectStores.set(storeName, store);
    for (const index of each(indexes)) {
      const made = new Index(store, index.name, index.keyPath, index.multiEntry, index.unique);
      made.initialized = true;
      store.rawIndexes.set(index.name, made);
    }
    for (const [key, value] of eachEntry(records)) store.storeRecord({ key, value }, false);
    if (store.keyGenerator !== null) store.keyGenerator.num = number;
  }
  return database;
}

// A change of a transaction to a record of a store: put (with the generator's number then), delete (a key or a range), clear.
function redo(load, database, { name, what, key, value, number }) {
  const store = database.rawObjectStores.get(name);
  if (what === 'put') store.storeRecord({ key, value }, false);
  else if (what === 'clear') store.clear();
  else store.deleteRecord(key.isRange ? new (load('FDBKeyRange.js'))(key.lower, key.upper, key.lowerOpen, key.upperOpen) : key.key);
  if (number !== undefined && store.keyGenerator !== null) store.keyGenerator.num = number;
}

// Which operations belong to which transaction: both have its list of what to undo.
function recordOperations(file) {
  const operations = new WeakMap();
  const note = (log, operation) => {
    if (log === undefined) return; // an undoing
    if (!operations.has(log)) operations.set(log, []);
    operations.get(log).push(operation);
  };
  const noteStored = (storeRecord) =>
    function (record, noOverwrite, log) {
      const key = Reflect.apply(storeRecord, this, [record, noOverwrite, log]);
      note(log, { name: this.name, what: 'put', key, value: record.value, number: this.keyGenerator?.num });
      return key;
    };
  const noteDeleted = (deleteRecord) =>
    function (key, log) {
      Reflect.apply(deleteRecord, this, [key, log]);
      const isRange = Object.prototype.toString.call(key) === '[object IDBKeyRange]';
      const { lower, upper, lowerOpen, upperOpen } = key;
      note(log, { name: this.name, what: 'delete', key: isRange ? { isRange, lower, upper, lowerOpen, upperOpen } : { key } });
    };
  const noteCleared = (clear) =>
    function (log) {
      Reflect.apply(clear, this, [log]);
      note(log, { name: this.name, what: 'clear' });
    };
  patch('database: store', noteStored, file);
  patch('database: delete', noteDeleted, file);
  patch('database: clear', noteCleared, file);
  return operations;
}

// `file(id)` gives a file of fake-indexeddb, `factory` is its indexedDB.
function keepDatabases(file, factory, origin) {
  const load = (name) => file(`fake-indexeddb/build/cjs/${name}`);
  const folder = folderOf(origin);
  if (folder === undefined) return;
  const databases = factory._databases;
  const journal = new Journal(`${folder}/indexeddb.journal`, (record) => {
    if (record.type === 'database') databases.set(record.database.name, restore(load, record.database));
    else if (record.type === 'dropped') databases.delete(record.name);
    else for (const operation of each(record.operations)) redo(load, databases.get(record.name), operation);
  });
  journal.compact(() => [...each(databases.values())].map((database) => ({ type: 'database', database: snapshotOf(database) })));
  const operations = recordOperations(file);
  const journalCompleted = (dispatchEvent) =>
    function (event) {
      if (event.type === 'complete' && this.mode !== 'readonly') {
        const { _rawDatabase: raw } = this.db;
        const done = operations.get(this._rollbackLog);
        if (this.mode === 'versionchange') journal.append({ type: 'database', database: snapshotOf(raw) }, true);
        else if (done !== undefined) journal.append({ type: 'done', name: raw.name, operations: done }, this.durability === 'strict');
      }
      return Reflect.apply(dispatchEvent, this, [event]);
    };
  patch('database: event of a transaction', journalCompleted, file);
  define(
    databases,
    'delete',
    (name) => {
      journal.append({ type: 'dropped', name }, true);
      return Map.prototype.delete.call(databases, name);
    },
    false,
  );
}

module.exports = { localStorageArea, keepDatabases };
