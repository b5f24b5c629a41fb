#!/usr/bin/env bash
# rondo explore and replay: the forms that others rely on, what is refused, that files of the user stay as they are.
# skip-asan
source tests/cli/help.bash
cd "$work" || exit 1

cat >race.js <<'JS'
const fs = require('fs');
fs.stat(__filename, function first() { console.log('first'); });
fs.stat(__filename, function second() { console.log('second'); process.exitCode = 3; });
JS
json='{"schedules":2,"complete":true,"outcomes":[{"exitCode":3,"stdout":"first\nsecond\n","stderr":"","count":1,"schedule":"0"},{"exitCode":3,"stdout":"second\nfirst\n","stderr":"","count":1,"schedule":"0r1"}]}'
run explore --json race.js
expect 'explore --json' "$(tail -1 <<<"$out")" "$json"
expect 'exit code of explore' "$code" 0
run explore --expect-one race.js
expect 'exit code of --expect-one' "$code" 1
for part in 'race.js:3' 'comes before' 'race.js:2' 'rondo replay race.js --schedule=0r1'; do has 'report' "$out" "$part"; done
run replay race.js --schedule=0r1
expect 'replay' "$out" $'second\nfirst'
expect 'exit code of replay' "$code" 3

# What a run writes is its own; elsewhere it cannot write.
echo kept >file.txt
echo "require('fs').writeFileSync('file.txt', 'changed'); console.log(require('fs').readFileSync('file.txt', 'utf8'))" >writes.js
run replay writes.js --schedule=0
has 'own files' "$out$err" 'changed'
expect 'files of the user' "$(cat file.txt)" kept

# A program says itself what its outcome is.
cat >said.js <<'JS'
const { outcome, isExploring } = require('rondo:explore');
require('fs').stat(__filename, () => console.log(1));
require('fs').stat(__filename, () => console.log(2));
outcome(isExploring);
JS
run explore --expect-one said.js
expect 'outcome()' "$code" 0

# One test of a file, explored.
cat >some.test.js <<'JS'
const { test } = require('node:test');
const fs = require('fs/promises');
test('races', { explore: 20 }, async () => {
  let last;
  await Promise.all(['a', 'b'].map((name) => fs.stat(__filename).then(() => (last = name))));
  if (last !== 'b') throw new Error('a was last');
});
JS
run some.test.js
for part in 'fails in ' '--schedule=' 'a was last'; do has 'explore: of node:test' "$out" "$part"; done
expect 'exit code of the test' "$code" 1

for wrong in 'explore' 'explore --bound x race.js' 'replay race.js' 'replay race.js --schedule=zz'; do
  # shellcheck disable=SC2086
  run $wrong
  [ "$code" != 0 ] || expect "$wrong" accepted refused
done
expect '--virtual-time' "$("$RONDO" --virtual-time -e 'setTimeout(() => console.log("later"), 86400000)')" later

# Test files: one that fails in some schedules is told, with the place and a schedule.
sed 's/{ explore: 20 }, //' some.test.js >flaky.test.js
echo "require('node:test').test('always', () => {})" >good.test.js
run explore --test good.test.js flaky.test.js
expect 'exit code of --test' "$code" 1
for part in 'pass   good.test.js' 'flaky  flaky.test.js: fails in ' 'a was last' 'flaky.test.js:5' '--schedule='; do has '--test' "$out" "$part"; done
run explore --test good.test.js
expect 'exit code of --test, all well' "$code" 0

# Each schedule twice: the same choices, callbacks and output, with the times that the program prints.
cat >timers.js <<'JS'
const fs = require('fs');
for (const delay of [1, 2, 5]) setTimeout(() => fs.stat(__filename, () => console.log(delay, performance.now(), Date.now(), Math.random())), delay);
setImmediate(() => fs.readFile(__filename, () => setTimeout(() => console.log('last'), 3)));
JS
run explore --check-determinism --schedules 40 timers.js
expect '--check-determinism' "$code $out" '0 40 schedules, each run twice: no difference'
echo "console.log(require('fs').readFileSync('/proc/sys/kernel/random/uuid', 'utf8'))" >uncontrolled.js
run explore --check-determinism uncontrolled.js
expect 'exit code of --check-determinism' "$code" 1
has 'difference' "$out" 'two runs by the schedule 0 differ'

# Operations that fail.
echo "require('fs').stat(__filename, (error) => console.log(error ? error.code : 'ok'))" >stat.js
run explore --json --faults stat.js
for part in '"schedules":2,"complete":true' '"stdout":"ok\n"' '"stdout":"EIO\n"' '"schedule":"f:0f1"'; do has '--faults' "$out" "$part"; done
run replay stat.js --schedule=f:0f1
expect 'replay of a fault' "$out" EIO

# Programs that wait for the clock, never end, or write elsewhere.
echo "const end = Date.now() + 5000; while (Date.now() < end); console.log('waited')" >busy.js
run explore --json busy.js
has 'busy waiting' "$out" '"stdout":"waited\n"'
echo "try { require('fs').writeFileSync('/etc/rondo-explore', 'x') } catch (error) { console.log(error.code) }" >elsewhere.js
run explore --json elsewhere.js
has 'writes elsewhere' "$out" '"stdout":"EROFS\n"'
[ ! -e /etc/rondo-explore ] || expect 'file elsewhere' written refused
echo "process.on('message', () => {}); require('net').createServer().listen(0)" >server.js
run explore --json server.js
has 'never ends' "$out" '"hangs":true'

# A run is forked where its process has no other thread, and has the descriptors of a start.
echo "const { readdirSync } = require('fs'); console.log(readdirSync('/proc/self/task').length, process.pid, process.stdin.read())" >threads.js
run explore --json threads.js
has 'threads of a run' "$out" '"stdout":"1 1000 null\n"'

# An outcome that takes more deviations than are tried: a sample finds it, and it is told with no more of them than it needs.
cat >deep.js <<'JS'
const fs = require('fs');
let isLast = true;
const go = (steps) => fs.stat(__filename, () => (steps ? go(steps - 1) : (isLast = false)));
fs.stat(__filename, () => go(1));
fs.stat(__filename, () => fs.stat(__filename, () => fs.stat(__filename, () => fs.stat(__filename, () => fs.stat(__filename, () => console.log(isLast))))));
JS
run explore --json --schedules 12 deep.js
has 'sample' "$out" '"stdout":"true\n"'
run replay deep.js "--schedule=$(grep -o '"true[^}]*' <<<"$out" | sed 's/.*"schedule":"//; s/".*//')"
expect 'replay of a sample' "$out" true

# Ctrl-C tells what was found so far.
echo "for (let i = 0; i < 9; i++) require('fs').stat('/', () => console.log(i))" >many.js
"$RONDO" explore --all --json many.js >interrupted.out 2>&1 &
explorer=$!
runs() { pgrep -P "$(pgrep -d, -P $explorer)" 2>/dev/null; }
until [ -n "$(runs)" ]; do sleep 0.05; done
kill -INT $explorer
wait $explorer
expect 'exit code after Ctrl-C' "$?" 0
has 'Ctrl-C' "$(cat interrupted.out)" '"complete":false,"outcomes":[{'

# What is wrong with the command line is told once, with its own exit code.
run explore --jobs=2 --no-such-option race.js
expect 'a bad option' "$code $out" '9 '
expect 'lines about a bad option' "$(wc -l <<<"$err")" 1
has 'a bad option' "$err" 'bad option: --no-such-option'
run explore -
has 'standard input' "$err" 'explore and replay take a script or -e code'
expect 'standard input' "$code" 9
run explore --test --no-such-option race.js
expect 'a bad option of a test' "$code" 9
