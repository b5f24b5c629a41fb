#!/usr/bin/env bash
# --loop=html runs the code of -e and TypeScript as scripts of a page; its options are in --help.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
[ "$("$RONDO" --loop=html -e 'setTimeout(() => console.log("timer", typeof process)); console.log("code")')" = $'code\ntimer undefined' ] || exit 1
"$RONDO" --loop=html -e 'throw new Error("thrown")' 2>err && exit 1
grep -q 'Error: thrown' err || exit 1
echo 'interface A { a: number } const x: A = { a: 1 }; console.log(x.a as number, typeof window);' >script.ts
[ "$("$RONDO" --loop=html script.ts)" = '1 object' ] || exit 1
echo 'export const y: number = 5;' >part.mts
echo "import { y } from './part.mts'; console.log(y);" >module.ts
[ "$("$RONDO" --loop=html module.ts)" = 5 ] || exit 1
"$RONDO" --loop=html -p 1 2>/dev/null && exit 1
"$RONDO" --help | grep -q -- '--storage folder' || exit 1
exit 0
