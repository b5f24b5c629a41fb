#!/usr/bin/env bash
# --test runs every file named or found in a process of its own, and fails when one of them does.
source tests/cli/help.bash
cd "$work" || exit 1
mkdir -p test/deep lib/node_modules/x other
echo 'require("node:test")("one", () => {}); console.log("pid", process.pid);' >test/deep/any.js
echo 'import test from "node:test"; test("two", () => {}); test("three", { skip: true }, () => {});' >lib/b.test.mjs
echo 'console.log("plain", process.argv.length, process.env.RONDO_TEST_FD);' >lib/test-c.js
echo 'throw new Error("not to be run");' | tee lib/node_modules/x/x.test.js lib/other.js >other/tests.js

run --test
expect "all pass: code" "$code" 0
has "tests of a file" "$out" "✔ one ("
has "a file without tests is one" "$out" "✔ lib/test-c.js ("
has "what a file prints" "$out" "plain 2 undefined"
has "totals" "$out" "ℹ tests 4
ℹ suites 0
ℹ pass 3
ℹ fail 0
ℹ cancelled 0
ℹ skipped 1"

# Each failure counts, wherever it is among the files, and does not stop the others.
echo 'const test = require("node:test"); test("fine", () => {}); test("bad", () => { throw new Error("on purpose"); });' >other/bad.js
echo 'throw new Error("at once");' >other/throws.js
echo 'process.kill(process.pid, "SIGKILL");' >other/killed.js
echo 'require("node:test")("fine too", () => {}); process.on("exit", () => { process.exitCode = 3; });' >other/late.js
run --test other/bad.js other/throws.js other/killed.js other/late.js lib/b.test.mjs
expect "failures: code" "$code" 1
has "failures: totals" "$out" "ℹ tests 8
ℹ suites 0
ℹ pass 3
ℹ fail 4"
has "failures: in full" "$out" "Error: on purpose"
has "failures: what a file printed" "$out" "Error: at once"
has "failures: an exit code" "$out" "✖ other/late.js ("
has "the others ran" "$out" "✔ two ("

run --test --test-reporter=tap other/killed.js
has "failures: a signal" "$out" "signal: 'SIGKILL'"

run --test 'lib/**/*.mjs'
expect "a pattern" "$code:$(grep -c '^✔' <<<"$out")" "0:1"
run --test other/nowhere.js
expect "no such file" "$code:$err" "1:Could not find 'other/nowhere.js'"
echo 'console.log("options", process.execArgv.join());' >other/options.js
run --no-warnings --test other/options.js
has "options reach the files" "$out" "options --no-warnings"
for other in "-e 1" "-c" "--watch-path=." "--watch --test-force-exit"; do
  run --test $other other/options.js
  expect "--test $other" "$code" 9
done
NODE_OPTIONS=--test run other/options.js
expect "--test for every child" "$code" 9
