'use strict';
// Constructors that are not written have the place of their class, a class called without `new` has no frame, and a superclass that constructs nothing is named: as in V8.
const assert = require('node:assert');

function first(run, frames) {
  try {
    run();
  } catch (error) {
    return error.stack.replaceAll(__filename, 'here').split('\n').slice(0, frames + 1).map((line) => line.trim().replace(/^(at .*here):(\d+):(\d+).*$/, '$1:$3'));
  }
  return undefined;
}

// In V8 the functions called here have names of the list they are in; only the place is asked for.
const rows = [
  [() => { class B extends null {} new B(); }, ['TypeError: Super constructor null of B is not a constructor', 'at new B (here:12']],
  [() => { class B extends null { constructor() { super(); } } new B(); }, ['TypeError: Super constructor null of B is not a constructor', 'at new B (here:51']],
  [() => { const B = class extends null {}; new B(); }, ['TypeError: Super constructor null of B is not a constructor', 'at new B (here:22']],
  [() => { class A {} class B extends A {} Object.setPrototypeOf(B, {}); new B(); }, ['TypeError: Super constructor #<Object> of B is not a constructor', 'at new B (here:23']],
  [() => { class A {} class B extends A { constructor() { super(1); } } Object.setPrototypeOf(B, () => 1); new B(); },
    ['TypeError: Super constructor null of B is not a constructor', 'at new B (here:59']],
];
for (const [run, expected] of rows) assert.deepStrictEqual(first(run, 1), expected, String(run));

function callsClass() { class A { constructor() {} } A(); }
assert.deepStrictEqual(first(callsClass, 1), ["TypeError: Class constructor A cannot be invoked without 'new'", 'at callsClass (here:54']);
function callsBareClass() { class A {} A(); }
assert.deepStrictEqual(first(callsBareClass, 1), ["TypeError: Class constructor A cannot be invoked without 'new'", 'at callsBareClass (here:40']);
function mapsClass() { class A {} [1].map(A); }
assert.deepStrictEqual(first(mapsClass, 2), ["TypeError: Class constructor A cannot be invoked without 'new'", 'at Array.map (<anonymous>)', 'at mapsClass (here:39']);
