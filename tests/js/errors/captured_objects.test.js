// flags: --expose-gc
// Error.captureStackTrace() on an object that is no error: its stack, too, is made when it is first read. Constructors of the old
// kind (jsonwebtoken's errors, those of util.inherits) give the object its name and message after the capture.
'use strict';
const assert = require('node:assert');
const { inspect } = require('node:util');
const vm = require('node:vm');

const header = (object) => String(object.stack).split('\n')[0];
const captured = (object = {}) => {
  Error.captureStackTrace(object);
  return object;
};

function Expired(message) {
  Error.call(this, message);
  Error.captureStackTrace(this, this.constructor);
  this.name = 'Expired';
  this.message = message;
}
Expired.prototype = Object.create(Error.prototype, { constructor: { value: Expired } });
assert.match(new Expired('too late').stack, /^Expired: too late\n {4}at Object\.<anonymous> \(.*captured_objects/);
assert.deepStrictEqual(Object.keys(new Expired('too late')), ['name', 'message']);
assert.match(inspect(new Expired('too late')), /^Expired: too late\n {4}at [^{]*$/);

// The text stays as it was when it was first read.
const object = captured({ message: 'before' });
object.message = 'after';
assert.strictEqual(header(object), 'Error: after');
object.message = 'late';
assert.strictEqual(header(object), 'Error: after');

// The header is that of Error.prototype.toString(), and what a getter throws reaches the reader.
assert.strictEqual(header(captured({ name: 5, message: 6 })), '5: 6');
assert.strictEqual(header(captured({ name: '', message: 'alone' })), 'alone');
assert.strictEqual(header(captured({ name: null, message: undefined })), 'null');
assert.throws(() => captured({ get message() { throw new Error('of the getter'); } }).stack, /of the getter/);
assert.throws(() => captured({ name: Symbol('name') }).stack, TypeError);

// An accessor, one pair of functions a realm, which finds the object behind an inheriting one but not behind a proxy.
const accessor = Object.getOwnPropertyDescriptor(captured(), 'stack');
assert.deepStrictEqual([accessor.enumerable, accessor.configurable], [false, true]);
assert.strictEqual(accessor.get, Object.getOwnPropertyDescriptor(captured(), 'stack').get);
assert.strictEqual(accessor.get.call(1), undefined);
assert.strictEqual(accessor.get.call({}), undefined);
assert.strictEqual(accessor.get.call(new Error('z')).split('\n')[0], 'Error: z');
assert.strictEqual(accessor.get.call(captured(new Error('again'))).split('\n')[0], 'Error: again');
assert.strictEqual(header(Object.create(captured({ message: 'inherited' }))), 'Error: inherited');
assert.strictEqual(new Proxy(captured(), {}).stack, undefined);
assert.ok(vm.runInNewContext(`const o = {}; Error.captureStackTrace(o); o.message = 'm';
  Object.getOwnPropertyDescriptor(o, 'stack').get instanceof Function && o.stack.startsWith('Error: m')`));

// What is assigned stays, for an inheriting object as well, and says nothing about enumeration.
const assigned = captured();
assigned.stack = new Error('assigned');
assert.strictEqual(assigned.stack.message, 'assigned');
const heir = Object.create(captured());
heir.stack = 'of the heir';
assert.strictEqual(heir.stack, 'of the heir');
assert.deepStrictEqual(Object.getOwnPropertySymbols(assigned), []);
assert.deepStrictEqual({ ...assigned }, {});

// The program's own format runs when the stack is read: again, if it threw.
const standard = Error.prepareStackTrace;
const formatted = captured();
let calls = 0;
Error.prepareStackTrace = () => { calls++; throw new Error('not yet'); };
assert.throws(() => formatted.stack, /not yet/);
assert.throws(() => formatted.stack, /not yet/);
Error.prepareStackTrace = (error, sites) => { calls++; return [error.message, sites[0].getFunctionName()]; };
formatted.message = 'given late';
assert.deepStrictEqual(formatted.stack, ['given late', 'captured']);
assert.strictEqual(formatted.stack, formatted.stack);
assert.strictEqual(calls, 3);
Error.prepareStackTrace = standard;

// Functions that the collector has taken are in the stack all the same.
const kept = [];
(() => {
  for (let i = 0; i < 50; i++) kept.push(new Function('capture', `return function made${i}() { return capture(); }`)(captured)());
})();
gc();
kept.forEach((one, i) => {
  one.message = 'kept';
  assert.match(one.stack, new RegExp(`^Error: kept\\n {4}at captured .*\\n {4}at made${i} `));
});

// Objects that cannot have one, and no stack without a limit that is a number.
assert.throws(() => captured(Object.freeze({})), { message: 'Cannot define property stack, object is not extensible' });
assert.throws(() => captured(Object.defineProperty({}, 'stack', { value: 1 })), { message: 'Cannot redefine property: stack' });
assert.throws(() => captured(new Proxy({}, {})), TypeError);
const limit = Error.stackTraceLimit;
Error.stackTraceLimit = 'none';
assert.strictEqual(captured().stack, undefined);
Error.stackTraceLimit = 0;
assert.strictEqual(captured({ message: 'no frames' }).stack, 'Error: no frames');
Error.stackTraceLimit = limit;
