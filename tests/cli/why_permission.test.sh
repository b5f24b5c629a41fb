#!/usr/bin/env bash
# rondo why --permission: the options it prints are enough, and each of them is needed.
source tests/cli/help.bash
mkdir -p "$work/data" "$work/out dir" "$work/node_modules/pack"
echo 'module.exports = "packed"' >"$work/node_modules/pack/index.js"
echo 'text' >"$work/data/one"
script app.js <<'JS'
const fs = require('fs');
const { join } = require('path');
console.log(require('pack'), fs.readFileSync(join(__dirname, 'data/one'), 'utf8').trim());
fs.writeFileSync(join(__dirname, 'out dir/result'), 'x');
fs.rmSync(fs.mkdtempSync(join(__dirname, 'data/tmp-')), { recursive: true });
console.log(require('child_process').execFileSync('/bin/echo', ['child'], { encoding: 'utf8' }).trim());
require('net').createServer().listen(0, '127.0.0.1', function() { this.close(); });
JS
run why --permission "$work/app.js"
expect "the program runs" "$code:$out" "$(printf '0:packed text\nchild')"
options=$err
has "a file" "$options" "--allow-fs-read=$work/data/one"
has "packages" "$options" "--allow-fs-read=$work/node_modules/"
has "a name with a blank" "$options" "'--allow-fs-write=$work/out dir/result'"
has "a temporary folder" "$options" "'--allow-fs-write=$work/data/tmp-*'"
has "a child" "$options" "--allow-child-process"
has "the network" "$options" "--allow-net"
[[ $options != *allow-worker* && $options != *app.js* ]] || expect "what is not needed" "$options" "nothing else"

eval "given=($options)"
run --no-warnings "${given[@]}" "$work/app.js"
expect "with these options" "$code:$out" "$(printf '0:packed text\nchild')"
for ((i = 1; i < ${#given[@]}; i++)); do
  fewer=("${given[@]:0:i}" "${given[@]:i + 1}")
  run --no-warnings "${fewer[@]}" "$work/app.js"
  [ "$code" != 0 ] || expect "without ${given[i]}" "it runs" "it is refused"
done

run why --permission --allow-net "$work/app.js"
expect "rights given to why" "$code" 9
