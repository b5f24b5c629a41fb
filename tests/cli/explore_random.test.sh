#!/usr/bin/env bash
# Random programs (tests/explore/random): outcomes that Node has shown on a busy machine are among those that are found. A sample; all of them in `make deep`.
# skip-asan
set -euo pipefail
timeout 300 "$RONDO" tests/explore/random/compare.js "$RONDO" 1 500 90
for program in 58 306; do timeout 200 "$RONDO" tests/explore/random/compare.js "$RONDO" $program 1; done # equal deadlines, late intervals
