#!/usr/bin/env bash
# S66: the four pictures of the loop, as the page of rondo trace -o run.html has them: its model is taken out of the page and asked. The page
# of rondo see is served to this machine, with its token, under its own name, and to no other page.
# skip-asan
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
fixture=$(realpath tests/fixtures/pictures.js)
checks=$(realpath tests/fixtures/pictures_check.js)
page=$(realpath tests/fixtures/pictures_page.html)
page_checks=$(realpath tests/fixtures/pictures_page_check.js)
cd "$work" || exit 1

run trace -o run.html "$fixture"
expect "exit" "$code" 0
expect "output" "$out" $'script\ntick\nmicrotask\ntimer\nimmediate'
! grep -qE '(src|href)=' run.html || { echo "the page asks for something" >&2; exit 1; }
"$RONDO" "$checks" run.html || exit 1

# The loop of a page, from behind its fence.
run trace -o page.html --loop=html --virtual-time "$page"
expect "exit of a page" "$code" 0
expect "output of a page" "$(sort <<<"$out" | tr '\n' ' ')" "frame idle microtask posted timer "
"$RONDO" "$page_checks" page.html || exit 1

cat >server.js <<'JS'
const server = require('node:http').createServer((request, response) => response.end('ok'));
server.listen(0, '127.0.0.1');
JS
"$RONDO" see server.js 2>address &
see=$!
trap 'kill "$see" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 1200); do grep -q token address && break; sleep 0.05; done
url=$(sed -n 's/.*\(http:[^ ]*\)/\1/p' address)
base=${url%%\?*} query=${url#*\?}
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
expect "with its token" "$(status "$url")" 200
expect "recording" "$(status "${base}recording?$query")" 200
expect "without a token" "$(status "$base")" 403
expect "with another token" "$(status "$base?token=0123456789abcdef0123456789abcdef")" 403
expect "under another name" "$(status -H 'Host: evil.example' "$url")" 403
expect "from another page" "$(status -H 'Origin: http://evil.example' "$url")" 403
kill "$see"
wait "$see" 2>/dev/null

# Whose programs have ended takes signals itself.
"$RONDO" see --quiz 2>address &
see=$!
trap 'kill -9 "$see" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 1200); do grep -q token address && break; sleep 0.05; done
url=$(sed -n 's/.*\(http:[^ ]*\)/\1/p' address)
expect "a quiz" "$(status "${url%%\?*}quiz?${url#*\?}&number=1")" 200
kill "$see"
for _ in $(seq 1200); do kill -0 "$see" 2>/dev/null || exit 0; sleep 0.05; done
echo "see --quiz does not end by SIGTERM" >&2
exit 1
