'use strict';
// The engine's own errors in Node's words. What cannot be known is worded without it; see docs/decisions.
const assert = require('node:assert');

function says(run, name, message) { assert.throws(run, { name, message }); }
/* global missing */

says(() => missing, 'ReferenceError', 'missing is not defined');
says(() => undefined.foo, 'TypeError', "Cannot read properties of undefined (reading 'foo')");
says(() => { const a = {}; a.b.c(); }, 'TypeError', "Cannot read properties of undefined (reading 'c')");
says(() => { const a = {}; return a.b['c']; }, 'TypeError', "Cannot read properties of undefined (reading 'c')");
says(() => { const q = null; q.x = 5; }, 'TypeError', "Cannot set properties of null (setting 'x')");
says(() => { const a = {}; a.f(); }, 'TypeError', 'a.f is not a function');
says(() => require('fs').nothing(), 'TypeError', 'require(...).nothing is not a function');
says(() => { const a = {}; return new a.B(); }, 'TypeError', 'a.B is not a constructor');
says(() => { const c = 1; c = 2; }, 'TypeError', 'Assignment to constant variable.');
says(() => { Object.freeze({ x: 1 }).x = 2; }, 'TypeError', "Cannot assign to read only property 'x' of object '#<Object>'");
says(() => { Object.preventExtensions({}).a = 1; }, 'TypeError', 'Cannot add property a, object is not extensible');
says(() => { class A {} A(); }, 'TypeError', "Class constructor A cannot be invoked without 'new'");
says(() => { later.x(); let later; }, 'ReferenceError', "Cannot access 'later' before initialization");
says(() => { for (const x of 5); }, 'TypeError', '5 is not iterable');
says(() => Object.keys(undefined), 'TypeError', 'Cannot convert undefined or null to object');
says(() => 'a' in 5, 'TypeError', "Cannot use 'in' operator to search for 'a' in 5");
says(() => new Array(-1), 'RangeError', 'Invalid array length');
says(() => { (function f() { f(); })(); }, 'RangeError', 'Maximum call stack size exceeded');
says(() => 1n + 1, 'TypeError', 'Cannot mix BigInt and other types, use explicit conversions');
says(() => `${Symbol('a')}`, 'TypeError', 'Cannot convert a Symbol value to a string');
says(() => [1].map(5), 'TypeError', 'number 5 is not a function');
says(() => decodeURIComponent('%'), 'URIError', 'URI malformed');
says(() => eval('let a; let a'), 'SyntaxError', "Identifier 'a' has already been declared");
says(() => eval('{'), 'SyntaxError', 'Unexpected end of input');
says(() => eval('var a b'), 'SyntaxError', "Unexpected identifier 'b'");

const json = [
  ['', 'Unexpected end of JSON input'],
  ['NaN', '"NaN" is not valid JSON'],
  ['{"a":}', `Unexpected token '}', "{"a":}" is not valid JSON`],
  ['{"a":1', "Expected ',' or '}' after property value in JSON at position 6 (line 1 column 7)"],
  ['[1,]', `Unexpected token ']', "[1,]" is not valid JSON`],
  ['"abc', 'Unterminated string in JSON at position 4 (line 1 column 5)'],
  ['{a:1}', "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ['1 2', 'Unexpected non-whitespace character after JSON at position 2 (line 1 column 3)'],
  ['[1,\n2 3]', "Expected ',' or ']' after array element in JSON at position 6 (line 2 column 3)"],
  ['x'.repeat(100), `Unexpected token 'x', "xxxxxxxxxx"... is not valid JSON`],
];
for (const [text, message] of json) says(() => JSON.parse(text), 'SyntaxError', message);

// A program's own messages stay as they are.
assert.strictEqual(new ReferenceError("Can't find variable: x").message, "Can't find variable: x");
assert.strictEqual(new TypeError('a is not an object').message, 'a is not an object');
