#!/usr/bin/env bash
# --watch: the program runs again when a file it loaded changes, and only then; --watch-path watches a whole tree.
source tests/cli/help.bash
cd "$work" || exit 1

# await WHAT COMMAND…: until the command succeeds.
await() {
  local what=$1
  shift
  for _ in $(seq 1200); do "$@" && return; sleep 0.05; done
  printf '%s: never came; output so far:\n%s\n' "$what" "$(cat "$work/log" "$work/log.err")" >&2
  kill "$watching"
  exit 1
}
lines_like() { [ "$(grep -c "$1" "$work/log")" -ge "$2" ]; }
begin() {
  : >"$work/log"
  "$RONDO" "$@" >"$work/log" 2>"$work/log.err" </dev/null &
  watching=$!
}
finish() {
  kill -TERM "$watching"
  wait "$watching"
  expect "exit code after SIGTERM" "$?" 0
}
# change FILE TEXT PATTERN: writes until the program answers with a line; its first report of what it loads may still be under way.
change() {
  for _ in $(seq 30); do
    echo "$2" >"$1"
    for _ in $(seq 40); do lines_like "$3" 1 && return; sleep 0.05; done
  done
  await "line like $3" lines_like "$3" 1
}
# As an editor does: a new file in place of the old one.
replace() { echo "$2" >"$1.new" && mv "$1.new" "$1"; }

mkdir app other
echo 'module.exports = 1;' >app/dep.js
echo 'export default 1;' >app/late.mjs
cat >app/main.js <<'JS'
const fromImport = import('./late.mjs');
fromImport.then(({ default: late }) => console.log('run', require('./dep.js'), late, process.argv.slice(2).join(), process.execArgv.join()));
JS

begin --no-warnings --watch app/main.js x y
await "first run" lines_like "^Completed running 'app/main.js x y'. Waiting for file changes before restarting...\$" 1
has "first run" "$(cat log)" "run 1 1 x,y --no-warnings"
replace app/dep.js 'module.exports = 2;'
await "after a change of what was required" lines_like '^run 2 1 ' 1
await "second end" lines_like '^Completed' 2
has "restart" "$(cat log)" "Change detected in '$(realpath app/dep.js)'
Restarting 'app/main.js x y'
run 2 1"
echo 'export default 3;' >app/late.mjs
await "after a change of what was imported" lines_like '^run 2 3 ' 1
await "third end" lines_like '^Completed' 3
echo 'throw new Error("on purpose");' >app/dep.js
await "a failure" lines_like "^Failed running 'app/main.js x y'" 1
echo 'module.exports = 4;' >app/dep.js
await "after it was mended" lines_like '^run 4 3 ' 1
finish

# A program that goes on is ended first; it may take its time.
cat >app/server.js <<'JS'
process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
console.log('up', require('./dep.js'));
setInterval(() => {}, 1000);
JS
begin --watch app/server.js
await "the server" lines_like '^up 4' 1
change app/dep.js 'module.exports = 5;' '^up 5'
has "it was told to end" "$(cat log)" "bye"
finish

# With another signal, if it is asked for.
echo 'process.on("SIGUSR2", () => { console.log("told"); process.exit(); }); console.log("on", require("./dep.js")); setInterval(() => {}, 1000);' >app/other.js
begin --watch --watch-kill-signal=SIGUSR2 app/other.js
await "the program" lines_like '^on 5' 1
change app/dep.js 'module.exports = 5.5;' '^on 5.5'
has "the signal" "$(cat log)" "told"
finish

# Its end for a restart is no failure, and is not told.
echo 'console.log("turn", require("./dep.js")); setInterval(() => {}, 1000);' >app/plain.js
begin --watch app/plain.js
await "the program" lines_like '^turn 5.5' 1
change app/dep.js 'module.exports = 6;' '^turn 6'
finish
expect "lines about its end" "$(grep -c ' running ' log)" 0

# A tree, whether the program loads what is in it or not; its own output is outside.
echo 'console.log("seen", process.env.SAID);' >main.js
begin --watch-path=other --watch-preserve-output main.js
await "first run" lines_like '^Completed' 1
mkdir other/below
await "a new directory" lines_like '^Completed' 2
echo hello >other/below/data.txt
await "a file below" lines_like '^Completed' 3
finish

# A file of settings counts as loaded.
echo 'SAID=one' >settings
begin --watch --env-file=settings main.js
await "with settings" lines_like '^seen one$' 1
await "its end" lines_like '^Completed' 1
echo 'SAID=two' >settings
await "with others" lines_like '^seen two$' 1
finish

run --watch -e 1
expect "--watch with code" "$code" 9
has "--watch with code" "$err" "either --watch or --eval can be used, not both"
run --watch --check main.js
has "--watch with --check" "$err" "either --watch or --check can be used, not both"

# A signal that does not exist is told at the beginning, not when a file changes.
echo 'console.log(1);' >"$work/once.js"
run --watch --watch-kill-signal=SIGNOTHING "$work/once.js"
expect "an unknown signal" "$code" 1
has "an unknown signal: message" "$err" "Unknown signal: SIGNOTHING"
