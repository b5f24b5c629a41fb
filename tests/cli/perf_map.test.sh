#!/usr/bin/env bash
# --perf-basic-prof: the map by which perf names compiled functions has a program's hot function.
source tests/cli/help.bash
cd "$work" || exit 1
cat >hot.js <<'JS'
function veryHotFunction(limit) {
  let sum = 0;
  for (let i = 0; i < limit; i++) sum = (sum * 31 + i) % 1000003;
  return sum;
}
for (let i = 0; i < 3000; i++) veryHotFunction(1000);
console.log(process.pid);
JS
run --perf-basic-prof hot.js
expect "the program's code" "$code" 0
map=/tmp/perf-$out.map
has "the map" "$(cat "$map")" veryHotFunction
grep -qE '^[0-9a-f]+ [0-9a-f]+ .*veryHotFunction' "$map" || expect "a line of the map" "$(head -3 "$map")" "address size name"
rm -f "$map"
expect "no log is left" "$(ls ./*.dump 2>/dev/null)" ""
