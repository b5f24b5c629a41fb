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

# What the program has made of regular expressions, or of strings, does not spoil the report.
for spoil in 'RegExp.prototype.exec = () => { throw new Error("replaced"); };' 'RegExp.prototype[Symbol.replace] = RegExp.prototype.test = null;' \
  'Object.defineProperty(RegExp.prototype, "flags", { get() { throw new Error("replaced"); } });'; do
  printf '%s\n' "$spoil" 'throw Object.assign(new TypeError("mine"), { code: "E_MINE" });' >"$work/spoilt.js"
  run "$work/spoilt.js"
  expect "$spoil: code" "$code" 1
  has "$spoil" "$err" $'spoilt.js:2\nthrow Object.assign(new TypeError("mine"), { code: "E_MINE" });\n^\n\nTypeError: mine\n'
  has "$spoil" "$err" "code: 'E_MINE'"
  printf '%s\n' "$spoil" 'throw 5;' >"$work/spoilt.js"
  run "$work/spoilt.js"
  expect "$spoil, a number: code" "$code" 1
  has "$spoil, a number" "$err" $'spoilt.js:2\nthrow 5;\n^\n5\n'
done
script spoilt.js <<<'for (const name of ["slice", "endsWith", "repeat", "split"]) String.prototype[name] = () => { throw new Error("replaced"); }; throw 5;'
run "$work/spoilt.js"
expect "spoilt strings: code" "$code" 1
has "spoilt strings" "$err" "5"
