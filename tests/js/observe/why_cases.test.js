// rondo why answers for each way in which a program is alive, late or ended, with the function and the place of the program. The programs are in
// tests/fixtures/why; the first line of each says what one of the answers must have (texts are regular expressions, lines numbers). A program
// that was asked too early, on a busy machine, is asked again later.
'use strict';

const assert = require('node:assert');
const { spawn, execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const kAtOnce = 3;
const programs = path.join(__dirname, '../../fixtures/why');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-why-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const lineOf = (place) => Number(/:(\d+):\d+$/.exec(place ?? '')?.[1]);

function matches(one, key, wanted) {
  if (key === 'line') return [wanted].flat().includes(lineOf(one.place));
  if (key === 'function' || key === 'kind' || typeof wanted !== 'string') return one[key] === wanted;
  return new RegExp(wanted).test(one[key] ?? '');
}

const hasAll = (one, wanted) =>
  Object.entries(wanted).every(([key, value]) =>
    Array.isArray(one[key]) ? one[key].some((part) => hasAll(part, value)) : matches(one, key, value),
  );

// → the lines that were told until the one that is wanted came, or the program ended, or for a while nothing came.
function ask(file, isAnswer, after) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['why', '--json', `--after=${after}ms`, file], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, WHY_FOLDER: folder, WHY_PIPE: path.join(folder, 'pipe') },
    });
    const lines = [];
    let text = '';
    let quiet;
    const end = () => child.kill('SIGTERM');
    const wait = () => {
      clearTimeout(quiet);
      quiet = setTimeout(end, after + 5000);
    };
    wait();
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const all = text.split('\n');
      text = all.pop();
      for (const line of all) if (line.startsWith('{')) lines.push(JSON.parse(line));
      if (lines.some(isAnswer)) end();
      else wait();
    });
    child.on('close', () => {
      clearTimeout(quiet);
      resolve(lines);
    });
  });
}

async function check(name) {
  const file = path.join(programs, name);
  const wanted = JSON.parse(/^\/\/ (.*)/.exec(fs.readFileSync(file, 'utf8'))[1]);
  const isAnswer = (line) => hasAll(line, wanted) && JSON.stringify(line).includes(name);
  let lines = [];
  for (const after of [250, 2000, 8000]) {
    fs.rmSync(path.join(folder, 'local.sock'), { force: true }); // of a try before
    lines = await ask(file, isAnswer, after);
    if (lines.some(isAnswer)) return [];
  }
  return [`${name}: ${lines.map((line) => JSON.stringify(line)).join('\n  ') || 'nothing'}`];
}

async function main() {
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  const names = fs.readdirSync(programs).filter((name) => process.argv[2] === undefined || name.includes(process.argv[2]));
  assert.ok(process.argv[2] !== undefined || names.length >= 30);
  const failed = [];
  const next = names.values();
  await Promise.all(
    Array.from({ length: kAtOnce }, async () => {
      for (const name of next) failed.push(...(await check(name)));
    }),
  );
  assert.deepStrictEqual(failed, []);
}

main();
