// What new Date(text) makes of texts, as Node does (date_texts.json: text, milliseconds or null, in the zone below), in every realm.
// env: TZ=America/New_York
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');

const wrong = [];
for (const [text, expected] of require('./date_texts.json')) {
  const value = new Date(text).getTime();
  const same = expected === null ? Number.isNaN(value) : value === expected;
  if (!same) wrong.push([text, expected, value]);
  assert.deepStrictEqual(Date.parse(text), value);
}
assert.deepStrictEqual(wrong, []);
assert.strictEqual(vm.runInNewContext("new Date('2024-5-3').getTime()"), new Date(2024, 4, 3).getTime());
for (const text of ['2024-5-3', '2024-05-3', '5-3-2024']) assert.deepStrictEqual(new Date(text), new Date(2024, 4, 3), text);
assert.deepStrictEqual(new Date('2024-05-03 5:07'), new Date(2024, 4, 3, 5, 7));
