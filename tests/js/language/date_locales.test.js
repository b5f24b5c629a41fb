// Dates in words as Node shows them (date_locales.json: locale, options, text): "at" stands between a long date and a time, whether they
// were asked for by their styles or by single options. In every realm, and in parts too.
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');

const date = new Date(Date.UTC(2024, 1, 29, 15, 4, 5, 678));
const wrong = [];
for (const [locale, options, expected] of require('./date_locales.json')) {
  const text = date.toLocaleString(locale, options);
  if (text !== expected) wrong.push({ locale, options, expected, text });
}
assert.deepStrictEqual(wrong, []);

const long = { month: 'long', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' };
assert.strictEqual(date.toLocaleString('en', long), 'February 29, 2024 at 3:04 PM');
assert.strictEqual(date.toLocaleString('en', { ...long, month: 'short' }), 'Feb 29, 2024, 3:04 PM');
assert.strictEqual(vm.runInNewContext('new Date(date).toLocaleString("en", long)', { date: +date, long }), 'February 29, 2024 at 3:04 PM');
const parts = new Intl.DateTimeFormat('en', long).formatToParts(date);
assert.deepStrictEqual(parts.filter(({ type }) => type === 'literal').map(({ value }) => value), [' ', ', ', ' at ', ':', ' ']);
assert.strictEqual(new Intl.DateTimeFormat('en', long).resolvedOptions().month, 'long');
