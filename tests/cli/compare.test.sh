#!/usr/bin/env bash
# S126: rondo compare runs one file on both loops and shows where their orders differ, with phase or source.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >app.js <<'JS'
console.log('script');
setTimeout(() => console.log('timeout 1'), 1);
setTimeout(() => console.log('timeout 0'), 0);
Promise.resolve().then(() => console.log('promise'));
if (typeof process === 'object') process.nextTick(() => console.log('tick'));
JS
"$RONDO" compare app.js >out || exit 1
cat >want <<'OUT'
  node                 | html
  script     script    | script     script
* nextTick   tick      | microtask  promise
* microtask  promise   | timer      timeout 0
  timers     timeout 1 | timer      timeout 1
* timers     timeout 0 |
3 lines differ
OUT
diff -u want out || exit 1
echo "console.log('a'); Promise.resolve().then(() => console.log('b'))" >same.js
"$RONDO" compare same.js >out || exit 1
[ "$(tail -1 out)" = 'the same order' ] || exit 1
echo 'setImmediate(() => {})' >node_only.js
"$RONDO" compare node_only.js >out || exit 1
grep -q 'ended *ReferenceError' out || exit 1
"$RONDO" compare missing.js 2>/dev/null && exit 1
"$RONDO" compare -e 1 2>/dev/null && exit 1
exit 0
