'use strict';
// Deep recursion, huge strings, arrays and memory that is not there: a JavaScript error, and the program goes on.
const assert = require('node:assert');
const { Buffer, constants } = require('node:buffer');
const { inspect, isDeepStrictEqual } = require('node:util');

function deep() { return deep() + 1; }
assert.throws(deep, { name: 'RangeError', message: 'Maximum call stack size exceeded' });
assert.throws(() => JSON.parse('['.repeat(1e6)), Error);

// A structure too deep to walk is told so, or shown in part; it never ends the process.
let nested = {};
for (let i = 0; i < 1e5; i++) nested = { nested };
try {
  assert.strictEqual(typeof inspect(nested, { depth: Infinity }), 'string');
} catch (error) {
  assert.ok(error instanceof RangeError);
}
for (const walk of [() => structuredClone(nested), () => isDeepStrictEqual(nested, { ...nested }), () => JSON.stringify(nested)]) {
  try {
    walk();
  } catch (error) {
    assert.ok(error instanceof RangeError || error.name === 'DataCloneError', error);
  }
}

assert.throws(() => 'x'.repeat(2 ** 30), { name: 'RangeError', message: 'Invalid string length' });
assert.throws(() => 'x'.padEnd(2 ** 30), { name: 'RangeError', message: 'Invalid string length' });
assert.throws(() => new Array(2 ** 32), { name: 'RangeError', message: 'Invalid array length' });
assert.throws(() => Buffer.alloc(constants.MAX_LENGTH + 1), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => Buffer.allocUnsafe(1e300), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => new ArrayBuffer(2 ** 52), RangeError);
assert.throws(() => new Uint8Array(2 ** 52), RangeError);
assert.throws(() => Buffer.from({ length: 2 ** 52 }), (error) => error instanceof RangeError);

// Errors in getters, proxies and conversions come out as they are.
const marked = new Error('mine');
const traps = new Proxy({}, { get() { throw marked; }, ownKeys() { throw marked; }, getPrototypeOf() { throw marked; } });
assert.throws(() => Buffer.from(traps), (error) => error === marked);
assert.strictEqual(typeof inspect(traps), 'string');
setImmediate(() => assert.ok(true));
