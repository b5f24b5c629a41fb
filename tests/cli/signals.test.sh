#!/usr/bin/env bash
# A process ended by a signal reports it as the shell expects; a handler keeps it alive.
source tests/cli/help.bash
run -e 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 5000)'
expect "SIGTERM" "$code" 143
run -e 'process.kill(process.pid, "SIGINT"); setTimeout(() => {}, 5000)'
expect "SIGINT" "$code" 130
