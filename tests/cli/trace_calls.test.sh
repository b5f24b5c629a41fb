#!/usr/bin/env bash
# S3: calls are pushed and popped in order, with their names and the names of their arguments: depths 1, 2, 1, 0.
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1
cat >calls.js <<'JS'
function foo(b) {
  const a = 10;
  return a + b + 11;
}
function bar(x) {
  const y = 3;
  return foo(x * y);
}
const baz = bar(7); // 42
console.log(baz);
JS
cat >judge.js <<'JS'
const records = require('fs').readFileSync(0, 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
const names = new Map(records.filter((r) => r.kind === 'task.queued').map((r) => [r.id, r.name]));
const stack = [], seen = [];
for (const { kind, what, id } of records) {
  if (what !== 'call' || kind === 'task.queued') continue;
  if (kind === 'task.begin') stack.push(names.get(id));
  else if (stack.pop() !== names.get(id)) throw new Error('not popped in order');
  seen.push(`${stack.length} ${stack.at(-1) ?? ''}`.trim());
}
console.log(seen.join('; '));
JS
run trace --json --calls calls.js
expect "exit" "$code" 0
has "output" "$out" "42"
expect "depths" "$("$RONDO" judge.js <<<"$out")" "1 bar(x: 7); 2 foo(b: 21); 1 bar(x: 7); 0"
# The page has them as its stack.
run trace --calls -o run.html calls.js
expect "page" "$code $out" "0 42"
cat >page.js <<'JS'
const page = require('fs').readFileSync('run.html', 'utf8');
const part = (id) => new RegExp(`<script[^>]* id="${id}">([^]*?)</script>`).exec(page)[1];
const load = new Function(`${part('model')}; return load;`)();
const model = load('internal/observe/page/model').makeModel(JSON.parse(part('recording')));
const seen = [];
for (let step = 1; step <= model.steps.length; step++) {
  const frames = model.callFrames(step).map((one) => `${one.name}(${one.arguments})`).join(' ');
  if (frames !== (seen.at(-1) ?? '')) seen.push(frames);
}
console.log(seen.join('; '));
JS
expect "frames" "$("$RONDO" page.js)" "bar(x: 7); bar(x: 7) foo(b: 21); bar(x: 7); "
