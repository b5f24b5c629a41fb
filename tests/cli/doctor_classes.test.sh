#!/usr/bin/env bash
# rondo doctor names the function of blocks, recursion and late timers, with its place, as lines of JSON.
# skip-asan
source tests/cli/help.bash
source tests/cli/doctor_finds.bash

finds synchronous-block spin block.js 600
finds tick-recursion again ticks.js
finds microtask-recursion again microtasks.js
finds late-timer victim late.js
has "culprit" "$(grep late-timer <<<"$err")" "culprit"
