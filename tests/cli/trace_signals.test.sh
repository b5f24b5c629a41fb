#!/usr/bin/env bash
# A traced program that is ended by a signal, by process.exit or by an error leaves its report; its own handlers come first.
source tests/cli/help.bash

script server.js <<'JS'
require('node:net').createServer(() => {}).listen(0, '127.0.0.1', () => process.kill(process.pid, process.argv[2]));
JS
for row in "SIGINT 130" "SIGTERM 143" "SIGHUP 129"; do
  read -r signal wanted <<<"$row"
  run trace "$work/server.js" "$signal"
  expect "$signal" "$code" "$wanted"
  has "$signal: report" "$err" "exit code $wanted"
  run trace -o "$work/trace.json" "$work/server.js" "$signal"
  expect "$signal with -o" "$code" "$wanted"
  tail -c 4 "$work/trace.json" | grep -q ']}' || exit 1
done

script handles.js <<'JS'
process.once('SIGTERM', () => {
  console.log('mine');
  setImmediate(() => process.kill(process.pid, 'SIGTERM'));
});
setInterval(() => {}, 1000);
process.kill(process.pid, 'SIGTERM');
JS
run trace "$work/handles.js"
expect "the program's own handler" "$out" "mine"
expect "and without it" "$code" 143
has "report" "$err" "exit code 143"

# A program that gives the loop no turn ends by the second.
script busy.js <<'JS'
process.kill(process.pid, 'SIGINT');
process.kill(process.pid, 'SIGINT');
for (;;);
JS
run trace "$work/busy.js"
expect "busy" "$code" 130

run trace -e 'process.exit(7)'
expect "process.exit" "$code" 7
has "report" "$err" "exit code 7"
run trace -e 'throw new Error("out")'
expect "uncaught" "$code" 1
has "report" "$err" "exit code 1"
