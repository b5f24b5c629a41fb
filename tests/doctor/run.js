// Runs programs under `rondo doctor --json` and judges its findings. A program of found/ and express/ says in its first line which it must be:
//   // expect CLASS FUNCTION       (several names: a|b; * is any)
// with the place in one of its own files; a block or a recursion is told within 150 ms of the threshold, on the clock of the thread. Such
// a program is ended when the finding has come. Programs of healthy/ must get none. A program of express/ needs the package (NODE_PATH).
//
//   node tests/doctor/run.js [-j N] [-v] RONDO [PATH…]      found/ and healthy/ unless told otherwise; -v: tells of those that pass, too
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');

const kTimeout = 90_000;
const kThreshold = 100,
  kWithin = 150; // ms

function programs(paths) {
  const isProgram = (name) => /\.m?js$/.test(name);
  return paths.flatMap((one) =>
    fs.statSync(one).isFile()
      ? [one]
      : fs
          .readdirSync(one)
          .filter(isProgram)
          .map((name) => path.join(one, name)),
  );
}

// `isEnough`: whether the program need not go on.
function runOne(rondo, file, isEnough) {
  return new Promise((resolve) => {
    const child = spawn(rondo, ['doctor', '--json', file], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // it has ended
      }
    };
    const timer = setTimeout(end, kTimeout);
    const findings = [];
    let text = '';
    child.stderr.on('data', (chunk) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop();
      for (const line of lines) if (line.startsWith('{"kind":"finding"')) findings.push(JSON.parse(line));
      if (isEnough(findings)) end();
    });
    child.on('close', () => {
      clearTimeout(timer);
      end();
      resolve(findings);
    });
  });
}

// → { isExpected(finding) } or undefined for a healthy program
function expectation(file) {
  const expected = /^\/\/ expect (\S+) (\S+)/.exec(fs.readFileSync(file, 'utf8'));
  if (expected === null) return undefined;
  const [, name, functions] = expected;
  const names = functions.split('|');
  const isTimed = name === 'synchronous-block' || name.endsWith('-recursion');
  return (one) =>
    one.class === name &&
    (names.includes('*') || names.includes(one.function)) &&
    one.place.startsWith(path.dirname(file)) &&
    (!isTimed || one.ms <= kThreshold + kWithin);
}

async function judge(rondo, file) {
  const isExpected = expectation(file);
  if (isExpected === undefined) {
    const findings = await runOne(rondo, file, () => false);
    return { isRight: findings.length === 0, findings };
  }
  const findings = await runOne(rondo, file, (all) => all.some(isExpected));
  return { isRight: findings.some(isExpected), findings };
}

async function main() {
  const args = process.argv.slice(2);
  const jobs = args[0] === '-j' ? Number(args.splice(0, 2)[1]) : 2;
  const isTold = args[0] === '-v' && args.shift() !== undefined;
  const rondo = path.resolve(args.shift());
  const folders = args.length > 0 ? args : ['found', 'healthy'].map((name) => path.join(__dirname, name));
  const files = programs(folders.map((one) => path.resolve(one))).filter((file) => path.basename(file) !== 'load.js');
  let failed = 0;
  const next = files.values();
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (const file of next) {
        const { isRight, findings } = await judge(rondo, file);
        if (isRight && !isTold) continue;
        if (!isRight) failed++;
        const brief = findings.map((one) => `${one.class} ${one.function} (${one.place}) ${one.ms} ms`).join('; ') || 'no finding';
        console.log(`${isRight ? 'ok  ' : ''}${path.relative(__dirname, file)}: ${brief}`);
      }
    }),
  );
  console.log(`doctor: ${files.length - failed} of ${files.length} as they should be`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main();
