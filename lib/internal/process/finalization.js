// natives: none
//
// process.finalization: functions called at exit with an object, unless that object has been collected before.

'use strict';

const { codes } = require('internal/errors/coded');

const atExit = new Set();
const beforeExit = new Set();
const registry = new FinalizationRegistry((entry) => {
  atExit.delete(entry);
  beforeExit.delete(entry);
});
let listening = false;

function run(entries, event) {
  for (const entry of each(entries)) {
    entries.delete(entry);
    const object = entry.reference.deref();
    if (object !== undefined) entry.callback(object, event);
  }
}

function listen() {
  if (listening) return;
  listening = true;
  process.on('exit', () => run(atExit, 'exit'));
  process.on('beforeExit', () => run(beforeExit, 'beforeExit'));
}

function add(entries, object, callback) {
  if (object === null || (typeof object !== 'object' && typeof object !== 'function')) {
    throw new codes.ERR_INVALID_ARG_TYPE('obj', ['object', 'function'], object);
  }
  listen();
  const entry = { reference: new WeakRef(object), callback };
  entries.add(entry);
  registry.register(object, entry, object);
}

const finalization = {
  register(object, callback) {
    add(atExit, object, callback);
  },
  registerBeforeExit(object, callback) {
    add(beforeExit, object, callback);
  },
  unregister(object) {
    if (!object) return;
    registry.unregister(object);
    for (const entries of each([atExit, beforeExit])) {
      for (const entry of each(entries)) {
        if (entry.reference.deref() === object) entries.delete(entry);
      }
    }
  },
};

module.exports = { finalization };
