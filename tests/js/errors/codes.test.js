// Errors of the runtime: code, class, message and stack, as callers of wrong arguments see them.
'use strict';

const assert = require('assert');
const fs = require('fs');
const { EventEmitter } = require('events');

function caught(fn) {
  try { fn(); } catch (error) { return error; }
  assert.fail('did not throw');
}

const type = caught(() => new EventEmitter().on('x', 5));
assert.strictEqual(type.code, 'ERR_INVALID_ARG_TYPE');
assert.strictEqual(type.name, 'TypeError');
assert.strictEqual(type.constructor, TypeError);
assert.ok(type instanceof TypeError);
assert.strictEqual(type.message, 'The "listener" argument must be of type function. Received type number (5)');
assert.strictEqual(String(type), `TypeError [ERR_INVALID_ARG_TYPE]: ${type.message}`);
assert.ok(type.stack.startsWith(`TypeError [ERR_INVALID_ARG_TYPE]: ${type.message}\n    at `), type.stack);
assert.deepStrictEqual(Object.keys(type), ['code']);

// How what was received is described.
class Foo {}
for (const [value, text] of [
  [undefined, 'undefined'], [null, 'null'], [-0, 'type number (-0)'], [10n, 'type bigint (10n)'],
  [Symbol('s'), 'type symbol (Symbol(s))'], [true, 'type boolean (true)'], ["it's", 'type string ("it\'s")'],
  ['x'.repeat(40), `type string ('${'x'.repeat(25)}...')`], [new Foo(), 'an instance of Foo'],
  [Object.create(null), '[Object: null prototype] {}'],
]) {
  const { message } = caught(() => new EventEmitter().on('x', value));
  assert.ok(message.endsWith(`Received ${text}`), message);
}
assert.match(caught(() => require('util').inherits(null, Foo)).message, /^The "ctor" argument must be of type function\. Received null$/);

const range = caught(() => require('os').setPriority(0, 1e9));
assert.strictEqual(range.code, 'ERR_OUT_OF_RANGE');
assert.strictEqual(range.message, 'The value of "priority" is out of range. It must be >= -20 && <= 19. Received 1000000000');

// System errors.
const missing = caught(() => fs.readFileSync('/no/such/file'));
assert.strictEqual(missing.message, "ENOENT: no such file or directory, open '/no/such/file'");
assert.deepStrictEqual({ ...missing }, { errno: -2, code: 'ENOENT', syscall: 'open', path: '/no/such/file' });
