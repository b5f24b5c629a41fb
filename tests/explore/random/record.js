// Adds the outcomes that Node shows to answers.txt: node tests/explore/random/record.js NODE FIRST COUNT RUNS
//
// Each program (programs.js) is run RUNS times, four at a time, so that the runs are in each other's way. A line of answers.txt is a
// program's seed, the number of its runs so far, and the outcomes that were seen, separated by tabs.
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { sourceOf } = require('./programs.js');

const kAnswers = path.join(__dirname, 'answers.txt');
const kAtOnce = 4;

function readAnswers() {
  const answers = new Map();
  for (const line of fs.existsSync(kAnswers) ? fs.readFileSync(kAnswers, 'utf8').split('\n') : []) {
    const [seed, runs, ...outcomes] = line.split('\t');
    if (outcomes.length > 0) answers.set(Number(seed), { runs: Number(runs), outcomes: new Set(outcomes) });
  }
  return answers;
}

function writeAnswers(answers) {
  const lines = [...answers].sort((a, b) => a[0] - b[0]).map(([seed, { runs, outcomes }]) => [seed, runs, ...[...outcomes].sort()].join('\t'));
  fs.writeFileSync(kAnswers, `${lines.join('\n')}\n`);
}

const runOnce = (node, file) =>
  new Promise((resolve, reject) => {
    execFile(node, [file], { timeout: 60_000 }, (error, stdout, stderr) => {
      if (error || stderr) reject(new Error(`${file}: ${error?.message} ${stderr}`));
      else resolve(stdout.trim());
    });
  });

async function record(node, first, count, runs) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-random-'));
  for (let seed = first; seed < first + count; seed++) {
    const file = path.join(folder, `${seed}.js`);
    fs.writeFileSync(file, sourceOf(seed));
    const seen = [];
    let started = 0;
    const lane = async () => {
      while (started < runs) {
        started++;
        seen.push(await runOnce(node, file));
      }
    };
    await Promise.all(Array.from({ length: kAtOnce }, lane));
    const answers = readAnswers();
    const known = answers.get(seed) ?? { runs: 0, outcomes: new Set() };
    answers.set(seed, { runs: known.runs + runs, outcomes: new Set([...known.outcomes, ...seen]) });
    writeAnswers(answers);
  }
  fs.rmSync(folder, { recursive: true });
}

module.exports = { readAnswers };
if (require.main === module) record(process.argv[2], ...process.argv.slice(3).map(Number));
