#!/usr/bin/env bash
# rondo doctor names the function behind what only shows over time: leaks of handles, timers and memory, pressure on the collector, floods of
# messages, a slow start, a promise that nothing can settle. The programs go on until they are found out.
# skip-asan
source tests/cli/help.bash
trap 'kill $pids 2>/dev/null; rm -rf "$work"' EXIT
pids=

# doctor NAME: watches NAME.js in the background.
doctor() {
  "$RONDO" doctor --json "$work/$1.js" >/dev/null 2>"$work/$1.found" </dev/null &
  pids="$pids $!"
}
# finds CLASS FUNCTION NAME: waits for it.
finds() {
  for _ in $(seq 1200); do
    grep -q "\"class\":\"$1\",\"function\":\"$2\",\"place\":\"[^\"]*$3.js:[0-9]*:[0-9]*\"" "$work/$3.found" && return
    sleep 0.05
  done
  printf '%s: no %s of %s in\n%s\n' "$3" "$1" "$2" "$(cat "$work/$3.found")" >&2
  exit 1
}

script sockets.js <<'JS'
const net = require('node:net');
const kept = [];
const server = net.createServer((socket) => kept.push(socket)).listen(0, '127.0.0.1', () => {
  setInterval(function openConnection() {
    kept.push(net.connect(server.address().port, '127.0.0.1'));
  }, 20);
});
JS
script timers.js <<'JS'
function subscribe(user) { setInterval(() => user.seen++, 60_000); }
setInterval(() => { for (let i = 0; i < 5; i++) subscribe({ seen: 0 }); }, 20);
JS
script memory.js <<'JS'
const log = [];
function record(i) { log.push({ at: i, extra: new Array(100).fill(i) }); }
setInterval(() => { for (let i = 0; i < 200 && log.length < 2e5; i++) record(i); }, 10);
JS
script garbage.js <<'JS'
function churn() {
  let last;
  for (let i = 0; i < 20_000; i++) last = { a: [i, i, i], b: { c: `${i}`, d: new Array(30) } };
  setImmediate(churn);
  return last;
}
churn();
JS
script start.js <<'JS'
function buildTable() { const end = Date.now() + 900; let n = 0; while (Date.now() < end) n++; return n; }
buildTable();
setInterval(() => {}, 1000);
JS
script messages.js <<'JS'
const { port1, port2 } = new MessageChannel();
port1.on('message', function onPing(count) { port1.postMessage(count + 1); });
port2.on('message', function onPong(count) { port2.postMessage(count + 1); });
for (let i = 0; i < 50; i++) port1.postMessage(i);
JS
script lost.js <<'JS'
const http = require('node:http');
async function onRequest(request, response) {
  await new Promise((resolve) => { if (request.url === '/known') resolve(); });
  response.end();
}
const server = http.createServer(onRequest).listen(0, '127.0.0.1', () => {
  setInterval(() => http.get({ port: server.address().port, path: '/unknown', agent: false }).on('error', () => {}), 100).unref();
});
JS

doctor sockets
doctor timers
doctor memory
finds handle-leak openConnection sockets
finds handle-leak subscribe timers
finds memory-leak '\(record\|(anonymous)\)' memory # or the loop that calls it
kill $pids
wait
pids=
doctor garbage
finds gc-pressure churn garbage
kill $pids
wait
pids=
doctor start
doctor messages
doctor lost
finds slow-start buildTable start
finds message-flood 'on\(Ping\|Pong\)' messages
finds unsettled-promise onRequest lost
