#!/usr/bin/env bash
# --version, --help, --check, `--`, and options that do not exist.
source tests/cli/help.bash
run --version
has "--version" "$out" "v"
expect "--version code" "$code" 0
run --help
has "--help" "$out" "sage"
run --no-such-option
expect "unknown option: code" "$code" 9
has "unknown option: message" "$err" "bad option: --no-such-option"
script good.js <<<'console.log("ran")'
script bad.js <<<'let = ;'
run --check "$work/good.js"
expect "--check good" "$out:$code" ":0"
run --check "$work/bad.js"
expect "--check bad: code" "$code" 1
has "--check bad: message" "$err" "SyntaxError"
script argv.js <<<'console.log(JSON.stringify(process.argv.slice(2)))'
run -- "$work/argv.js" --version -x
expect "after --" "$out" '["--version","-x"]'
run "$work/argv.js" --version -- y
expect "after the file" "$out" '["--version","--","y"]'
run "$work/missing.js"
expect "missing file: code" "$code" 1
has "missing file: message" "$err" "Cannot find module"
