// natives: sqlite
// Sessions, which record changes, and the application of what they recorded.
'use strict';

const binding = native('sqlite');
const { option, requireObject, typeError } = require('internal/sqlite/errors');
const { illegalConstructor } = require('internal/sqlite/statement');
const { isUint8Array } = require('internal/util/types');

function Session() {
  illegalConstructor();
}

Object.assign(Session.prototype, {
  changeset() {
    return binding.changeset(this, false);
  },
  patchset() {
    return binding.changeset(this, true);
  },
  close() {
    binding.closeSession(this);
  },
  [Symbol.dispose]() {
    try {
      binding.closeSession(this);
    } catch {
      // It is closed.
    }
  },
});

function createSession(database, options) {
  let table = '';
  let name = 'main';
  if (options !== undefined) {
    requireObject(options, 'options');
    table = option(options, 'table', 'string', table);
    name = option(options, 'db', 'string', name);
  }
  return binding.createSession(database, table, name, Session.prototype);
}

function applyChangeset(database, changeset, options) {
  binding.check(database);
  if (!isUint8Array(changeset)) throw typeError('The "changeset" argument must be a Uint8Array.');
  let filter;
  let onConflict;
  if (options !== undefined) {
    requireObject(options, 'options');
    onConflict = option(options, 'onConflict', 'function');
    filter = option(options, 'filter', 'function');
  }
  return binding.applyChangeset(database, changeset, filter, onConflict);
}

module.exports = { Session, createSession, applyChangeset };
