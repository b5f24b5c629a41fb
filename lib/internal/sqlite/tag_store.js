// natives: sqlite
// SQLTagStore: template literals as statements, prepared once and kept, the least recently used forgotten first.
'use strict';

const binding = native('sqlite');
const { typeError } = require('internal/sqlite/errors');
const { illegalConstructor, prepare } = require('internal/sqlite/statement');

function sqlOf(strings, valueCount) {
  if (!Array.isArray(strings)) throw typeError('First argument must be an array of strings (template literal).');
  let sql = '';
  for (let i = 0; i < strings.length; i++) {
    if (typeof strings[i] !== 'string') throw typeError('Template literal parts must be strings.');
    sql += i < valueCount ? `${strings[i]}?` : strings[i];
  }
  return sql;
}

// Known to createTagStore() alone: programs cannot construct stores.
const kInternal = Symbol('internal');

class SQLTagStore {
  #database;
  #inherited;
  #capacity;
  #statements = new Map(); // SQL → statement, the least recently used first

  constructor(token, database, inherited, capacity) {
    if (token !== kInternal) illegalConstructor();
    this.#database = database;
    this.#inherited = inherited;
    this.#capacity = capacity;
  }

  #statement(strings, valueCount) {
    binding.check(this.#database);
    const sql = sqlOf(strings, valueCount);
    let statement = this.#statements.get(sql);
    this.#statements.delete(sql);
    if (statement === undefined || binding.isFinalized(statement)) {
      statement = prepare(this.#database, this.#inherited, sql, { persistent: true });
      if (this.#statements.size >= this.#capacity) this.#statements.delete(this.#statements.keys().next().value);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  get(strings, ...values) {
    return binding.taggedGet(this.#statement(strings, values.length), ...each(values));
  }
  all(strings, ...values) {
    return binding.taggedAll(this.#statement(strings, values.length), ...each(values));
  }
  iterate(strings, ...values) {
    return binding.taggedIterate(this.#statement(strings, values.length), ...each(values));
  }
  run(strings, ...values) {
    return binding.taggedRun(this.#statement(strings, values.length), ...each(values));
  }
  clear() {
    this.#statements.clear();
  }

  get capacity() {
    return this.#capacity;
  }
  get db() {
    return this.#database;
  }
  get size() {
    return this.#statements.size;
  }
}

const makeTagStore = (database, inherited, capacity) => new SQLTagStore(kInternal, database, inherited, capacity);

module.exports = { makeTagStore };
