// Explores random programs and looks whether each outcome that Node showed is among those found:
//   rondo tests/explore/random/compare.js RONDO [FIRST [COUNT [STEP]]]       every STEP-th program; all of answers.txt unless told otherwise
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { sourceOf } = require('./programs.js');
const { readAnswers } = require('./record.js');

const [rondo, first = '1', count = '100000', step = '1'] = process.argv.slice(2);
const kSearches = [['--schedules', '60'], ['--schedules', '1000'], ['--schedules', '20000']]; // biome-ignore format: a list

const explore = (options, file) =>
  new Promise((resolve, reject) => {
    execFile(rondo, ['explore', '--json', '--jobs', '1', ...options, file], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message} ${stderr}`));
      else resolve(JSON.parse(stdout.trim().split('\n').at(-1)));
    });
  });

// The outcomes that are not found, and how far was searched.
async function missing(outcomes, file) {
  let left = [...outcomes];
  let result;
  for (const options of kSearches) {
    result = await explore(options, file);
    const found = new Set(result.outcomes.map(({ stdout }) => stdout.trim()));
    left = left.filter((outcome) => !found.has(outcome));
    if (left.length === 0 || result.complete) break;
  }
  return { left, result };
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-random-'));
  const wanted = [...readAnswers()].filter(([seed]) => seed >= first && seed < Number(first) + Number(count) && (seed - first) % step === 0);
  let failed = 0;
  let outcomes = 0;
  for (const [seed, answer] of wanted) {
    const file = path.join(folder, `${seed}.js`);
    fs.writeFileSync(file, sourceOf(seed));
    const { left, result } = await missing(answer.outcomes, file);
    outcomes += answer.outcomes.size;
    if (left.length > 0) {
      failed++;
      console.log(`program ${seed}: ${result.schedules} schedules (${result.complete ? 'all' : 'not all'}), not found:\n  ${left.join('\n  ')}`);
    }
  }
  fs.rmSync(folder, { recursive: true });
  console.log(`${wanted.length - failed} of ${wanted.length} programs with ${outcomes} outcomes`);
  process.exitCode = failed > 0 || wanted.length === 0 ? 1 : 0;
}

main();
