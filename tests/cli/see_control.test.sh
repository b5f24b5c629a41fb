#!/usr/bin/env bash
# rondo see: a running program is paused, stepped by task, tick, microtask, phase and iteration, run to conditions and slowed, over the server of its
# page. Orders without a token, from another page or of another form are refused; files that the program did not name are not read. A
# program that is held goes on when its watcher is killed.
# skip-asan
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
checks=$(realpath tests/fixtures/see_control.js)
fixture=$(realpath tests/fixtures/sight_live.js)
cd "$work" || exit 1
trap 'kill -9 $see $program 2>/dev/null; rm -rf "$work"' EXIT
program=

"$RONDO" see "$fixture" 2>address &
see=$!
for _ in $(seq 1200); do grep -q token address && break; sleep 0.05; done
url=$(sed -n 's/.*\(http:[^ ]*\)/\1/p' address)
"$RONDO" "$checks" "$url" "$fixture" || exit 1
base=${url%%\?*} query=${url#*\?}
post() { curl -s -o /dev/null -w '%{http_code}' -X POST -H "Content-Type: ${type:-application/json}" -d '{"runtime":0,"words":["go"]}' "$@"; }
send() { curl -s -o /dev/null -w '%{http_code}' -X POST -H 'Content-Type: application/json' -d "$1" "$2"; }
expect "an order" "$(post "${base}control?$query")" 204
expect "without a token" "$(post "${base}control")" 403
expect "from another page" "$(post -H 'Origin: http://evil.example' "${base}control?$query")" 403
expect "under another name" "$(post -H 'Host: evil.example' "${base}control?$query")" 403
expect "as a form" "$(type=text/plain post "${base}control?$query")" 415
expect "other words" "$(send '{"runtime":0,"words":["go\nask a 0 alive"]}' "${base}control?$query")" 400
expect "of no runtime" "$(send '{"runtime":77,"words":["go"]}' "${base}control?$query")" 400
expect "no JSON" "$(send 'x' "${base}control?$query")" 400
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
expect "a file of the program" "$(status "${base}source?$query&file=$fixture")" 200
expect "another file" "$(status "${base}source?$query&file=/etc/passwd")" 404
kill "$see"
wait "$see" 2>/dev/null

# Held, then without its watcher: it goes on.
"$RONDO" -e 'let n = 0; setInterval(function beat() { require("fs").writeFileSync("beats", `${++n}`); }, 10)' &
program=$!
for _ in $(seq 1200); do [ -s beats ] && break; sleep 0.05; done
"$RONDO" see "$program" 2>address &
see=$!
for _ in $(seq 1200); do grep -q token address && break; sleep 0.05; done
url=$(sed -n 's/.*\(http:[^ ]*\)/\1/p' address)
base=${url%%\?*} query=${url#*\?}
for _ in $(seq 1200); do [ "$(send '{"runtime":0,"words":["pause"]}' "${base}control?$query")" = 204 ] && break; sleep 0.05; done
for _ in $(seq 1200); do curl -s "${base}recording?$query" | grep -q '"held":{"0"' && break; sleep 0.05; done
held=$(cat beats)
sleep 0.3
expect "held" "$(cat beats)" "$held"
kill -9 "$see"
wait "$see" 2>/dev/null
for _ in $(seq 1200); do [ "$(cat beats)" != "$held" ] && break; sleep 0.05; done
[ "$(cat beats)" != "$held" ] || { echo "it is held for ever" >&2; exit 1; }
exit 0
