// guard.js RONDO NODE [--write] [--rounds N] [ROW…]: the rows of rows.js with both binaries in turn. A row's figure is Node's processor time divided
// by ours, the median over the rounds; a row more than 15 % below what ratios.json says fails, after it has failed a second time.
// --write writes the figures down. Run by any Node-compatible runtime; `make deep` runs it with the Node that package-lock.json pins.
'use strict';

const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const kTolerance = 0.85;
const options = process.argv.slice(2);
const takeOption = (name, count) => {
  const at = options.indexOf(name);
  return at < 0 ? undefined : options.splice(at, 1 + count)[count];
};
const isWriting = takeOption('--write', 0) !== undefined;
const rounds = Number(takeOption('--rounds', 1) ?? 5);
const [rondo, node, ...wanted] = options;
if (!rondo || !node) {
  console.error('guard.js RONDO NODE [--write] [--rounds N] [ROW…]');
  process.exit(2);
}

const program = path.join(__dirname, 'rows.js');
const notes = path.join(__dirname, 'ratios.json');
const written = JSON.parse(fs.readFileSync(notes, 'utf8'));
const names = spawnSync(node, [program, '--list'], { encoding: 'utf8' }).stdout.trim().split('\n');
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

// Processor seconds of a process and what it started, as the shell counts them.
function seconds(binary, row) {
  const { stderr, status } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', 'row', binary, program, row], { encoding: 'utf8' });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (status !== 0) throw new Error(`${binary} ${row}: ${stderr}`);
  return Math.max(user + system, 0.001);
}

function ratio(row) {
  const figures = [];
  for (let i = 0; i < rounds; i++) figures.push(seconds(node, row) / seconds(rondo, row));
  return median(figures);
}

let failures = 0;
for (const row of wanted.length ? wanted : names) {
  let figure = ratio(row);
  const floor = (written[row] ?? 0) * kTolerance;
  if (!isWriting && figure < floor) figure = Math.max(figure, ratio(row));
  const isBelow = !isWriting && figure < floor;
  if (isBelow) failures++;
  if (isWriting) written[row] = Number(figure.toFixed(2));
  console.log(`${row.padEnd(16)} ${figure.toFixed(2).padStart(6)}  ${isBelow ? `FAIL: ${written[row]} is written down` : (written[row] ?? 'new')}`);
}
if (isWriting) fs.writeFileSync(notes, `${JSON.stringify(written, null, 2)}\n`);
if (failures) {
  console.error(`guard: ${failures} rows are more than 15 % below bench/guard/ratios.json`);
  process.exit(1);
}
