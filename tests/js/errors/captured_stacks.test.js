// Error.captureStackTrace() on an error: the header is made when the stack is asked for, with the name the error has by then, as the
// constructors of many packages rely on that call it first and give themselves a name last.
'use strict';
const assert = require('node:assert');

const header = (error) => error.stack.split('\n')[0];
const places = (error) => error.stack.split('\n').slice(1).map((line) => line.trim());

class Named extends Error {
  constructor(message) {
    super(message);
    Error.captureStackTrace(this, this.constructor);
    this.name = 'NamedError';
  }
}
function makeNamed() { return new Named('z'); }
assert.strictEqual(header(makeNamed()), 'NamedError: z');
assert.match(places(makeNamed())[0], /^at makeNamed \(/);

class Whole extends Error {
  constructor(message) {
    super(message);
    Error.captureStackTrace(this);
    this.name = 'WholeError';
  }
}
function makeWhole() { return new Whole('z'); }
assert.strictEqual(header(makeWhole()), 'WholeError: z');
assert.match(places(makeWhole())[0], /^at new Whole \(/);
assert.match(places(makeWhole())[1], /^at makeWhole \(/);
assert.deepStrictEqual(Object.getOwnPropertySymbols(makeWhole()), []);

// As http-errors makes its errors.
function BadRequest(message) {
  const error = new Error(message);
  Error.captureStackTrace(error, BadRequest);
  Object.setPrototypeOf(error, BadRequest.prototype);
  return error;
}
BadRequest.prototype = Object.create(Error.prototype, { name: { value: 'BadRequestError' }, constructor: { value: BadRequest } });
assert.strictEqual(header(new BadRequest('no')), 'BadRequestError: no');

// Once asked for, it stays; asked for before, it is made anew at once.
const late = new Error('m');
Error.captureStackTrace(late);
assert.strictEqual(header(late), 'Error: m');
late.name = 'Late';
assert.strictEqual(header(late), 'Error: m');
(function again() { Error.captureStackTrace(late); })();
assert.match(places(late)[0], /^at again \(/);
assert.strictEqual(header(late), 'Late: m');

// The program's own format gets the frames too.
Error.prepareStackTrace = (error, sites) => `${error.name}|${sites[0].getFunctionName()}`;
assert.strictEqual(makeNamed().stack, 'NamedError|makeNamed');
