// Judges orders of Rondo by orders of a browser (judge.js).
//
//   node tests/browser/compare.js [-o RESULTS.tsv] RONDO_LINES BROWSER_LINES…      files of `ORDER seed: …` lines; each of the browser's is one
//                                                                                 run of it
//
// Pages that the browser itself did not finish are faults of the generator. The closing line is `N of M pages as the browser, K to the letter`.
'use strict';

const fs = require('node:fs');
const { generate } = require('./pages.js');
const { Page, readLines } = require('./judge.js');

const args = process.argv.slice(2);
const results = args[0] === '-o' ? args.splice(0, 2)[1] : undefined;
const [own, ...browser] = args.map((file) => readLines(fs.readFileSync(file, 'utf8')));
const verdicts = [];
let good = 0;
let same = 0;
for (const seed of browser[0].keys()) {
  const page = new Page(generate(seed));
  const runs = browser.map((lines) => lines.get(seed));
  const ours = own.get(seed);
  const faults = [];
  for (const run of runs) {
    if (!run?.isWhole) faults.push('the browser did not finish it');
    else faults.push(...page.judge(run.order, [runs[0].order], true).map((fault) => `the browser differs from itself: ${fault}`));
  }
  if (!ours?.isWhole) faults.push('Rondo did not finish it');
  if (ours && faults.length === 0) faults.push(...page.judge(ours.order, runs.map((run) => run.order)));
  if (ours && runs.some((run) => run?.line === ours.line)) same++;
  verdicts.push(`${faults.length === 0 ? 'pass' : 'fail'}\ttests/browser/page ${seed}\t0\n`);
  if (faults.length === 0) good++;
  else console.log(`page ${seed}: ${faults.slice(0, 4).join('; ')}\n  browser ${runs[0]?.line}\n    rondo ${ours?.line}`);
}
console.log(`${good} of ${browser[0].size} pages as the browser, ${same} to the letter`);
if (results !== undefined) fs.writeFileSync(results, verdicts.join(''));
process.exitCode = good === browser[0].size && good > 0 ? 0 : 1;
