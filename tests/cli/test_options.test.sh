#!/usr/bin/env bash
# The options of the test runner, each tried: which files and tests run, how, and what is printed about them.
source tests/cli/help.bash
cd "$work" || exit 1
mkdir -p test snap
cat >test/a.js <<'JS'
const { describe, it, test } = require('node:test');
describe('math', () => { it('adds', () => {}); it('divides', { tags: ['slow'] }, () => {}); });
test('strings', () => {});
JS
cat >test/b.js <<'JS'
const test = require('node:test');
test('only this', { only: true }, () => {});
test('not this', () => {});
JS
totals() { grep -oP '^. (tests|pass|fail|cancelled|skipped) \K\d+' <<<"$out" | tr '\n' ' '; }
# counts WHAT TOTALS ARGS…: tests, pass, fail, cancelled, skipped
counts() {
  local what=$1 wanted=$2
  shift 2
  run --no-warnings "$@"
  expect "$what" "$(totals)" "$wanted "
}
counts "all" "5 5 0 0 0" --test
counts "--test-name-pattern" "3 3 0 0 0" --test --test-name-pattern=math  # a file without a matching test counts itself
counts "--test-skip-pattern" "3 3 0 0 0" --test --test-skip-pattern=/MATH/i
counts "--test-name-pattern in one process" "2 2 0 0 0" --test --test-isolation=none --test-name-pattern=math test/a.js
counts "--test-only" "1 1 0 0 0" --test --test-only test/b.js
counts "--experimental-test-tag-filter" "1 1 0 0 0" --test --experimental-test-tag-filter=slow test/a.js
counts "--test-shard" "3 3 0 0 0" --test --test-shard=1/2
run --test --test-shard=x
expect "--test-shard=x" "$code" 1
echo 'require("node:test")("where", () => console.log("pid", process.pid, process.env.NODE_TEST_WORKER_ID));' | tee one.js >two.js
for isolation in process none; do
  run --test --test-isolation=$isolation one.js two.js
  expect "--test-isolation=$isolation" "$(grep -o 'pid [0-9]*' <<<"$out" | sort -u | wc -l)" "$([ $isolation == none ] && echo 1 || echo 2)"
done
run --test --experimental-test-isolation=none one.js
expect "--experimental-test-isolation" "$code" 0
run --test --test-concurrency=1 one.js two.js
expect "--test-concurrency" "$(grep -o 'pid .*' <<<"$out" | cut -d' ' -f3 | sort -u)" 1

echo 'require("node:test")("hangs", () => new Promise((resolve) => setTimeout(resolve, 1e5).unref()));' >hangs.js
counts "--test-timeout" "1 0 0 1 0" --test --test-timeout=50 hangs.js
echo 'require("node:test")("leaves a server", () => { require("net").createServer().listen(0, "127.0.0.1"); });' >server.js
counts "--test-force-exit" "1 1 0 0 0" --test-force-exit server.js

echo 'require("node:test")("leaves", () => { setTimeout(() => {}, 20); });' >leaves.js
counts "--test-leaks" "1 0 1 0 0" --test-leaks leaves.js

# Order: the same seed gives the same, another one another.
echo 'const test = require("node:test"); for (let i = 0; i < 20; i++) test(`n${i}`, () => {});' >many.js
order() { "$RONDO" --test --test-reporter=tap "$@" many.js | grep -oP '^ok \d+ - \Kn\d+' | tr '\n' ' '; }
expect "--test-random-seed" "$(order --test-random-seed=5)" "$(order --test-randomize --test-random-seed=5)"
[ "$(order --test-random-seed=5)" != "$(order --test-random-seed=6)" ] || expect "another seed" "the same order" "another"
run --test --test-randomize many.js
has "--test-randomize" "$out" "Randomized test order seed: "
run --test --test-randomize --watch many.js
expect "--test-randomize --watch" "$code" 1

# Reporters.
run --test-reporter=tap --test-reporter-destination=out.tap --test-reporter=dot --test-reporter-destination=stdout one.js
has "--test-reporter-destination" "$(cat out.tap)" "ok 1 - where"
has "--test-reporter" "$out" "."
run --test-reporter=tap --test-reporter=dot one.js
expect "a destination is missing" "$code" 1
echo 'export default async function*(source) { for await (const { type, data } of source) if (type === "test:pass") yield `passed ${data.name}\n`; }' >mine.mjs
run --test --test-reporter=./mine.mjs test/b.js
expect "a reporter of one's own" "$out" "passed only this
passed not this"

# Snapshots are written when asked for, and compared otherwise.
echo 'require("node:test")("s", (t) => t.assert.snapshot({ value: process.env.VALUE }));' >snap/s.js
run snap/s.js
expect "no snapshot" "$code" 1
VALUE=1 run --test-update-snapshots snap/s.js
expect "--test-update-snapshots" "$code:$(cat snap/s.js.snapshot)" '0:exports[`s 1`] = `
{
  "value": "1"
}
`;'
VALUE=1 run snap/s.js
expect "the same value" "$code" 0
VALUE=2 run snap/s.js
expect "another value" "$code" 1

# A run that remembers: what passed is not run again.
cat >again.js <<'JS'
const test = require('node:test'), fs = require('fs');
test('passes', () => fs.appendFileSync('ran', 'passes '));
test('fails once', () => { const first = !fs.existsSync('failed'); fs.writeFileSync('failed', ''); if (first) throw new Error('once'); });
JS
run --test --test-rerun-failures=state.json again.js
expect "--test-rerun-failures, first" "$code" 1
run --test --test-rerun-failures=state.json again.js
expect "--test-rerun-failures, second" "$code:$(cat ran)" "0:passes "

echo 'exports.globalSetup = () => console.log("set up"); exports.globalTeardown = () => console.log("torn down");' >setup.js
run --test --test-global-setup=./setup.js one.js
has "--test-global-setup" "$out" "set up"
has "globalTeardown" "$out" "torn down"

echo 'require("node:test")("m", (t) => { t.mock.module("node:fs", { exports: { here: 1 } }); t.assert.strictEqual(require("fs").here, 1); });' >mocked.js
run --no-warnings --experimental-test-module-mocks mocked.js
expect "--experimental-test-module-mocks" "$code" 0
run mocked.js
expect "without it" "$code" 1
run --test 'no/such/*.js'
expect "a pattern without files" "$code:$(totals)" "0:0 0 0 0 0 "
run --test test/
expect "a folder" "$code:$(totals)" "0:0 0 0 0 0 "
