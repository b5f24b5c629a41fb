#!/usr/bin/env bash
# rondo why: what keeps a program alive, with the place where it was made; what was late; what it left when it ended.
# skip-asan
source tests/cli/help.bash

script alive.js <<'JS'
const net = require('node:net');
const fs = require('node:fs');
function openServer() { return net.createServer().listen(0, '127.0.0.1'); }
const server = openServer();
const watcher = fs.watch('.', function onChange() {});
const interval = setInterval(function tick() {}, 5000);
setTimeout(() => { server.close(); watcher.close(); clearInterval(interval); }, 5000);
JS
run why --json --after=2s "$work/alive.js"
expect "exit" "$code" 0
server=$(grep '"what":"TCPServerWrap"\|Server' <<<"$err" | grep '"kind":"alive"' | head -1)
has "server" "$server" '"function":"openServer"'
has "server's place" "$server" "alive.js:3:"
has "interval" "$(grep Interval <<<"$err")" '"function":"tick"'
has "exited" "$err" '"kind":"exited","code":0'

run why --json tests/fixtures/doctor/late.js
has "late" "$(grep '"kind":"late"' <<<"$err")" '"function":"victim"'
has "culprit" "$(grep '"kind":"late"' <<<"$err")" "culprit"

run why --json tests/fixtures/doctor/never.js
has "unsettled" "$(grep '"kind":"exited"' <<<"$err")" '"unsettled":[{"function":"load"'
run why tests/fixtures/doctor/never.js
has "in words" "$err" "still waited: load ("

run why
expect "nothing to run" "$code" 2
