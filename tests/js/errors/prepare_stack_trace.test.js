'use strict';
// Error.prepareStackTrace: called when a stack is first read, with call sites that have V8's methods.
const assert = require('node:assert');

const standard = Error.prepareStackTrace;
assert.strictEqual(typeof standard, 'function');

function where() { return new Error('here'); }
const made = where();
const calls = [];
Error.prepareStackTrace = (error, sites) => {
  calls.push(error);
  return sites;
};
const { stack } = made;
assert.deepStrictEqual(calls, [made]);
assert.strictEqual(made.stack, stack);  // once
assert.strictEqual(calls.length, 1);
assert.strictEqual(stack[0].getFunctionName(), 'where');
assert.strictEqual(stack[0].getFileName(), __filename);
assert.strictEqual(stack[0].getLineNumber(), 8);
assert.strictEqual(stack[0].isNative(), false);
assert.strictEqual(stack[0].isConstructor(), false);
assert.match(String(stack[0]), /^where \(.*:8:\d+\)$/);

const target = {};
Error.captureStackTrace(target, where);
assert.ok(Array.isArray(target.stack));

// What one throws reaches who asked for the stack.
Error.prepareStackTrace = () => { throw new Error('no'); };
assert.throws(() => new Error('kept').stack, { message: 'no' });

Error.prepareStackTrace = standard;
assert.match(new TypeError('plain').stack, /^TypeError: plain\n {4}at /);
Error.prepareStackTrace = undefined;
assert.match(new TypeError('plain').stack, /^TypeError: plain\n {4}at /);

const limit = Error.stackTraceLimit;
Error.stackTraceLimit = 1;
assert.strictEqual(new Error('short').stack.split('\n').length, 2);
Error.stackTraceLimit = limit;

// Errors of a context that has no such function are given to the main realm's, as source maps in jest need it.
const { runInNewContext } = require('node:vm');
Error.prepareStackTrace = (error, sites) => `main ${sites.length > 0}`;
assert.strictEqual(runInNewContext('new Error("x").stack'), 'main true');
assert.strictEqual(runInNewContext('Error.prepareStackTrace = () => "own"; new Error("x").stack'), 'own');
Error.prepareStackTrace = undefined;
