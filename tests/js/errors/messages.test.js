// What the engine's own errors say, program by program, as in Node 26 (messages.json: program, name and message). Each program is the
// body of a function.
'use strict';
const assert = require('node:assert');

const wrong = [];
for (const [program, expected] of require('./messages.json')) {
  let said = 'no error';
  try {
    new Function('require', 'console', program)(require, { log() {} });
  } catch (error) {
    said = `${error.name}: ${error.message}`;
  }
  if (said !== expected) wrong.push({ program, expected, said });
}
assert.deepStrictEqual(wrong, []);

// The words do not depend on what stands in the text.
const foo = () => undefined;
assert.throws(() => foo('list of things').bar, { message: "Cannot read properties of undefined (reading 'bar')" });
assert.throws(() => foo('a = b').bar, { message: "Cannot read properties of undefined (reading 'bar')" });
assert.throws(() => foo(' in x')(' of y'), { message: 'foo(...) is not a function' });
assert.throws(() => foo(/* of */ (') of').length).x.y(), { message: "Cannot read properties of undefined (reading 'x')" });

// Nor on how hot the code is; what compiled code does not keep is left out.
function read(object, key) { return object[key]; }
function call(object) { return object.method(1); }
for (let i = 0; i < 1e5; i++) {
  read({ a: i }, 'a');
  call({ method: () => i });
}
for (let i = 0; i < 2000; i++) {
  assert.throws(() => read(undefined, 'a'), { message: /^Cannot read properties of undefined( \(reading 'a'\))?$/ });
  assert.throws(() => call({}), { message: 'object.method is not a function' });
  assert.throws(() => call(null), { message: "Cannot read properties of null (reading 'method')" });
}

// In vm contexts too.
assert.throws(() => require('node:vm').runInNewContext('var a; a.b'), { message: "Cannot read properties of undefined (reading 'b')" });

Promise.any([Promise.reject(1), Promise.reject(2)]).then(assert.fail, (error) => {
  assert.strictEqual(error.name, 'AggregateError');
  assert.strictEqual(error.message, 'All promises were rejected');
  assert.deepStrictEqual(error.errors, [1, 2]);
});
