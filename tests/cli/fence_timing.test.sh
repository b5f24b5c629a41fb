#!/usr/bin/env bash
# skip-asan
# When a page's process gives up its rights: before its first thread, ring, socket and the first byte of a page, once, in one process; every thread of
# every agent has none from its first instruction on (tests/fixtures/permission/fence_trace.c looks from outside, fence_threads.c tries from inside).
# The same for a program under --permission=kernel.
source tests/cli/help.bash
mkdir "$work/bare"
echo 'console.log(1)' >"$work/bare/script.js"
run --loop=html --fence=require "$work/bare/script.js"
[ "$code" = 0 ] || { echo "this kernel cannot hold a page: $err"; exit 0; }
cc -O1 -w -o "$work/fence_trace" tests/fixtures/permission/fence_trace.c || exit 1
cc -O1 -w -shared -fPIC -o "$work/threads.so" tests/fixtures/permission/fence_threads.c -lpthread -ldl || exit 1
mkdir "$work/page" "$work/other"
echo secret >"$work/other/secret"

# traced ARGS…: $record has the tracer's lines, $threads what threads could do themselves.
traced() {
  code=0
  env LD_PRELOAD="$work/threads.so" ATTEMPT_FILE="$work/other/secret" "$work/fence_trace" "$work/record" "$RONDO" "$@" \
    >"$work/out" 2>"$work/err" </dev/null || code=$?
  if [ "$code" = 77 ]; then echo "nothing can be traced here"; exit 0; fi
  record=$(cat "$work/record") out=$(cat "$work/out") err=$(grep -vE '^(thread|maker) ' "$work/err")
  threads=$(grep -E '^(thread|maker) ' "$work/err")
}
# before LINE, after LINE: the record's lines on that side of the first one that is LINE.
before() { sed "/^$1\$/,\$d" <<<"$record"; }
after() { sed "1,/^$1\$/d" <<<"$record"; }
kGivesUp='call (no_new_privs|capset|landlock|seccomp)'
kBare='thread CapPrm=0 CapEff=0 CapBnd=0 NoNewPrivs=1 Seccomp=2'

# judge WHAT LEAST FILE…: the order of the record, at least LEAST threads, and none of the FILEs opened before.
judge() {
  local what=$1 least=$2 file
  shift 2
  expect "$what: rights are given up once, in this order" "$(grep -E "^$kGivesUp\$" <<<"$record" | cut -d' ' -f2 | tr '\n' ' ')" "no_new_privs capset landlock seccomp "
  expect "$what: before it" "$(before 'call seccomp' | grep -E '^(thread|process|call (clone|clone3|io_uring_setup|io_setup|socket|connect|recvfrom|epoll|memfd))')" ""
  expect "$what: open at that moment" "$(grep '^descriptor' <<<"$record")" ""
  for file in "$@"; do
    has "$what: read afterwards" "$(after 'call seccomp')" "open $file"
    expect "$what: read before" "$(before 'call seccomp' | grep -F "open $file")" ""
  done
  expect "$what: other processes" "$(grep -E '^process' <<<"$record")$(grep -cx 'call execve' <<<"$record")" 1
  [ "$(grep -cx "$kBare" <<<"$record")" -ge "$least" ] || expect "$what: threads" "$(grep -c '^thread' <<<"$record")" "at least $least"
  expect "$what: threads with rights" "$(grep '^thread' <<<"$record" | grep -vx "$kBare")" ""
  [ "$(grep -c '^thread' <<<"$threads")" -ge "$least" ] || expect "$what: threads that tried" "$threads" "at least $least"
  expect "$what: threads that could" "$(sort -u <<<"$threads")" "$(printf '%s EACCES EPERM EPERM\n' maker thread)"
}

cat >"$work/page/worker.js" <<'JS'
if (name !== 'inner') new Worker('worker.js', { name: 'inner' }).onmessage = ({ data }) => postMessage(data);
else postMessage('nested worker');
JS
echo 'onconnect = ({ ports: [port] }) => port.postMessage("shared worker")' >"$work/page/shared.js"
echo 'globalThis.ran = true' >"$work/page/worklet.mjs"
cat >"$work/page/page.html" <<'HTML'
<body><script>
const told = (target) => new Promise((resolve) => { target.onmessage = ({ data }) => resolve(data); });
const frame = (attributes) => new Promise((resolve) => {
  const made = document.createElement('iframe');
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  const heard = ({ source, data }) => { if (source === made.contentWindow) { removeEventListener('message', heard); resolve(data); } };
  addEventListener('message', heard);
  document.body.append(made);
});
(async () => {
  console.log(await told(new Worker('worker.js')));
  console.log(await told(new Worker(URL.createObjectURL(new Blob(['postMessage("worker of a blob")'])))));
  console.log(await told(new Worker('data:text/javascript,postMessage("worker of data")')));
  console.log(await told(new SharedWorker('shared.js').port));
  await rondo.worklet.addModule('worklet.mjs');
  console.log('worklet');
  console.log(await frame({ sandbox: 'allow-scripts', srcdoc: '<script>parent.postMessage("sandboxed frame", "*")<\/script>' }));
  console.log(await frame({ src: 'data:text/html,<script>parent.postMessage("frame of data", "*")<\/script>' }));
  for (let i = 0, n = 0; i < 1e6; i++) n += i;
  console.log(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) instanceof WebAssembly.Module);
  window.close();
})();
</script>
HTML
traced --loop=html "$work/page/page.html"
expect "the page" "$code:$out" "$(printf '0:nested worker\nworker of a blob\nworker of data\nshared worker\nworklet\nsandboxed frame\nframe of data\ntrue')"
judge page 8 "$work/page/page.html" "$work/page/worker.js" "$work/page/shared.js" "$work/page/worklet.mjs" "${RONDO%/*}/html.pack"

traced --loop=html "$work/bare/script.js"
expect "a bare script" "$code:$out" 0:1
judge "a bare script" 1 "$work/bare/script.js"

traced --loop=html --storage="$work/stored" "$work/bare/script.js"
judge "a script with storage" 1 "$work/bare/script.js"

# A page of a server: nothing is asked for before.
cat >"$work/server.mjs" <<'JS'
import http from 'node:http';
import fs from 'node:fs';
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<script>console.log("served")</script>');
  response.on('close', () => server.close());
}).listen(0, '127.0.0.1', () => fs.writeFileSync(process.argv[2], `${server.address().port}\n`));
JS
mkfifo "$work/port"
"$RONDO" "$work/server.mjs" "$work/port" &
read -r port <"$work/port"
traced --loop=html "http://127.0.0.1:$port/"
expect "a page of a server" "$code:$out" 0:served
judge "a page of a server" 1
has "a page of a server" "$(after 'call seccomp')" "call connect"
wait

# Without a fence the same tools see threads that have rights: that is what they are held to.
traced --loop=html --fence=off "$work/bare/script.js"
[[ $threads == *"thread done done done"* ]] || expect "threads without a fence" "$threads" "thread done done done"
expect "threads without a fence" "$(grep -cx "$kBare" <<<"$record")" 0

traced --permission=kernel --no-warnings --allow-worker "--allow-fs-read=$work/page" -e \
  'new (require("worker_threads").Worker)("console.log(1)", { eval: true })'
expect "a program" "$code:$out" 0:1
expect "a program: before it" "$(before 'call seccomp' | grep -E '^(thread|process|call (clone|clone3|io_uring_setup|io_setup|socket|connect|epoll))')" ""
[ "$(grep -cE '^thread .*NoNewPrivs=1 Seccomp=2$' <<<"$record")" -ge 2 ] || expect "a program: threads" "$record" "at least 2"
expect "a program: threads with rights" "$(grep '^thread' <<<"$record" | grep -vE 'NoNewPrivs=1 Seccomp=2$')" ""
expect "a program: threads that could" "$(grep '^thread' <<<"$threads" | cut -d' ' -f2,4 | sort -u)" "EACCES EPERM"

# A program without these options gives up nothing: it makes none of these calls.
traced "$work/bare/script.js"
expect "a program without the options" "$code:$out:$(grep -E "^$kGivesUp|^call landlock_create\$" <<<"$record")" "0:1:"
