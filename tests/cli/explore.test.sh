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
