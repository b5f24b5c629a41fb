#!/usr/bin/env bash
# -e runs code, -p prints the value of its last expression.
source tests/cli/help.bash
run -e 'console.log(1 + 1, process.argv.length)' a b
expect "-e" "$out:$code" "2 3:0"
run -p '6 * 7'
expect "-p" "$out:$code" "42:0"
run -p '[1, { a: "b" }]'
expect "-p object" "$out" "[ 1, { a: 'b' } ]"
run -e 'process.exitCode = 3'
expect "exitCode" "$code" 3
run -e 'process.exit(4)'
expect "exit" "$code" 4
# A function in a block sees the block's variables, whatever else the text declares.
for text in '{ let x = 1; function f() { return x } console.log(f()) }' \
    'const a = 1; { let x = a; function f() { return x } console.log(f()) }' \
    'class A { g() { return 1 } } let b = 1; if (b) { const x = new A(); function f() { return x.g() } console.log(f()) }'; do
  run -e "$text"
  expect "-e $text" "$out" 1
  expect "standard input: $text" "$("$RONDO" - <<<"$text")" 1
  run -p "$text; typeof f"
  expect "-p $text" "$out" "1
function"
done
# `crypto` is node:crypto in a script on the command line, and the web's in a module, which has no require either.
run -p 'crypto.createHash("md5").digest("hex")'
expect "-p crypto" "$out" d41d8cd98f00b204e9800998ecf8427e
run -e 'export const a = 1; console.log(typeof crypto.createHash, typeof require, typeof __filename)'
expect "-e module" "$out" "undefined undefined undefined"

# A program from standard input: '-' is in process.argv where it was written, and builtin modules are no globals.
piped() { out=$("$RONDO" "$@" <<<'console.log(process.argv.slice(1), typeof fs, typeof require)' 2>&1); }
piped
expect "standard input" "$out" '[] undefined function'
piped - a
expect "standard input that is named" "$out" "[ '-', 'a' ] undefined function"

# A promise is printed as it is at the end; what the program printed before stands before it.
run -p 'setTimeout(() => console.log("first"), 5); require("timers/promises").setTimeout(10).then(() => 42)'
expect "-p of a promise" "$out" "first
Promise { 42 }"
run -p 'setTimeout(process.exit, 5, 7); new Promise(() => {})'
expect "-p of a pending promise" "$code:$out" "7:Promise { <pending> }"

# --check of standard input shows the place; a wrapper of a preloaded module counts.
code=0
err=$("$RONDO" --check - 2>&1 <<<'var foo bar;') || code=$?
expect "--check of standard input: code" "$code" 1
expect "--check of standard input" "$(head -3 <<<"$err")" "[stdin]:1
var foo bar;
        ^^^"
echo "require('module').wrapper = ['', ''];" >"$work/wrapper.cjs"
echo 'if (true) return;' >"$work/returns.js"
run --check "$work/returns.js"
expect "a return at the top of CommonJS" "$code" 0
run --require "$work/wrapper.cjs" --check "$work/returns.js"
expect "a return without a wrapper" "$code:$(head -1 <<<"$err")" "1:$work/returns.js:1"

# NODE_OPTIONS of an environment file, unless the environment has it.
echo 'NODE_OPTIONS="--stack-trace-limit=3"' >"$work/options.env"
run --env-file="$work/options.env" -p 'Error.stackTraceLimit + " " + process.argv.slice(1)' one two
expect "NODE_OPTIONS of a file" "$out" "3 one,two"
NODE_OPTIONS=--stack-trace-limit=5 run --env-file="$work/options.env" -p 'Error.stackTraceLimit'
expect "NODE_OPTIONS of the environment wins" "$out" "5"
echo 'export const a = await 1;' >"$work/module.js"
run --check "$work/module.js"
expect "--check of a module that only its text tells" "$code:$err" "0:"
