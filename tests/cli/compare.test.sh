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
* nextTick   tick      |
  microtask  promise   | microtask  promise
* timers     timeout 1 |
  timers     timeout 0 | timer      timeout 0
*                      | timer      timeout 1
3 lines differ
OUT
diff -u want out || exit 1
echo "console.log('a'); Promise.resolve().then(() => console.log('b'))" >same.js
"$RONDO" compare same.js >out || exit 1
[ "$(tail -1 out)" = 'the same order' ] || exit 1
# What goes on after an await is a microtask in both; what one side lacks marks its own lines only; an uncaught error stands where it happened.
cat >lacking.js <<'JS'
async function f() {
  console.log('called');
  await null;
  console.log('after await');
}
f();
setImmediate(() => console.log('immediate'));
require('fs').readFileSync(__filename);
setTimeout(() => console.log('timeout'), 100);
JS
"$RONDO" compare lacking.js >out || exit 1
cat >want <<'OUT'
  node                   | html
  script     called      | script     called
  microtask  after await | microtask  after await
* check      immediate   |
  timers     timeout     | timer      timeout
not in html, where it does nothing: setImmediate, require, __filename
1 line differs
OUT
diff -u want out || exit 1
cat >uncaught.js <<'JS'
setTimeout(() => { throw new TypeError('thrown'); }, 1);
setTimeout(() => console.log('later'), 50);
console.log('first');
JS
"$RONDO" compare uncaught.js >out || exit 1
cat >want <<'OUT'
  node                        | html
  script    first             | script    first
  uncaught  TypeError: thrown | uncaught  TypeError: thrown
*                             | timer     later
1 line differs
OUT
diff -u want out || exit 1
"$RONDO" compare --times uncaught.js >out || exit 1
grep -Eq '^  script +0\.0  first +\| script +0\.0  first$' out || exit 1
"$RONDO" --times app.js 2>/dev/null && exit 1
"$RONDO" compare missing.js 2>/dev/null && exit 1
"$RONDO" compare -e 1 2>/dev/null && exit 1
exit 0
