#!/usr/bin/env bash
# The printed report of a long run: the slowest tasks and the last rows; rows of at most 120 columns; timers wait from when they were due;
# what waited behind a block says how long; jobs that are not over are there.
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1
widest() { grep '^ *[0-9]' <<<"$1" | wc -L; }
export LC_ALL=C.UTF-8

mkdir -p a_folder_with_a_rather_long_name/and_another_one_inside_of_it
cat >a_folder_with_a_rather_long_name/and_another_one_inside_of_it/program.js <<'JS'
function aFunctionWhoseNameIsLongEnoughToFillHalfOfARowByItself() { setImmediate(anotherOneThatIsNotShortEither); }
function anotherOneThatIsNotShortEither() {}
setTimeout(aFunctionWhoseNameIsLongEnoughToFillHalfOfARowByItself, 1);
JS
run trace a_folder_with_a_rather_long_name/and_another_one_inside_of_it/program.js
expect "exit" "$code" 0
[ "$(widest "$err")" -le 120 ] || { printf 'rows of %s columns:\n%s\n' "$(widest "$err")" "$err" >&2; exit 1; }

cat >many.js <<'JS'
let left = 3000;
function step() { if (--left === 1500) slow(); if (left > 0) setImmediate(step); else lastOne(); }
function slow() { const end = Date.now() + 30; while (Date.now() < end); }
function lastOne() { setImmediate(function theVeryLast() {}); }
step();
JS
run trace many.js
has "slowest" "$err" "slowest"
grep -A1 '^slowest' <<<"$err" | grep -q 'step (many.js' || { printf 'the slowest is not first:\n%s\n' "$(grep -A3 '^slowest' <<<"$err")" >&2; exit 1; }
tail -5 <<<"$err" | grep -q theVeryLast || { printf 'the last row is not there:\n%s\n' "$(tail -5 <<<"$err")" >&2; exit 1; }
[ "$(wc -l <<<"$err")" -lt 1100 ] || { echo "too many rows" >&2; exit 1; }

cat >late.js <<'JS'
setTimeout(function onTime() {}, 200);
require('crypto').pbkdf2('a', 'b', 100000000, 64, 'sha512', () => {});
setTimeout(function end() { process.exit(0); }, 250);
JS
run trace late.js
waited=$(sed -n 's/^ *[0-9.]* *\([0-9.]*\) .*timer  *onTime .*/\1/p' <<<"$err")
awk -v w="$waited" 'BEGIN { exit !(w != "" && w < 150) }' || { printf 'a timer waits from its start, not from when it is due: %s\n%s\n' "$waited" "$err" >&2; exit 1; }
has "unfinished" "$err" "not finished at the end"
