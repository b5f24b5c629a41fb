#!/usr/bin/env bash
# TypeScript on the command line and on standard input, without an option, as script and as module; and text that cannot be either.
source tests/cli/help.bash
fails=0
expect() {
  local wanted=$1 got
  shift
  got=$(timeout 20 "$@" 2>&1)
  case $got in *"$wanted"*) ;; *) echo "$*: got <$got>, wanted <$wanted>"; fails=$((fails + 1)) ;; esac
}

expect '3' "$RONDO" -e 'const a: number = 3; interface B { c: string } console.log(a as unknown)'
expect '3' "$RONDO" -p 'const a: number = 3; a'
expect 'linux' "$RONDO" -e 'import os from "node:os"; const a: string = os.platform(); console.log(a)'
expect '5' "$RONDO" --input-type=module-typescript -e 'const a: number = await 5; console.log(a)'
expect '6' "$RONDO" --input-type=commonjs-typescript -e 'const a: number = 6; console.log(a)'
expect '7' bash -c "echo 'type A = number; const a: A = 7; console.log(a)' | $RONDO -"
expect 'SyntaxError' "$RONDO" -e 'let x: = 1'
expect 'SyntaxError: Unexpected reserved word' "$RONDO" -e 'enum A { B }'
expect 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' "$RONDO" --input-type=module-typescript -e 'enum A { B }'
expect 'SyntaxError' "$RONDO" --no-strip-types -e 'const a: number = 3'
expect 'SyntaxError' "$RONDO" --input-type=commonjs -e 'const a: number = 3'

# Both require() and top-level await.
expect "both 'require' and top-level await are present" "$RONDO" -e 'const fs = require("fs"); await 1'
expect 'ERR_AMBIGUOUS_MODULE_SYNTAX' "$RONDO" -e 'console.log(__dirname); await 1'
expect 'ERR_AMBIGUOUS_MODULE_SYNTAX' "$RONDO" -e 'await 1; console.log(__filename)'
exit $((fails > 0))
