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
refused '--virtual-time is for --loop=html' --virtual-time a.js
refused '--loop=html runs a page or a script' --loop=html -e 1
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
