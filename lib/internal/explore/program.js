// natives: explore
// Calls of a program to its explorer: what counts as its outcome, and what must hold in each schedule. Outside of an explored run an
// outcome is said to nobody, and an invariant is checked like any other assertion.
'use strict';

const { note } = native('explore'); // undefined in an ordinary run
const { validateString } = require('internal/util/validators');

const isExploring = note !== undefined;

// From now on runs are told apart by the values given here and the exit code, not by what they print.
function outcome(value) {
  if (!isExploring) return;
  const text = typeof value === 'string' ? value : require('internal/util/inspect').inspect(value, { breakLength: Infinity, depth: 4 });
  note(`outcome ${JSON.stringify(text)}`);
}

class InvariantError extends Error {
  constructor(name) {
    super(`the invariant '${name}' does not hold`);
    this.name = 'InvariantError';
    this.code = 'ERR_INVARIANT';
  }
}

function invariant(name, condition) {
  validateString(name, 'name');
  if (!condition) throw new InvariantError(name);
}

module.exports = { invariant, isExploring, outcome };
