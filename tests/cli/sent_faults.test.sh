#!/usr/bin/env bash
# skip-asan: the sanitizer takes these signals.
# A signal that another process sends ends the program at once, also one that is a fault when the processor raises it.
source tests/cli/help.bash
ulimit -c 0
for name in SEGV BUS ILL FPE TRAP ABRT; do
  mkfifo "$work/$name"
  "$RONDO" -e 'console.log("up"); setInterval(() => {}, 1000)' >"$work/$name" 2>/dev/null &
  child=$!
  read -r line <"$work/$name"
  kill -s $name $child
  code=0
  { wait $child || code=$?; } 2>/dev/null
  expect "SIG$name" $code $((128 + $(kill -l $name)))
done
