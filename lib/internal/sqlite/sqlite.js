// natives: sqlite
//
// node:sqlite: databases of SQLite, used on the spot (DatabaseSync, StatementSync, Session), and backup(). Objects of the three
// classes are cells of src/modules/sqlite; arguments are checked here, and what runs for every row is native.

'use strict';

const binding = native('sqlite');
const { backup } = require('internal/sqlite/backup');
const constants = require('internal/sqlite/constants');
const {
  integerOption,
  option,
  rangeError,
  requireObject,
  requireType,
  typeError,
  valueError,
  withCode,
} = require('internal/sqlite/errors');
const { defineAggregate, defineFunction, setAuthorizer } = require('internal/sqlite/functions');
const { limitPairs, makeLimits } = require('internal/sqlite/limits');
const { locationOf } = require('internal/sqlite/location');
const { applyChangeset, createSession, Session } = require('internal/sqlite/session');
const { bitsOf, kAllowBareNamedParameters, prepare, StatementSync } = require('internal/sqlite/statement');
const { makeTagStore } = require('internal/sqlite/tag_store');
const { isUint8Array } = require('internal/util/types');

const kDefaultTagStoreSize = 1000;
// Of a database: the options its statements inherit, as bits, and its limits object.
const statementBits = new WeakMap();
const limitsObjects = new WeakMap();

function DatabaseSync(path, options = undefined) {
  if (new.target === undefined) throw withCode(new TypeError('Cannot call constructor without `new`'), 'ERR_CONSTRUCT_CALL_REQUIRED');
  const location = locationOf(path);
  const given = arguments.length > 1 && options !== undefined ? requireObject(options, 'options') : {};
  const isOpen = option(given, 'open', 'boolean', true);
  const isReadOnly = option(given, 'readOnly', 'boolean', false);
  const hasForeignKeys = option(given, 'enableForeignKeyConstraints', 'boolean', true);
  const hasDoubleQuotedStrings = option(given, 'enableDoubleQuotedStringLiterals', 'boolean', false);
  const allowsExtensions = option(given, 'allowExtension', 'boolean', false);
  const timeout = integerOption(given, 'timeout', 0);
  const bits = bitsOf(given, kAllowBareNamedParameters);
  const isDefensive = option(given, 'defensive', 'boolean', true);
  const database = binding.newDatabase(
    new.target.prototype,
    location,
    isReadOnly,
    hasForeignKeys,
    hasDoubleQuotedStrings,
    isDefensive,
    allowsExtensions,
    timeout,
    limitPairs(given.limits),
  );
  statementBits.set(database, bits);
  Object.defineProperties(database, ownProperties);
  if (isOpen) binding.open(database);
  return database;
}

function nameOf(name) {
  return name === undefined ? 'main' : requireType(name, 'string', 'dbName');
}

Object.assign(DatabaseSync.prototype, {
  open() {
    binding.open(this);
  },
  close() {
    binding.close(this);
  },
  prepare(sql, options) {
    return prepare(this, statementBits.get(this), sql, options);
  },
  exec(sql) {
    binding.check(this);
    binding.execute(this, requireType(sql, 'string', 'sql'));
  },
  function(...args) {
    defineFunction(this, args);
  },
  createTagStore(maxSize = kDefaultTagStoreSize) {
    binding.check(this);
    if (typeof maxSize !== 'number' || (maxSize | 0) !== maxSize) throw typeError('The "maxSize" argument must be an integer.');
    if (maxSize <= 0) throw rangeError('The "maxSize" argument must be greater than 0.');
    return makeTagStore(this, statementBits.get(this), maxSize);
  },
  location(dbName) {
    binding.isInTransaction(this); // throws when it is closed
    return binding.location(this, nameOf(dbName));
  },
  aggregate(name, options) {
    defineAggregate(this, name, options);
  },
  createSession(options) {
    return createSession(this, options);
  },
  applyChangeset(changeset, options) {
    return applyChangeset(this, changeset, options);
  },
  enableLoadExtension(allow) {
    binding.check(this);
    binding.setExtensions(this, requireType(allow, 'boolean', 'allow'));
  },
  enableDefensive(active) {
    binding.check(this);
    binding.setDefensive(this, requireType(active, 'boolean', 'active'));
  },
  loadExtension(path, entryPoint) {
    binding.loadExtension(this, path, entryPoint);
  },
  serialize(dbName) {
    binding.check(this);
    return binding.serialize(this, nameOf(dbName));
  },
  deserialize(buffer, options = undefined) {
    binding.check(this);
    if (!isUint8Array(buffer)) throw typeError('The "buffer" argument must be a Uint8Array.');
    if (buffer.byteLength === 0) throw valueError('The "buffer" argument must not be empty.');
    let name = 'main';
    if (options !== undefined) name = option(requireObject(options, 'options'), 'dbName', 'string', name);
    binding.deserialize(this, buffer, name);
  },
  setAuthorizer(callback) {
    setAuthorizer(this, callback);
  },
  [Symbol.dispose]() {
    try {
      binding.close(this);
    } catch {
      // It is closed.
    }
  },
});

function getter(get) {
  return { __proto__: null, enumerable: true, configurable: false, get };
}
// Of each database itself, as in Node: console.log() shows them.
const ownProperties = {
  __proto__: null,
  isOpen: getter(function isOpen() {
    return binding.isOpen(this);
  }),
  isTransaction: getter(function isTransaction() {
    return binding.isInTransaction(this);
  }),
  limits: getter(function limits() {
    binding.isOpen(this); // throws unless it is a database
    let object = limitsObjects.get(this);
    if (object === undefined) limitsObjects.set(this, (object = makeLimits(this)));
    return object;
  }),
  [Symbol.for('sqlite-type')]: { __proto__: null, value: 'node:sqlite', writable: true, enumerable: true, configurable: true },
};

module.exports = { DatabaseSync, StatementSync, Session, constants, backup };
