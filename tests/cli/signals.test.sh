#!/usr/bin/env bash
# A process ended by a signal reports it as the shell expects; a handler keeps it alive.
source tests/cli/help.bash
run -e 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 5000)'
expect "SIGTERM" "$code" 143
run -e 'process.kill(process.pid, "SIGINT"); setTimeout(() => {}, 5000)'
expect "SIGINT" "$code" 130
# What the parent ignores is not ignored here, as in Node.
for signal in INT TERM HUP QUIT; do
  for command in "" trace; do
    code=0
    (trap '' $signal; ulimit -c 0; exec "$RONDO" $command -e "process.kill(process.pid, 'SIG$signal'); setTimeout(() => {}, 5000)") >/dev/null 2>"$work/err" || code=$?
    expect "inherited and ignored SIG$signal $command" "$code" "$((128 + $(kill -l $signal)))"
  done
done
