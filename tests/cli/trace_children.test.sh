#!/usr/bin/env bash
# rondo trace: children of a traced program (cluster, fork, spawn of the same binary) are traced, too; their standard streams stay as they were.
# skip-asan
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1

script cluster.js <<'JS'
const cluster = require('node:cluster');
if (cluster.isPrimary) cluster.fork().on('exit', function onChildExit(code) { console.log('exit', code); });
else setTimeout(function inChild() { process.exit(7); }, 5);
JS
run trace cluster.js
expect "exit" "$code" 0
expect "output" "$out" "exit 7"
has "the first process" "$err" "Loop report of cluster.js:"
has "its child" "$err" "Loop report of $work/cluster.js (process "
has "a callback of the child" "$err" "inChild (cluster.js:3:"
# The folder of this run, not of another's that is traced meanwhile.
run trace -p 'require("node:child_process").spawnSync(process.execPath, ["-e", "0"]); process.env.RONDO_TRACE_CHILDREN.slice(1)'
has "its folder" "$out" "/tmp/rondo-trace-"
[ ! -e "$out" ] || { echo "a folder is left" >&2; exit 1; }

# What a parent reads of its child is the child's own.
script spawn.js <<'JS'
const { spawnSync } = require('node:child_process');
const { stdout, stderr } = spawnSync(process.execPath, ['-e', 'setTimeout(function inner() { console.log(1); console.error(2); }, 1)']);
console.log(JSON.stringify([`${stdout}`, `${stderr}`]));
JS
run trace spawn.js
expect "streams of the child" "$out" '["1\n","2\n"]'
has "its report" "$err" "inner ("

# A file of its own for each.
run trace -o trace.json cluster.js
expect "exit" "$code" 0
files=$(find . -name 'trace*.json' | wc -l)
expect "files" "$files" 2
grep -q inChild trace.[0-9]*.json || { echo "the child's file lacks its callback" >&2; exit 1; }
run trace --json spawn.js
expect "lines of JSON are of the first process" "$(grep -c '"kind":"start"' <<<"$out")" 1

# The page has all processes.
run trace -o run.html cluster.js
expect "exit" "$code" 0
grep -qE '"label":"process [0-9]+"' run.html || { echo "the page lacks the child" >&2; exit 1; }
grep -q 'inChild (' run.html || { echo "the page lacks the child's callback" >&2; exit 1; }
exit 0
