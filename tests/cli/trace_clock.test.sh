#!/usr/bin/env bash
# The printed report: workers have the first runtime's clock and names for what their ports do; a callback that calls process.exit has no run
# time, and the report says where the program exited; a look of poll that does not wait is no row; rows are as wide as the terminal.
# skip-asan
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1
export LC_ALL=C.UTF-8

# The worker begins after the main script has been busy for 300 ms.
cat >workers.js <<'JS'
const { Worker } = require('node:worker_threads');
const end = performance.now() + 300;
while (performance.now() < end);
new Worker(`require('node:worker_threads').parentPort.postMessage(1); setTimeout(function inWorker() {}, 1)`, { eval: true })
  .on('message', function onMessage() {})
  .on('exit', function onExit() {});
JS
run trace workers.js
expect "exit" "$code" 0
has "its report" "$err" "Loop report of worker 1"
at=$(sed -n 's/^ *\([0-9.]*\) .*timer  *inWorker .*/\1/p' <<<"$err")
awk -v at="$at" 'BEGIN { exit !(at != "" && at > 300) }' || { printf 'the worker has a clock of its own: %s\n%s\n' "$at" "$err" >&2; exit 1; }
for name in onMessage onExit; do grep -q "$name (workers.js:" <<<"$err" || { printf '%s is not named:\n%s\n' "$name" "$err" >&2; exit 1; }; done
! grep -qE '  close ←' <<<"$err" || { printf 'a row without a name:\n%s\n' "$err" >&2; exit 1; }

cat >exits.js <<'JS'
setTimeout(function leaves() { process.exit(3); }, 1);
JS
run trace exits.js
expect "exit" "$code" 3
row=$(grep 'leaves (exits.js' <<<"$err")
number=$(sed -n 's/.*#\([0-9]*\)  *timer.*/\1/p' <<<"$row")
has "where it exited" "$err" "exited here, in #$number"
expect "numbers of its row: when it began and how long it waited" "$(grep -oE '^ *[0-9.]+ +[0-9.]+ +' <<<"$row" | wc -w)" 2

# Poll looks without waiting while immediates are queued.
cat >looks.js <<'JS'
let left = 200;
(function again() { require('node:fs').stat(__filename, function seen() {}); if (--left > 0) setImmediate(again); })();
JS
run trace looks.js
has "its callbacks" "$err" "seen (looks.js"
! grep -q 'wait (at most 0\.000' <<<"$err" || { printf 'a look is a row:\n%s\n' "$(grep -m3 'wait (at most 0' <<<"$err")" >&2; exit 1; }

# A terminal of 80 columns gets rows of 80; what reads a pipe gets 120 at most, without colours.
command -v script >/dev/null || exit 0
cat >names.js <<'JS'
function aFunctionWhoseNameIsLongEnoughToFillHalfOfARowByItself() { setImmediate(anotherOneThatIsNotShortEither); }
function anotherOneThatIsNotShortEither() {}
setTimeout(aFunctionWhoseNameIsLongEnoughToFillHalfOfARowByItself, 1);
JS
on_terminal=$(command script -qec "stty cols 80; '$RONDO' trace names.js" /dev/null </dev/null)
[[ $on_terminal == *$'\x1b['* ]] || { echo "no colours on a terminal" >&2; exit 1; }
widest=$(sed 's/\x1b\[[0-9;]*m//g; s/\r//' <<<"$on_terminal" | grep '^ *[0-9]' | wc -L)
[ "$widest" -le 80 ] || { printf 'rows of %s columns on a terminal of 80\n%s\n' "$widest" "$on_terminal" >&2; exit 1; }
run trace names.js
[[ $err != *$'\x1b['* ]] || { echo "colours in a pipe" >&2; exit 1; }
