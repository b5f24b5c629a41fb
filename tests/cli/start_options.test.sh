#!/usr/bin/env bash
# What is read before the program starts: --env-file, -r, --import, --conditions, NODE_OPTIONS, standard input.
source tests/cli/help.bash
cd "$work" || exit 1

printf 'A=1\nB="two words" # comment\nexport C=x\n' >one.env
printf 'A=2\nD=4\n' >two.env
B=set run --env-file=one.env --env-file two.env -p '[process.env.A, process.env.B, process.env.C, process.env.D].join()'
expect "--env-file: a later file wins, the environment over all" "$out" "2,set,x,4"
run --env-file=missing.env -p 1
expect "a missing file" "$code" 9
has "a missing file" "$err" "missing.env: not found"
run --env-file-if-exists=missing.env -p 1
expect "an optional file" "$out/$err" "1/missing.env not found. Continuing without it."

echo 'globalThis.loaded = (globalThis.loaded ?? "") + "r";' >pre.cjs
echo 'globalThis.loaded = (globalThis.loaded ?? "") + "i";' >pre.mjs
echo 'globalThis.loaded = (globalThis.loaded ?? "") + "s";' >'with space.cjs'
run -r ./pre.cjs --import ./pre.mjs -p loaded
expect "-r before --import before the program" "$out" "ri"
NODE_OPTIONS='--require ./pre.cjs --no-warnings' run -p 'loaded + process.execArgv.length'
expect "NODE_OPTIONS" "$out" "r2"
NODE_OPTIONS='"--require" "./with space.cjs"' run -p loaded
expect "NODE_OPTIONS with quotes" "$out" "s"
NODE_OPTIONS='--require "./pre.cjs' run -p 1
expect "an open quote" "$code" 9
NODE_OPTIONS='--eval 1' run -p 1
expect "what NODE_OPTIONS must not say" "$code" 9
has "what NODE_OPTIONS must not say" "$err" "--eval is not allowed in NODE_OPTIONS"

mkdir -p node_modules/cond
echo '{"name":"cond","exports":{"special":"./special.js","default":"./usual.js"}}' >node_modules/cond/package.json
echo 'module.exports = "special"' >node_modules/cond/special.js
echo 'module.exports = "usual"' >node_modules/cond/usual.js
run -p 'require("cond")'
expect "without --conditions" "$out" usual
run --conditions=special -p 'require("cond")'
expect "--conditions" "$out" special
run -C special --input-type=module -e 'import cond from "cond"; console.log(cond)'
expect "-C for import" "$out" special

expect "a program from standard input" "$(echo 'console.log(__filename, process.argv.slice(2).join())' | "$RONDO" - a b)" "[stdin] a,b"
expect "a module from standard input" "$(echo 'import fs from "fs"; console.log(typeof fs.stat, import.meta.url.split("/").pop())' | "$RONDO")" "function [eval1]"

echo 'let a = ;' >broken.js
echo 'let a = 1;' >fine.js
run -c broken.js
expect "-c of what is wrong" "$code" 1
run -c fine
expect "-c finds a file as require does" "$code$out" 0
run -c nowhere.js
has "-c of a missing file" "$err" "Cannot find module"
