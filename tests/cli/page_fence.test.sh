#!/usr/bin/env bash
# skip-asan
# Native code in a page's process (tests/fixtures/permission/native_attempts.c) is refused everything that is not a page's, and the same
# code does most of it where there is no fence.
source tests/cli/help.bash
here=$PWD
echo 'console.log(1)' >"$work/script.js"
run --loop=html --fence=require "$work/script.js"
if [ "$code" != 0 ]; then
  has "a kernel that has less" "$err" "--fence=require: enforced: "
  echo "this kernel cannot hold a page: $err"
  exit 0
fi
cc -O1 -w -shared -fPIC -o "$work/attempts.so" "$here/tests/fixtures/permission/native_attempts.c" -lpthread -lrt || exit 1
mkdir "$work/page"
echo '<p>x</p><script>console.log("page", document.querySelector("p").textContent)</script>' >"$work/page/page.html"

# attempt ARGS…: with a new folder of files that are not the page's.
attempt() {
  rm -rf "$work/other"
  mkdir -p "$work/other/empty"
  echo secret >"$work/other/secret"
  echo other >"$work/other/other"
  code=0
  LD_PRELOAD=$work/attempts.so ATTEMPT_FOLDER=$work/other "$RONDO" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  out=$(cat "$work/out") err=$(cat "$work/err")
}
is_refused=': (EPERM|EACCES|ENOSYS|EXDEV)$'

attempt --loop=html "$work/page/page.html"
expect "the page runs" "$code:$out" "0:page x"
[ "$(grep -c '^attempt P' <<<"$err")" -ge 150 ] || expect "attempts" "$(grep -c '^attempt P' <<<"$err")" "at least 150"
has "sizes are told of any file" "$err" "attempt N stat: done"
expect "what a page's process could do" "$(grep '^attempt P' <<<"$err" | grep -vE "$is_refused")" ""
expect "files that are not the page's" "$(cd "$work/other" && ls && cat secret other)" "$(printf 'empty\nother\nsecret\nsecret\nother')"

RONDO_POLLER=epoll attempt --loop=html --fence=off "$work/page/page.html"
[ "$(grep '^attempt' <<<"$err" | grep -cvE "$is_refused")" -ge 60 ] || expect "attempts that work without a fence" few many

# The other architecture's numbers end the process.
cat >"$work/x32.c" <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
int epoll_create1(int flags) {
  syscall(0x40000000 | 39);
  return syscall(SYS_epoll_create1, flags);
}
C
cc -w -shared -fPIC -o "$work/x32.so" "$work/x32.c" || exit 1
code=0
LD_PRELOAD=$work/x32.so "$RONDO" --loop=html "$work/page/page.html" >"$work/out" 2>/dev/null || code=$?
expect "a call by an x32 number" "$code" 159

# What is said: nothing by itself, one line when asked.
run --loop=html "$work/page/page.html"
expect "a page that is fenced" "$err" ""
run --loop=html --fence=print "$work/page/page.html"
has "--fence=print" "$err" "rondo: fence: enforced: "
has "--fence=print" "$err" "; not enforced: nothing"
run --loop=html --fence=require "$work/page/page.html"
expect "--fence=require" "$code:$err" "0:"

# A page still has what is its own: files beside it, storage, workers.
echo 'postMessage("worker")' >"$work/page/worker.js"
echo 'beside' >"$work/page/beside.txt"
cat >"$work/page/needs.html" <<'HTML'
<script>
(async () => {
  console.log((await (await fetch('beside.txt')).text()).trim());
  console.log(localStorage.getItem('key'));
  localStorage.setItem('key', 'kept');
  console.log(await new Promise((resolve) => { new Worker('worker.js').onmessage = ({ data }) => resolve(data); }));
  console.log(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) instanceof WebAssembly.Module);
  window.close();
})();
</script>
HTML
for wanted in null kept; do
  run --loop=html --storage="$work/stored" "$work/page/needs.html"
  expect "what a page needs" "$code:$out" "$(printf '0:beside\n%s\nworker\ntrue' $wanted)"
done
run trace --loop=html -o "$work/trace.json" "$work/page/page.html"
expect "a trace of a page" "$code:$(head -c 1 "$work/trace.json")" "0:{"
run compare "$work/page/worker.js"
expect "compare" "$code" 0
ln -s "$work/page/page.html" "$work/other/link.html"
run --loop=html "$work/other/link.html"
expect "a page that is a link" "$code:$out" "0:page x"
cd "$work/page" || exit 1
run --loop=html -e 'fetch("beside.txt").then((answer) => answer.text()).then((text) => console.log(text.trim()))'
expect "code of -e reads the working folder" "$code:$out" "0:beside"

# A core file in the working folder is a file as any other. Where a pipe takes it, or none is allowed, there is nothing to see.
if [[ $(</proc/sys/kernel/core_pattern) == core* ]] && ulimit -c 64; then
  mkdir "$work/working"
  cd "$work/working" || exit 1
  echo '<script>console.log("runs"); setInterval(() => {}, 1000)</script>' >"$work/page/stays.html"
  for fence in require off; do
    "$RONDO" --loop=html --fence=$fence "$work/page/stays.html" >"$work/out" 2>&1 &
    page=$!
    until grep -q runs "$work/out"; do sleep 0.05; done
    kill -SEGV $page
    wait $page 2>/dev/null
    expect "core files with --fence=$fence" "$(find . -name 'core*' | wc -l)" "$([ $fence = off ] && echo 1 || echo 0)"
  done
fi
