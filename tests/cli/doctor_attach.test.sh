#!/usr/bin/env bash
# A watcher attaches to a program that was started without any option: in an endless loop, or idle. It leaves nothing behind. What cannot be
# watched is refused with the reason.
# skip-asan
source tests/cli/help.bash
trap 'kill -9 $pids 2>/dev/null; rm -rf "$work"' EXIT
pids=

script stuck.js <<'JS'
console.log('ready');
(function forever() {
  for (;;) {}
})();
JS
"$RONDO" "$work/stuck.js" >"$work/ready" &
stuck=$!
pids="$pids $stuck"
for _ in $(seq 1200); do [ -s "$work/ready" ] && break; sleep 0.05; done
# It counts the time that the thread runs: on a busy machine that takes longer than the three seconds for which it looks.
"$RONDO" doctor --json --for=0 "$stuck" 2>"$work/err" &
watcher=$!
while ! grep -q synchronous-block "$work/err" && kill -0 "$watcher"; do sleep 0.05; done
kill -INT "$watcher"
wait "$watcher"
expect "exit" "$?" 0
err=$(cat "$work/err")
line=$(grep synchronous-block <<<"$err" | head -1)
has "function" "$line" '"function":"forever"'
has "place" "$line" "stuck.js:"

script server.js <<'JS'
const server = require('node:http').createServer(function onRequest(request, response) { response.end('ok'); });
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
"$RONDO" "$work/server.js" >"$work/port" &
server=$!
pids="$pids $server"
for _ in $(seq 1200); do [ -s "$work/port" ] && break; sleep 0.05; done
descriptors() { find "/proc/$server/fd" -type l | wc -l; }
watching() { find "/proc/$1/task" -maxdepth 1 -mindepth 1 -name '[0-9]*' -exec cat {}/comm \; 2>/dev/null | grep -c watched; }
threads() { watching "$server"; }
before=$(descriptors)
for _ in 1 2 3; do
  run why --json "$server"
  expect "why" "$code" 0
  has "alive" "$err" '"kind":"alive"'
  has "handler" "$err" '"function":"onRequest"'
done
for _ in $(seq 1200); do [ "$(descriptors)" = "$before" ] && [ "$(threads)" = 0 ] && break; sleep 0.05; done
expect "descriptors" "$(descriptors)" "$before"
expect "threads" "$(threads)" 0

# Records come from the first moment on, also of a loop that sleeps when it is asked; options stand on either side of the number.
"$RONDO" -e 'console.log("ready"); setInterval(function beat() { process.stdout.write("."); }, 5)' >"$work/beating" &
beating=$!
pids="$pids $beating"
for _ in $(seq 1200); do [ -s "$work/beating" ] && break; sleep 0.05; done
beats() { stat -c %s "$work/beating"; }
for _ in 1 2 3; do
  "$RONDO" trace "$beating" --for 0 2>"$work/err" &
  watcher=$!
  while [ "$(watching "$beating")" = 0 ] && kill -0 "$watcher"; do sleep 0.05; done
  enough=$(($(beats) + 200))
  while [ "$(beats)" -lt "$enough" ]; do sleep 0.05; done
  kill -INT "$watcher"
  wait "$watcher"
  expect "trace of a process" "$?" 0
  has "its records" "$(cat "$work/err")" "beat ("
  while [ "$(watching "$beating")" != 0 ]; do sleep 0.05; done
done
run trace --for=700ms -o "$work/run.html" "$beating"
has "its page" "$err" "wrote $work/run.html"
run trace "$beating" --json
expect "an option that it does not know" "$code" 2
has "reason" "$err" "bad option: --json"

# A watcher that is killed is not missed; the next one is let in.
"$RONDO" doctor --for=0 "$server" 2>/dev/null &
watcher=$!
for _ in $(seq 1200); do [ "$(threads)" = 1 ] && break; sleep 0.05; done
kill -9 "$watcher"
wait "$watcher" 2>/dev/null
for _ in $(seq 1200); do [ "$(threads)" = 0 ] && break; sleep 0.05; done
run why --json "$server"
has "after a killed watcher" "$err" '"kind":"alive"'

sleep 60 &
foreign=$!
pids="$pids $foreign"
run doctor "$foreign"
expect "another program" "$code" 2
has "reason" "$err" "no rondo that can be watched"
kill -0 "$foreign" || { echo "the other program has ended" >&2; exit 1; }
run doctor 999999999
expect "no process" "$code" 2
has "reason" "$err" "there is no process"
[ -z "$(find "/tmp/rondo-$(id -u)" -name '*.sock' -newer "$work/ready" -user "$(id -un)" -name "$$-*" 2>/dev/null)" ] || { echo "a socket is left" >&2; exit 1; }
