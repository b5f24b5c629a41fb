// natives: sqlite
//
// localStorage, sessionStorage and Storage (https://html.spec.whatwg.org/multipage/webstorage.html). Items are rows of a database:
// of the file of --localstorage-file, in Node's own form, or of one in memory. It is opened by the first call that needs it.

'use strict';

const binding = native('sqlite');
const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');

const kQuota = 10 * 1024 * 1024; // bytes of UTF-16, keys and values together
const kVersion = 1;

const size = (row) => `LENGTH(${row}.key) + LENGTH(${row}.value)`;
const kRefuse = `SELECT RAISE(ABORT, 'QuotaExceeded') WHERE EXISTS (SELECT 1 FROM nodejs_webstorage_state WHERE total_size > max_size);`;
const trigger = (name, event, change, end) =>
  `CREATE TRIGGER IF NOT EXISTS nodejs_quota_${name} AFTER ${event} ON nodejs_webstorage FOR EACH ROW BEGIN
     UPDATE nodejs_webstorage_state SET total_size = total_size + ${change}; ${end} END;`;
const kTables = `
  CREATE TABLE IF NOT EXISTS nodejs_webstorage(key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY(key)) STRICT;
  CREATE TABLE IF NOT EXISTS nodejs_webstorage_state(
    max_size INTEGER NOT NULL DEFAULT ${kQuota}, total_size INTEGER NOT NULL, schema_version INTEGER NOT NULL DEFAULT 0,
    single_row_ INTEGER NOT NULL DEFAULT 1 CHECK(single_row_ = 1), PRIMARY KEY(single_row_)) STRICT;
  ${trigger('insert', 'INSERT', size('NEW'), kRefuse)}
  ${trigger('update', 'UPDATE', `((${size('NEW')}) - (${size('OLD')}))`, kRefuse)}
  ${trigger('delete', 'DELETE', `-(${size('OLD')})`, '')}
  INSERT OR IGNORE INTO nodejs_webstorage_state(total_size, schema_version) VALUES(0, ${kVersion});`;

const toBytes = (text) => require('internal/buffer/buffer').Buffer.from(text, 'utf16le');
const toText = (bytes) =>
  require('internal/buffer/buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le');

// The items of one storage.
class Items {
  #location;
  #database;
  #statements = new Map();

  constructor(location) {
    this.#location = location;
  }

  #open() {
    const { DatabaseSync } = require('internal/sqlite/sqlite');
    const database = new DatabaseSync(this.#location, { timeout: 5000 });
    // Node's triggers call it; SQLite has it since 3.43.
    binding.createFunction(database, 'octet_length', 1, (bytes) => bytes.length, true, false, false);
    binding.execute(database, `BEGIN IMMEDIATE; ${kTables} COMMIT;`);
    return database;
  }

  #run(text, method, ...args) {
    this.#database ??= this.#open();
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = binding.prepare(this.#database, text, 0, false)));
    return Reflect.apply(binding.statementMethods[method], statement, args);
  }

  get length() {
    return this.#run('SELECT count(*) AS n FROM nodejs_webstorage', 'get').n;
  }

  get(key) {
    const row = this.#run('SELECT value FROM nodejs_webstorage WHERE key = ?', 'get', toBytes(key));
    return row === undefined ? null : toText(row.value);
  }

  set(key, value) {
    const text = 'INSERT INTO nodejs_webstorage(key, value) VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';
    try {
      this.#run(text, 'run', toBytes(key), toBytes(value));
    } catch (error) {
      if (error.message !== 'QuotaExceeded') throw error;
      const { QuotaExceededError } = require('internal/errors/dom_exception');
      throw new QuotaExceededError('Setting the value exceeded the quota');
    }
  }

  delete(key) {
    this.#run('DELETE FROM nodejs_webstorage WHERE key = ?', 'run', toBytes(key));
  }

  clear() {
    this.#run('DELETE FROM nodejs_webstorage', 'run');
  }

  keyAt(index) {
    const row = this.#run('SELECT key FROM nodejs_webstorage ORDER BY key LIMIT 1 OFFSET ?', 'get', index);
    return row === undefined ? null : toText(row.key);
  }

  keys() {
    return arrayMap.call(this.#run('SELECT key FROM nodejs_webstorage ORDER BY key', 'all'), (row) => toText(row.key));
  }
}

const kMake = Symbol('make');
const itemsOf = new WeakMap(); // a storage → its items

function itemsOfThis(storage) {
  const items = typeof storage === 'object' && storage !== null ? itemsOf.get(storage) : undefined;
  if (items === undefined) throw new ERR_INVALID_THIS('Storage');
  return items;
}

function requireArgs(args, ...names) {
  if (args.length < names.length) throw new ERR_MISSING_ARGS(...each(names));
}

class Storage {
  constructor(key) {
    if (key === kMake) return;
    const error = new Error('Illegal constructor');
    error.code = 'ERR_ILLEGAL_CONSTRUCTOR';
    throw error;
  }

  get length() {
    return itemsOfThis(this).length;
  }

  clear() {
    itemsOfThis(this).clear();
  }

  getItem(key) {
    const items = itemsOfThis(this);
    requireArgs(arguments, 'key');
    return items.get(`${key}`);
  }

  key(index) {
    const items = itemsOfThis(this);
    requireArgs(arguments, 'index');
    return items.keyAt(Number(index) >>> 0);
  }

  removeItem(key) {
    const items = itemsOfThis(this);
    requireArgs(arguments, 'key');
    items.delete(`${key}`);
  }

  setItem(key, value) {
    const items = itemsOfThis(this);
    requireArgs(arguments, 'key', 'value');
    items.set(`${key}`, `${value}`);
  }
}

for (const name of each(['length', 'clear', 'getItem', 'key', 'removeItem', 'setItem'])) {
  Object.defineProperty(Storage.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(Storage.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  configurable: true,
  enumerable: false,
  value(depth, options) {
    const items = itemsOf.get(this);
    if (items === undefined) return this;
    const shown = { __proto__: Storage.prototype };
    for (const key of each(items.keys())) {
      Object.defineProperty(shown, key, { __proto__: null, value: items.get(key), enumerable: true, configurable: true, writable: true });
    }
    return require('internal/util/util').inspect(shown, { ...options, depth });
  },
});

// Items as properties: those of the class and of its prototypes come first.
const makeTraps = (items) => ({
  __proto__: null,
  get(target, key, receiver) {
    if (typeof key === 'symbol' || Reflect.has(target, key)) return Reflect.get(target, key, receiver);
    return items.get(key) ?? undefined;
  },
  set(target, key, value) {
    if (typeof key === 'symbol') return Reflect.set(target, key, value);
    items.set(key, `${value}`);
    return true;
  },
  has: (target, key) => Reflect.has(target, key) || (typeof key === 'string' && items.get(key) !== null),
  deleteProperty(target, key) {
    if (typeof key === 'symbol') return Reflect.deleteProperty(target, key);
    if (!Reflect.has(target, key)) items.delete(key);
    return true;
  },
  defineProperty(target, key, descriptor) {
    if (typeof key === 'symbol') return Reflect.defineProperty(target, key, descriptor);
    if (descriptor.get !== undefined || descriptor.set !== undefined) return false;
    items.set(key, `${descriptor.value}`);
    return true;
  },
  getOwnPropertyDescriptor(target, key) {
    if (typeof key === 'symbol' || Reflect.has(target, key)) return Reflect.getOwnPropertyDescriptor(target, key);
    const value = items.get(key);
    return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
  },
  ownKeys(target) {
    const names = arrayFilter.call(items.keys(), (key) => !Reflect.has(target, key));
    for (const symbol of each(Reflect.ownKeys(target))) arrayPush.call(names, symbol);
    return names;
  },
  preventExtensions: () => false,
});

function makeStorage(location) {
  const items = new Items(location);
  const storage = new Proxy(new Storage(kMake), makeTraps(items));
  itemsOf.set(storage, items);
  return storage;
}

function localStorage() {
  const { getOptionValue } = require('internal/process/options');
  const file = getOptionValue('--localstorage-file');
  if (file) return makeStorage(require('internal/path/path').resolve(file));
  process.emitWarning('localStorage is not available because --localstorage-file was not provided.', 'ExperimentalWarning');
  return undefined;
}

module.exports = {
  Storage,
  get localStorage() {
    return localStorage();
  },
  get sessionStorage() {
    return makeStorage(':memory:');
  },
};
