#!/usr/bin/env bash
# S70, S71, S77, S79, S97, S168: programs with known outcomes (tests/explore/sets), part 6 of 6: explored, exactly these are found.
# skip-asan
set -euo pipefail
timeout 300 "$RONDO" tests/explore/run.js "$RONDO" 6/6
