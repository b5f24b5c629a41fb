#!/usr/bin/env bash
# S14: a block is told before the task ends, and the program goes on; with --abort-after it is ended while it blocks. How soon is tried by
# tests/doctor/found/block_soon.js, which needs a machine that is not busy.
# skip-asan
source tests/cli/help.bash
fixtures=tests/fixtures/doctor

# The function blocks until the finding, which the doctor writes into a file, is there.
script until_told.js <<'JS'
const fs = require('node:fs');
function spin(file) {
  for (;;) if (fs.readFileSync(file, 'utf8').includes('synchronous-block')) return;
}
setTimeout(() => {
  spin(process.argv[2]);
  setTimeout(() => console.log('went on'), 1);
}, 10);
JS
: >"$work/found"
out=$(timeout 60 "$RONDO" doctor --json "$work/until_told.js" "$work/found" 2>"$work/found")
expect "told while it lasts, the program goes on" "$? $out" "0 went on"
has "function" "$(grep synchronous-block "$work/found")" '"function":"spin"'

"$RONDO" doctor --threshold=50ms --abort-after=250ms "$fixtures/block.js" 60000 >"$work/out" 2>"$work/err"
expect "aborted" "$?" 134
has "says so" "$(cat "$work/err")" "--abort-after"
