#!/usr/bin/env bash
# rondo top of a script: a row for each runtime, how busy it is, what is open; a loop that is blocked does not say what is open. The program's
# exit code passes through; its rows end with it.
# skip-asan
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1
trap 'kill -9 $top 2>/dev/null; rm -rf "$work"' EXIT

script app.js <<'JS'
const fs = require('node:fs');
const { Worker } = require('node:worker_threads');
new Worker('for (;;);', { eval: true });
require('node:net').createServer().listen(0, '127.0.0.1');
setInterval(() => fs.existsSync('stop') && process.exit(7), 20);
setTimeout(() => {}, 1e8);
JS
"$RONDO" top --every=200ms app.js 2>rows &
top=$!
# row PATTERN: until there is one.
row() {
  for _ in $(seq 1200); do grep -qE "$1" rows && return; sleep 0.05; done
  printf 'no row like %s:\n%s\n' "$1" "$(tail -n 12 rows)" >&2
  exit 1
}
row '^ *pid +runtime +busy % +now ms +phase +callbacks/s +iterations/s +handles +timers +jobs +heap MB +gc %$'
row '^ *[0-9]+ +worker 1 +(9[0-9]|100) .* \? +\? +0 '
# The server, the interval and the timer.
row '^ *[0-9]+ +main +[0-9]+ .* [1-9][0-9]* +2 +0 +[0-9.]+ +[0-9]+$'
touch stop
code=0
wait "$top" || code=$?
expect "exit code of the program" "$code" 7
