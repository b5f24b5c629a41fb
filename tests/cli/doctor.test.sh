#!/usr/bin/env bash
# S14: rondo doctor says which function blocks the loop while it is blocked; the program's output and exit code pass through; a healthy program
# gets no finding.
# skip-asan
source tests/cli/help.bash
fixtures=tests/fixtures/doctor

# While it lasts: the finding is there before the program, which blocks for ten seconds, has ended.
"$RONDO" doctor --json "$fixtures/block.js" 10000 >/dev/null 2>"$work/live" &
doctor=$!
for _ in $(seq 1200); do grep -q synchronous-block "$work/live" && break; sleep 0.05; done
grep -q synchronous-block "$work/live" || { echo "nothing is said while it lasts" >&2; exit 1; }
kill -0 "$doctor" || { echo "the program has ended" >&2; exit 1; }
ms=$(sed -n 's/.*"ms":\([0-9]*\).*/\1/p' "$work/live" | head -1)
[ "$ms" -lt 9000 ] || { echo "found after $ms ms" >&2; exit 1; }
kill -TERM "$doctor"
wait "$doctor"

run doctor --json "$fixtures/healthy.js"
expect "healthy" "$code $out $err" "0  "

script code.js <<'JS'
console.log('the program prints', process.argv.slice(2).join());
process.exitCode = 7;
JS
run doctor "$work/code.js" a b
expect "output" "$out" "the program prints a,b"
expect "exit code" "$code" 7

run doctor --json --abort-after=300ms "$fixtures/block.js" 60000
expect "aborted" "$code" 134
run doctor --json --fail-on=block:100ms "$fixtures/block.js" 500
expect "--fail-on" "$code" 1
run doctor --fail-on=nonsense "$fixtures/block.js"
expect "--fail-on of nothing known" "$code" 2
