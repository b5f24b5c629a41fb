#!/usr/bin/env bash
# The printed report: rows have the numbers that causes cite, paths are relative, inner steps of promises are one row.
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
tour=$(realpath examples/tour.js)
mkdir "$work/app"
cp "$tour" "$work/app/tour.js"
cd "$work/app" || exit 1

run trace tour.js
expect "tour" "$code" 0
number=$(sed -n 's/^.* #\([0-9]*\)  io  *fs\.readFile → tour\.js:28:[0-9]*.*/\1/p' <<<"$err")
[ -n "$number" ] || { printf 'no poll row:\n%s\n' "$err" >&2; exit 1; }
grep -q "immediate  tour\.js:34:[0-9]* ← #$number fs\.readFile → tour\.js:28" <<<"$err" ||
  { printf 'the immediate does not name #%s:\n%s\n' "$number" "$err" >&2; exit 1; }
[[ $err != *"$work"* ]] || { printf 'paths are not relative:\n%s\n' "$err" >&2; exit 1; }

cat >steps.js <<'JS'
let chain = Promise.resolve();
for (let i = 0; i < 5; i++) chain = chain.then();
JS
run trace steps.js
expect "folded" "$(grep -c '5 promise reactions, up to #' <<<"$err")" 1
expect "one row" "$(grep -c microtask <<<"$err")" 1
run trace --all steps.js
expect "unfolded" "$(grep -c 'microtask' <<<"$err")" 5

run trace --all --json steps.js
expect "--all with --json" "$code" 9
has "why" "$err" "--all"
