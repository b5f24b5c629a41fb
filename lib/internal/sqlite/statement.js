// natives: sqlite
// StatementSync and the iterators over its rows. run(), get(), all(), iterate(), columns(), next() and return() are native functions.
'use strict';

const binding = native('sqlite');
const { option, requireObject, requireType, valueError, withCode } = require('internal/sqlite/errors');

const { kReadBigInts, kReturnArrays, kAllowBareNamedParameters, kAllowUnknownNamedParameters } = binding; // bits of options

const kPersistent = 'persistent';
const optionBits = [
  ['returnArrays', kReturnArrays],
  ['readBigInts', kReadBigInts],
  ['allowBareNamedParameters', kAllowBareNamedParameters],
  ['allowUnknownNamedParameters', kAllowUnknownNamedParameters],
];

// The bits of the options, for those that are not given the bits of `inherited`.
function bitsOf(options, inherited) {
  let bits = inherited;
  for (const [name, bit] of eachEntry(optionBits)) {
    const isOn = option(options, name, 'boolean', (bits & bit) !== 0);
    bits = isOn ? bits | bit : bits & ~bit;
  }
  return bits;
}

function illegalConstructor() {
  throw withCode(new Error('Illegal constructor'), 'ERR_ILLEGAL_CONSTRUCTOR');
}

function StatementSync() {
  illegalConstructor();
}
function StatementSyncIterator() {
  illegalConstructor();
}

function prepare(database, inherited, sql, options) {
  binding.check(database);
  requireType(sql, 'string', 'sql');
  let bits = inherited;
  let isPersistent = false;
  if (options !== undefined) {
    requireObject(options, 'options');
    bits = bitsOf(options, inherited);
    isPersistent = option(options, kPersistent, 'boolean', false);
  }
  return binding.prepare(database, sql, bits, isPersistent);
}

// Numbers of SQLITE_STMTSTATUS_…
const counters = {
  __proto__: null,
  fullscanStep: 1,
  sort: 2,
  autoindex: 3,
  vmStep: 4,
  reprepare: 5,
  run: 6,
  filterMiss: 7,
  filterHit: 8,
  memused: 99,
};

function setter(name, bit, argument) {
  return {
    [name](enabled) {
      if (binding.isFinalized(this)) binding.setOption(this, 0, false); // throws
      binding.setOption(this, bit, requireType(enabled, 'boolean', argument));
    },
  }[name];
}

const methods = {
  ...binding.statementMethods,
  stat(counter) {
    if (binding.isFinalized(this)) binding.statistic(this, 0, false); // throws
    requireType(counter, 'string', 'counter');
    const number = counters[counter];
    if (number === undefined) throw valueError('The "counter" argument is not a valid statistic name.');
    return binding.statistic(this, number, false);
  },
  resetStats() {
    for (const name of each(Object.keys(counters))) {
      if (name !== 'memused') binding.statistic(this, counters[name], true);
    }
  },
  setAllowBareNamedParameters: setter('setAllowBareNamedParameters', kAllowBareNamedParameters, 'allowBareNamedParameters'),
  setAllowUnknownNamedParameters: setter('setAllowUnknownNamedParameters', kAllowUnknownNamedParameters, 'enabled'),
  setReadBigInts: setter('setReadBigInts', kReadBigInts, 'readBigInts'),
  setReturnArrays: setter('setReturnArrays', kReturnArrays, 'returnArrays'),
  close() {
    binding.closeStatement(this);
  },
  [Symbol.dispose]() {
    if (!binding.isFinalized(this)) binding.closeStatement(this);
  },
};
Object.assign(StatementSync.prototype, methods);
Object.defineProperties(StatementSync.prototype, {
  sourceSQL: { __proto__: null, enumerable: true, configurable: true, get: binding.sourceSQL },
  expandedSQL: { __proto__: null, enumerable: true, configurable: true, get: binding.expandedSQL },
});

Object.assign(StatementSyncIterator.prototype, binding.iteratorMethods);
const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(arrayValues.call([])));
Object.setPrototypeOf(StatementSyncIterator.prototype, iteratorPrototype);

binding.setClasses(StatementSync.prototype, StatementSyncIterator.prototype);

module.exports = { StatementSync, prepare, bitsOf, illegalConstructor, kAllowBareNamedParameters };
