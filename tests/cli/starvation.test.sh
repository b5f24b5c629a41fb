# S83, S95: rondo trace says at once that ticks starve the loop, by whom, and what to do instead; and again in the report.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/spin.js" <<'JS'
let left = 20000;
process.nextTick(function spin() { if (--left) process.nextTick(spin); });
JS
"$RONDO" trace "$work/spin.js" 2>"$work/err"
grep -q '^rondo trace: 10001 nextTick callbacks in a row.*spin (.*spin.js:2.*setImmediate' "$work/err"
grep -q '^starved: 20000 nextTick callbacks in a row.*spin (.*setImmediate' "$work/err"
# A program that only queues many says nothing.
"$RONDO" trace -e 'for (let i = 0; i < 20000; i++) process.nextTick(() => {})' 2>"$work/err"
! grep -q 'in a row' "$work/err"
