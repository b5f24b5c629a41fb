#!/usr/bin/env bash
# S107: an empty script ends with code 0 and costs less than 100 ms of CPU time, start to end (best of five).
source tests/cli/help.bash
script empty.js </dev/null
TIMEFORMAT='%3U %3S'
best=1000000
for _ in 1 2 3 4 5; do
  { time run "$work/empty.js"; } 2>"$work/time"
  expect "code" "$code" 0
  took=$(awk '{ printf "%d", ($1 + $2) * 1000 }' "$work/time")
  [ "$took" -ge $best ] || best=$took
done
[ $best -lt "$([ -n "${RONDO_ASAN:-}" ] && echo 3000 || echo 100)" ] || { echo "an empty script takes $best ms of CPU" >&2; exit 1; }
