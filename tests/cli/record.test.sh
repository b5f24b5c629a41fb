#!/usr/bin/env bash
# --record of a live run and rondo replay of it: the same output, times, random numbers and exit code, without the network; what is refused.
# skip-asan
source tests/cli/help.bash
cd "$work" || exit 1

cat >app.js <<'JS'
const fs = require('fs');
const http = require('http');
let count = 0;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () =>
    fs.stat(__filename, () => {
      console.log(request.url, body.length, ++count, request.socket.remotePort, Date.now(), performance.now(), Math.random());
      response.end(`${count} ${crypto.randomUUID()}`);
    }));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  console.log(port, process.pid, process.argv.slice(2), process.env.WORD);
  fs.writeFileSync('port', `${port}`);
});
process.stdin.on('data', (text) => console.log('input', String(text)));
process.on('SIGTERM', () => {
  console.log('told to end');
  server.close(() => process.exit(7));
  server.closeAllConnections();
});
JS
cat >load.js <<'JS'
const port = Number(process.argv[2]);
let next = 0;
const lane = async () => {
  while (next < 120) {
    const reply = await fetch(`http://127.0.0.1:${port}/${next}`, { method: 'POST', body: 'x'.repeat((next++ * 977) % 9000) });
    await reply.text();
  }
};
Promise.all(Array.from({ length: 12 }, lane));
JS
mkfifo input
WORD=one "$RONDO" --record=run.rec app.js some words <input >recorded.out 2>recorded.err &
child=$!
exec 9>input
echo a line >&9
until [ -s port ]; do sleep 0.05; kill -0 $child || exit 1; done
"$RONDO" load.js "$(cat port)" || expect 'load' failed ok
until grep -q a.line recorded.out; do sleep 0.05; done
kill -TERM $child
wait $child
code=$?
exec 9>&-
err=$(cat recorded.err)
expect 'exit code of the recorded run' "$code" 7
expect 'requests' "$(grep -c '^/' recorded.out)" 120
for again in 1 2; do
  WORD=two run replay run.rec
  expect "output of replay $again" "$out" "$(cat recorded.out)"
  expect "exit code of replay $again" "$code" 7
  expect "standard error of replay $again" "$err" ''
done
[ "$(wc -c <run.rec)" -gt 100000 ] || expect 'recording' small large

# A file that the program wrote while it was recorded stays as it is.
echo later >port
run replay run.rec
expect 'files' "$(cat port)" later

# A run that a signal ends, without a handler.
echo "console.log('waits'); setInterval(() => {}, 1000)" >waits.js
"$RONDO" --record=waits.rec waits.js >waits.out &
child=$!
until grep -qs waits waits.out; do sleep 0.05; done
kill -TERM $child
wait $child 2>/dev/null
run replay waits.rec
expect 'ended by a signal' "$code $out" '143 waits'

# Names, refused connections.
cat >net.js <<'JS'
require('net').connect(1, '127.0.0.1').on('error', (error) => console.log(error.code));
require('dns').lookup('localhost', (error, address) => console.log(address));
JS
recorded=$("$RONDO" --record=net.rec net.js) || expect 'net.js' failed ok
has 'net.js' "$recorded" ECONNREFUSED
run replay net.rec
expect 'net.js again' "$out" "$recorded"

# Another program than the recorded one.
echo "console.log('waits'); require('net').createServer().listen(0)" >waits.js
run replay waits.rec
expect 'changed program' "$code" 125
has 'changed program' "$err" 'something else than in the recording'

# Children, workers and datagrams are refused; so are other files.
run --record=udp.rec -e 'require("dgram").createSocket("udp4").on("error", (error) => console.log(error.code)).bind(0)'
expect 'datagrams' "$out" ENOTSUP
run --record=child.rec -e 'try { require("child_process").execFileSync("true") } catch (error) { console.log(error.code) }'
expect 'child process' "$out" ENOTSUP
run --record=worker.rec -e 'new (require("worker_threads").Worker)("1", { eval: true }).on("error", (error) => console.log(error.code))'
[ -n "$out$err" ] || expect 'worker' accepted refused
for wrong in 'replay app.js' 'replay missing.rec' '--record=/nowhere/at/all x.js' '--record=a.rec --virtual-time waits.js' '--record=a.rec'; do
  # shellcheck disable=SC2086
  run $wrong
  [ "$code" != 0 ] || expect "$wrong" accepted refused
done
