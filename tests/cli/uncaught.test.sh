#!/usr/bin/env bash
# An uncaught error prints the source line, a caret, a stack and gives exit code 1; what was written before is not lost.
source tests/cli/help.bash
script thrower.js <<'JS'
console.log('before');
function broken() {
  throw new TypeError('no good');
}
setTimeout(() => broken(), 1);
setTimeout(() => console.log('never'), 50);
JS
run "$work/thrower.js"
expect "code" "$code" 1
expect "stdout" "$out" "before"
has "place" "$err" "thrower.js:3"
has "source line" "$err" "throw new TypeError('no good');"
has "caret" "$err" "^"
has "message" "$err" "TypeError: no good"
has "stack" "$err" "at broken ("
run -e 'Promise.reject(new RangeError("unhandled"))'
expect "rejection: code" "$code" 1
has "rejection" "$err" "RangeError: unhandled"
run -e 'process.on("uncaughtException", (e) => console.log("caught", e.message)); setTimeout(() => { throw new Error("x") }); setTimeout(() => console.log("goes on"), 5)'
expect "handler" "$out:$code" $'caught x\ngoes on:0'
script unsettled.mjs <<<'await new Promise(() => {});'
run "$work/unsettled.mjs"
expect "unsettled top-level await" "$code" 13
