#!/usr/bin/env bash
# --version, --help, --check, `--`, and options that do not exist.
source tests/cli/help.bash
run --version
has "--version" "$out" "v"
expect "--version code" "$code" 0
run --version --json
facts=$out
run -p "const f = JSON.parse(process.argv[1]); [\`rondo v\${f.rondo}\` === process.argv[2], \`v\${f.node}\` === process.version, f.platform === process.platform, f.arch === process.arch].join()" \
  "$facts" "$("$RONDO" --version)"
expect "--version --json" "$out" true,true,true,true
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

# Words that an option does not know are refused.
for option in --dns-result-order --trace-require-module --experimental-default-type --unhandled-rejections; do
  run $option=nonsense "$work/good.js"
  expect "$option=nonsense" "$out:$code" ":9"
  has "$option=nonsense: message" "$err" "invalid value for $option"
done

# What would be accepted and do nothing is refused.
for option in --frozen-intrinsics --force-context-aware; do
  run $option "$work/good.js"
  expect "$option" "$code:$out" "9:"
  has "$option: message" "$err" "bad option: $option"
done
(ulimit -c 0; run --abort-on-uncaught-exception -e 'throw new Error("fatal")'; expect "--abort-on-uncaught-exception" "$code" 134)
run --help
has "--help" "$out" "--watch"
# At a terminal, with nothing to run: a prompt; help where a command needs a script.
has "rondo at a terminal" "$(NODE_REPL_HISTORY='' command script -qec "'$RONDO'" /dev/null <<<'.exit')" 'Type ".help"'
has "rondo trace at a terminal" "$(command script -qec "'$RONDO' trace" /dev/null </dev/null)" "Usage: rondo"
