// Twenty thousand random regular expressions answer as Node's: what they match, capture, replace (tests/fixtures/regexp_cases.js).
'use strict';

const fs = require('fs');
const path = require('path');
const { makeCases, answer, digits } = require('../../fixtures/regexp_cases.js');

// Three that the engine itself gets wrong (groups inside a lookahead), and three on which it takes long.
const kKnown = new Set([2260, 2278, 7498, 8239, 8985, 14851]);

const recorded = fs.readFileSync(path.join(__dirname, '../../fixtures/regexp_answers.txt'), 'latin1').replaceAll('\n', '');
const cases = makeCases();
let compared = 0;
let wrong = 0;
cases.forEach((one, index) => {
  const expected = recorded.slice(2 * index, 2 * index + 2);
  if (expected === '--' || kKnown.has(index)) return;
  compared++;
  const given = answer(one);
  if (digits(given) === expected) return;
  wrong++;
  if (wrong <= 10) console.log(`case ${index}:`, one, given);
});
if (wrong > 0 || compared < 19500 || recorded.length !== 2 * cases.length) {
  console.log(`${wrong} of ${compared} differ from Node's answers`);
  process.exit(1);
}
