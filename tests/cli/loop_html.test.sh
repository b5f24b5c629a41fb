#!/usr/bin/env bash
# --loop=html on the command line: what it takes, what it refuses, and how runs end.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "loop_html: $*"; exit 1; }
refused() { # MESSAGE OPTION…
  local message=$1 output; shift
  output=$("$RONDO" "$@" 2>&1); local code=$?
  [ $code = 9 ] || fail "$*: exit code $code"
  [[ $output == *"$message"* ]] || fail "$*: says $output"
}
echo 'console.log(1)' >a.js
refused "--loop is html or node, not 'x'" --loop=x a.js
refused '--policy is fifo, priority or seed:N' --loop=html --policy=lifo a.js
refused '--rate is a number of frames a second' --loop=html --rate=0 a.js
refused '--loop=html runs a page, a script' --loop=html -p 1
refused '--times is for compare' --times a.js
[ "$("$RONDO" --loop=node a.js)" = 1 ] || fail "--loop=node is the usual loop"

# A file that is not there, a script that does not parse: a message with its place, exit code 1.
output=$("$RONDO" --loop=html missing.html 2>&1); [ $? = 1 ] || fail "missing file: exit code"
[[ $output == *"cannot read missing.html"* ]] || fail "missing file: $output"
echo 'let a = ;' >broken.js
output=$("$RONDO" --loop=html broken.js 2>&1); [ $? = 1 ] || fail "broken script: exit code"
[[ $output == *broken.js:1* && $output == *SyntaxError* ]] || fail "broken script: $output"

# Broken HTML is what the parser makes of it; a script that is missing is told, and the page goes on.
printf '<p><b><script src=none.js></script><script>console.log(document.body.innerHTML.length > 0)</script></i></table>' >page.html
output=$("$RONDO" --loop=html page.html 2>err); [ $? = 1 ] || fail "missing script: exit code"
[ "$output" = true ] || fail "missing script: $output"
grep -q 'cannot load .*none.js' err || fail "missing script: $(cat err)"

# Modules that ask for one another end; one that is missing, a page that throws and a server that refuses are told with file and line, exit code 1.
echo "import './b.mjs'; export const a = 1; console.log('a')" >a.mjs
echo "import { a } from './a.mjs'; console.log('b'); setTimeout(() => console.log(a))" >b.mjs
printf '<script type=module src=a.mjs></script>' >cycle.html
[ "$("$RONDO" --loop=html cycle.html | tr '\n' ' ')" = 'b a 1 ' ] || fail "circular imports"
says() { # PAGE MESSAGE…: exit code 1, and each message on standard error
  local page=$1 message; shift
  "$RONDO" --loop=html "$page" >out 2>err; [ $? = 1 ] || fail "$page: exit code $? $(cat err)"
  for message in "$@"; do grep -q -- "$message" err || fail "$page: $message is not in $(cat err)"; done
}
printf '<script type=module>\nimport "./none.mjs";\n</script>' >nomodule.html
says nomodule.html 'none.mjs' 'no such file'
printf '<p>\n<script>\nnull.x;\n</script>' >throws.html
says throws.html 'throws.html:3' TypeError
printf '<script>new Worker("none.js")</script>' >noworker.html
says noworker.html 'cannot load .*none.js' 'no such file'
printf 'onmessage = () => {};\nnull.x;' >bad_worker.js
printf '<script>new Worker("bad_worker.js")</script>' >badworker.html
says badworker.html 'bad_worker.js:2' TypeError
printf '<iframe src=none.html></iframe>' >noframe.html
says noframe.html 'cannot load .*none.html'
printf '<script src=http://127.0.0.1:65500/x.js></script>' >refusing.html
says refusing.html 127.0.0.1:65500
says http://127.0.0.1:65500/ 'cannot load http://127.0.0.1:65500/' ECONNREFUSED

# Ctrl-C ends a script that never returns.
echo 'console.log("begun"); for (;;);' >busy.js
"$RONDO" --loop=html busy.js >out & page=$!
until grep -q begun out; do :; done
kill -INT $page; wait $page; [ $? = 130 ] || fail "SIGINT while a script runs"

# A page reads its own folder only.
mkdir site; echo secret >secret.txt
cat >site/page.html <<'PAGE'
<script>
const x = new XMLHttpRequest(); x.open('GET', '../secret.txt'); x.onload = () => console.log('read'); x.onerror = () => console.log('refused'); x.send();
</script>
PAGE
[ "$("$RONDO" --loop=html site/page.html 2>/dev/null)" = refused ] || fail "a page read what is not its own"

# The real clock, another rate of frames.
echo 'let n = 0; requestAnimationFrame(function f(t) { if (++n < 5) requestAnimationFrame(f); else console.log(Math.round(t)); })' >frames.js
[ "$("$RONDO" --loop=html --virtual-time --rate=100 frames.js)" = 50 ] || fail "--rate"
echo 'const t = performance.now(); setTimeout(() => console.log(performance.now() - t >= 5), 5)' >real.js
[ "$("$RONDO" --loop=html real.js)" = true ] || fail "the real clock"

# Ctrl-C ends a page that never would.
echo 'console.log("begun"); (function f() { setTimeout(f) })()' >endless.js
"$RONDO" --loop=html endless.js >out & page=$!
until grep -q begun out; do :; done
kill -INT $page; wait $page; [ $? = 130 ] || fail "SIGINT"
exit 0
