// Explores programs whose outcomes are known, and compares: rondo tests/explore/run.js RONDO [PART/PARTS] [NAME…]
//
// A program's first lines say why, then its outcomes, no more and no fewer:
//   // outcome: WORDS…        standard output with line ends as spaces, then "(CODE)" for an exit code other than 0
//   // outcomes: N            so many, where they are too many to list
//   // options: …             of rondo explore
// Each outcome's schedule is replayed, and must give the same output again.
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const path = require('path');

const [rondo, part = '1/1', ...names] = process.argv.slice(2);
const folder = path.join(__dirname, 'sets');
const [index, parts] = part.split('/').map(Number);

function read(file) {
  const head = fs.readFileSync(file, 'utf8').split('\n').filter((line) => line.startsWith('// '));
  const all = (name) => head.filter((line) => line.startsWith(`// ${name}: `)).map((line) => line.slice(name.length + 5).trim());
  return { outcomes: all('outcome').sort(), count: Number(all('outcomes')[0] ?? 0), options: all('options').join(' ').split(' ').filter(Boolean) };
}

const run = (args) =>
  new Promise((resolve) => {
    const options = { maxBuffer: 1 << 26, env: { ...process.env, RONDO_TEST_ID: String(process.pid) } };
    const child = execFile(rondo, args, options, (error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }));
  });

const words = ({ exitCode, stdout }) => (stdout.split(/\s+/).join(' ').trim() + (exitCode ? ` (${exitCode})` : '')).trim();

async function check(file) {
  const wanted = read(file);
  const { stdout, stderr, code } = await run(['explore', '--json', ...(wanted.options.length > 0 ? wanted.options : ['--all']), file]);
  let result;
  try {
    result = JSON.parse(stdout.trim().split('\n').at(-1));
  } catch {
    return `exit code ${code}, no result\n${stdout}${stderr}`;
  }
  const found = result.outcomes.map(words).sort();
  if (wanted.count > 0 ? found.length !== wanted.count : JSON.stringify(found) !== JSON.stringify(wanted.outcomes)) {
    const list = (outcomes) => outcomes.slice(0, 12).map((text) => `    ${text}`).join('\n');
    return `expected ${wanted.count || `\n${list(wanted.outcomes)}\n `} found ${found.length}\n${list(found)}\n${result.outcomes[0]?.stderr}`;
  }
  if (!result.complete && wanted.options.length === 0) return 'the search is not complete';
  for (const outcome of result.outcomes.slice(0, 3).concat(result.outcomes.slice(-2))) {
    const again = await run(['replay', file, `--schedule=${outcome.schedule}`]);
    if (again.code !== outcome.exitCode || again.stdout !== outcome.stdout || again.stderr !== outcome.stderr) {
      return `schedule ${outcome.schedule}: replayed ${JSON.stringify(again)}, explored ${JSON.stringify(outcome)}`;
    }
  }
  return '';
}

async function main() {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('js') && (names.length === 0 || names.some((part) => name.includes(part))));
  let failed = 0;
  for (const [at, name] of files.sort().entries()) {
    if (at % parts !== index - 1) continue;
    const begin = performance.now();
    const wrong = await check(path.join(folder, name));
    if (wrong) failed++;
    if (wrong || process.env.VERBOSE) console.log(`${wrong ? 'fail' : 'pass'} ${name} ${Math.round(performance.now() - begin)} ms ${wrong}`);
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

main();
