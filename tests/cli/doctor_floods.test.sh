#!/usr/bin/env bash
# rondo doctor names the function of floods, the pool and unsettled promises, with its place, as lines of JSON.
# skip-asan
source tests/cli/help.bash
source tests/cli/doctor_finds.bash

finds pool-saturation jam pool.js
finds timer-flood small timers.js
finds unsettled-promise load never.js
