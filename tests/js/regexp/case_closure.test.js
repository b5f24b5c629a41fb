// Classes of expressions with the flags i and u (or v) match every case of their characters; answers as in Node 26.
'use strict';
const assert = require('node:assert');

const matches = [
  [/\p{Lu}/iu, 'a'], [/\p{Lu}/iv, 'a'], [/[\p{Lu}]/iu, 'a'], [/\p{Ll}/iu, 'A'], [/[a-z]/iu, '\u017f'], [/[A-Z]/iv, '\u017f'],
  [/[a-z]/iu, '\u212a'], [/\p{Script=Greek}/iu, '\u00b5'], [/[\u{10400}-\u{10427}]/iu, '\u{10428}'], [/[^\p{Nd}]/iu, 'x'], [/^[A-Z]{2,}$/iv, 'Kaſ'],
  [/\P{Lu}/iu, 'A'], [/\P{Lu}/iu, 'a'], [/x\P{Lu}+y/iu, 'xAay'], [/(?:\P{Ll}|0)+?1/iu, 'a1'], [/(?<=\P{Lu})1/iu, 'A1'], [/\P{ASCII}/iu, 'k'],
  [/\P{Lu}\p{Lu}/iu, 'a\u{10428}'], [/\P{L}/iu, '\u{1f600}'],
  [/\w/iu, '\u017f'], [/[\w-]/iu, '\u212a'],
];
for (const [expression, text] of matches) assert.ok(expression.test(text), `${expression} matches ${text}`);
const misses = [
  [/\p{Lu}/u, 'a'], [/\p{Lu}/i, 'a'], [/[a-z]/i, '\u017f'], [/[^A-Z]/iu, '\u017f'], [/[^\p{Lu}]/iu, 'a'], [/\p{Nd}/iu, 'a'], [/[^\p{Lu}]/iu, 'A'], [/\P{Lu}/iv, 'A'],
  [/\P{ASCII}/iu, 'a'], [/\P{Any}/iu, 'a'], [/\P{L}/iu, '\u{10428}'], [/[b-z]/iu, 'A'],
];
for (const [expression, text] of misses) assert.ok(!expression.test(text), `${expression} does not match ${text}`);
