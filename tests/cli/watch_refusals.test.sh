#!/usr/bin/env bash
# Watching: processes of other users are refused in both directions; a stale socket, a foreign signal, a killed program and the number of a process
# that has ended are survived with a clear word; nothing is taken for a script that is a number.
# skip-asan
source tests/cli/help.bash
trap 'kill -9 $pids 2>/dev/null; rm -rf "$work"' EXIT
pids=

script idle.js <<'JS'
console.log('ready');
setInterval(function beat() {}, 1000);
JS
# start VARIABLE [COMMAND…]: the program in the background, once it runs.
start() {
  local -n number=$1
  shift
  : >"$work/ready"
  "$@" "$RONDO" "$work/idle.js" >"$work/ready" &
  number=$!
  pids="$pids $number"
  for _ in $(seq 1200); do [ -s "$work/ready" ] && return; sleep 0.05; done
  echo "the program does not start" >&2
  exit 1
}

# An ended process, with and without options behind the number, by every command.
"$RONDO" -e 0 &
ended=$!
wait "$ended"
for command in doctor why top see trace; do
  run $command "$ended"
  expect "$command of an ended process" "$code" 2
  has "$command: reason" "$err" "there is no process $ended"
  run $command "$ended" --for=1s
  expect "$command with an option behind it" "$code" 2
  has "$command: reason" "$err" "there is no process $ended"
done
run doctor "$ended" app.js
expect "a script behind a number" "$code" 2
has "reason" "$err" "'app.js' behind the number of a process"

# The environment names a socket that nobody listens on: the program runs as ever.
code=0
out=$(RONDO_WATCHED_BY="$work/nobody.sock" "$RONDO" -p 1+1) || code=$?
expect "a stale socket" "$code $out" "0 2"

# SIGURG from a shell asks for nothing.
start idle
kill -URG "$idle"
run top --once --every=100ms "$idle"
expect "after a foreign signal" "$code" 0
has "top" "$err" "main"

# The watched program is killed: its watcher ends.
"$RONDO" doctor --json --for=0 "$idle" >/dev/null 2>&1 &
doctor=$!
pids="$pids $doctor"
watched() { grep -qs watched "/proc/$idle/task/"*/comm; }
for _ in $(seq 1200); do watched && break; sleep 0.05; done
kill -9 "$idle"
wait "$idle" 2>/dev/null
for _ in $(seq 1200); do kill -0 "$doctor" 2>/dev/null || break; sleep 0.05; done
kill -0 "$doctor" 2>/dev/null && { echo "the watcher of a killed program goes on" >&2; exit 1; }

# Another user's process, and another user's watcher.
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
[ "$(id -u)" = 0 ] && chmod 755 "$work" && chmod 644 "$work/idle.js" && $as_nobody "$RONDO" -e 0 2>/dev/null || exit 0
start theirs $as_nobody
run doctor "$theirs"
expect "another user's process" "$code" 2
has "reason" "$err" "process $theirs belongs to another user"
start mine
code=0
err=$($as_nobody "$RONDO" why "$mine" 2>&1) || code=$?
expect "by another user" "$code" 2
has "reason" "$err" "process $mine belongs to another user"
kill -0 "$mine" || { echo "the process has ended" >&2; exit 1; }
