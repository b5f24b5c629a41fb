// Runs programs under `rondo doctor --json` and judges its findings. A program of found/ and express/ says in its first line which it must be:
//   // expect CLASS FUNCTION [within MS]       (several names: a|b; * is any; a finding that was told after so many milliseconds)
// with the place in one of its own files; programs of healthy/ must get none.
//
//   node tests/doctor/run.js [-j N] RONDO [PATH…]      all of tests/doctor unless told otherwise
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');

const kTimeout = 60_000;

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

function runOne(rondo, file) {
  return new Promise((resolve) => {
    const child = spawn(rondo, ['doctor', '--json', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const timer = setTimeout(() => child.kill(), kTimeout);
    let text = '';
    child.stderr.on('data', (chunk) => (text += chunk));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(
        text
          .split('\n')
          .filter((line) => line.startsWith('{"kind":"finding"'))
          .map((line) => JSON.parse(line)),
      );
    });
  });
}

function judge(file, findings) {
  const expected = /^\/\/ expect (\S+) (\S+)(?: within (\d+))?/.exec(fs.readFileSync(file, 'utf8'));
  if (expected === null) return findings.length === 0;
  const [, name, functions, within = Infinity] = expected;
  const names = functions.split('|');
  return findings.some(
    (one) =>
      one.class === name &&
      (names.includes('*') || names.includes(one.function)) &&
      one.place.startsWith(path.dirname(file)) &&
      one.ms <= Number(within),
  );
}

async function main() {
  const args = process.argv.slice(2);
  const jobs = args[0] === '-j' ? Number(args.splice(0, 2)[1]) : 2;
  const rondo = path.resolve(args.shift());
  const folders = args.length > 0 ? args : ['found', 'healthy'].map((name) => path.join(__dirname, name));
  const files = programs(folders.map((one) => path.resolve(one)));
  let failed = 0;
  const next = files.values();
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (const file of next) {
        const findings = await runOne(rondo, file);
        if (judge(file, findings)) continue;
        failed++;
        const brief = findings.map((one) => `${one.class} ${one.function} (${one.place})`).join('; ') || 'no finding';
        console.log(`${path.relative(__dirname, file)}: ${brief}`);
      }
    }),
  );
  console.log(`doctor: ${files.length - failed} of ${files.length} as they should be`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main();
