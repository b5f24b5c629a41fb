// Node's own tests of Node-API (test/js-native-api and test/node-api), compiled here with g++ and run with the binary. Their sources are no part
// of this repository:
//
//   RONDO tests/addons/node_suite.js [-o RESULTS.tsv] FOLDER [PATTERN…]     FOLDER: `test` of Node's sources, of the version that Rondo follows
//
// expected_failures.txt names the tests that do not pass, each with the reason; one that passes nevertheless is a failure, so that the list only
// shrinks. Built files go into build/node_api.
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const kSuites = ['js-native-api', 'node-api'];
const kTimeout = 60_000;
const kHeaders = 'node_modules/node-api-headers/include';

function targetsOf(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/^\s*#.*$/gm, '').replace(/\s#[^'"\n]*$/gm, '');
  return new Function(`return (${text})`)().targets;
}

// One folder of a suite: every target into build/Release, as node-gyp has it.
function compile(folder) {
  const out = path.join(folder, 'build/Release');
  fs.mkdirSync(out, { recursive: true });
  const failed = [];
  for (const { target_name: name, sources = [], defines = [] } of targetsOf(path.join(folder, 'binding.gyp'))) {
    if (sources.length === 0) continue;
    const isPlusPlus = sources.some((source) => /\.(cc|cpp)$/.test(source));
    const options = [
      '-shared',
      '-fPIC',
      '-w',
      ...(isPlusPlus ? ['-std=c++20'] : []),
      `-DNODE_GYP_MODULE_NAME=${name}`,
      ...defines.map((define) => `-D${define}`),
      // The headers of npm have no experimental version.
      ...(defines.includes('NAPI_EXPERIMENTAL') ? ['-DNAPI_VERSION=0x7fffffff'] : []),
      '-I',
      path.resolve(kHeaders),
      '-o',
      path.resolve(out, `${name}.node`),
      ...sources,
    ];
    const { status, stderr } = spawnSync(isPlusPlus ? 'g++' : 'gcc', options, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) failed.push(`${name}: ${stderr}`);
  }
  return failed;
}

function prepare(source, place) {
  fs.rmSync(place, { recursive: true, force: true });
  fs.mkdirSync(place, { recursive: true });
  for (const name of ['common', 'fixtures']) fs.symlinkSync(path.join(source, name), path.join(place, name));
  for (const suite of kSuites) fs.cpSync(path.join(source, suite), path.join(place, suite), { recursive: true });
}

function testsOf(place) {
  const tests = [];
  for (const suite of kSuites) {
    for (const folder of fs.readdirSync(path.join(place, suite)).sort()) {
      if (!fs.existsSync(path.join(place, suite, folder, 'binding.gyp'))) continue;
      for (const file of fs.readdirSync(path.join(place, suite, folder)).sort()) {
        if (/^test.*\.m?js$/.test(file)) tests.push(`${suite}/${folder}/${file}`);
      }
    }
  }
  return tests;
}

function expectedFailures() {
  const lines = fs.readFileSync(path.join(__dirname, 'expected_failures.txt'), 'utf8').split('\n');
  return new Map(lines.filter((line) => line && !line.startsWith('#')).map((line) => line.split(/\s{2,}/)));
}

function run(place, test) {
  const file = path.join(place, test);
  const flags = /^\/\/ Flags: (.*)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1].trim().split(/\s+/) ?? [];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...flags, file], {
    cwd: place,
    encoding: 'utf8',
    timeout: kTimeout,
    killSignal: 'SIGKILL',
  });
  const isSkipped = /^1\.\.0 # Skipped/m.test(stdout);
  return { isPassed: status === 0 && !isSkipped, why: signal ?? (isSkipped ? stdout.trim() : stderr.trim().split('\n').slice(-12).join('\n')) };
}

function main(args) {
  const results = args[0] === '-o' ? args.splice(0, 2)[1] : undefined;
  const [source, ...patterns] = args;
  if (source === undefined || !fs.existsSync(path.join(source, 'node-api'))) {
    console.error('node_suite: the first argument is the folder `test` of the sources of Node');
    return 2;
  }
  const place = path.resolve('build/node_api');
  prepare(path.resolve(source), place);
  const isWanted = (test) => patterns.length === 0 || patterns.some((pattern) => test.includes(pattern));
  const tests = testsOf(place).filter(isWanted);
  for (const folder of new Set(tests.map((test) => path.dirname(test)))) {
    for (const failure of compile(path.join(place, folder))) console.log(`not compiled: ${folder}: ${failure}`);
  }
  const expected = expectedFailures();
  let passed = 0;
  const rows = [];
  const wrong = [];
  for (const test of tests) {
    const { isPassed, why } = run(place, test);
    if (isPassed) passed++;
    if (isPassed === expected.has(test)) wrong.push(isPassed ? `passes, but is in expected_failures.txt: ${test}` : `FAIL ${test}\n${why}`);
    rows.push(`${isPassed === expected.has(test) ? 'fail' : 'pass'}\t${test}`);
  }
  for (const text of wrong) console.log(text);
  if (results !== undefined) fs.writeFileSync(results, `${rows.join('\n')}\n`);
  console.log(`Node-API: ${passed} of ${tests.length} of Node's tests pass (${((100 * passed) / tests.length).toFixed(1)} %)`);
  return wrong.length === 0 && tests.length > 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
