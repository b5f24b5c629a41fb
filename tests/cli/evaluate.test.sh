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
