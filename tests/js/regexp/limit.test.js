// A match takes as many steps as it needs: the engine's limit of a million, past which it says "no match", is gone. And expressions
// that made its compiler follow a null pointer.
'use strict';

const assert = require('assert');

assert.strictEqual(/^(?:(a+)+c|a+b)$/.test(`${'a'.repeat(20)}b`), true);
assert.strictEqual(/^(?:(a)|b)*$/.test('ab'.repeat(500000)), true);
assert.strictEqual(/^(?:(a+)+c|a+b)$/.exec(`${'a'.repeat(22)}b`)[0].length, 23);
assert.strictEqual(`${'a'.repeat(20)}b`.replace(/^(?:(a+)+c|a+b)$/, 'x'), 'x');
assert.strictEqual(`ж${'a'.repeat(20)}b`.search(/(?:(a+)+c|a+b)$/), 1);
assert.deepStrictEqual(`${'a'.repeat(20)}b`.split(/^(?:(a+)+c|a+b)$/), ['', undefined, '']);
// Only the engine's interpreter knows lookbehinds.
assert.strictEqual(/(?<=x)y|^(?:(a+)+c|a+b)$/.test(`${'a'.repeat(18)}b`), true);

// Called often enough to be compiled with the function around it.
function isMatch(text) {
  return /^(?:(a+)+c|a+b)$/.test(text);
}
for (let i = 0; i < 20000; i++) assert.ok(isMatch('aab'));
assert.strictEqual(isMatch(`${'a'.repeat(20)}b`), true);

assert.strictEqual(/(()){2}(?<=((?=^a{0})|(b{2}[])))/u.test('bb'), true);
assert.strictEqual(/b(?<=(?:(?=^a)|x)ab)/.test('ab'), true);
