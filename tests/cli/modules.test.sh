#!/usr/bin/env bash
# CommonJS and ES modules as the main file: __filename, import.meta, named exports of a CommonJS file, order of evaluation.
source tests/cli/help.bash
script dep.cjs <<<'exports.answer = 42; exports.here = __filename.split("/").pop();'
script main.mjs <<'JS'
import { answer, here } from './dep.cjs';
import fs, { readFileSync } from 'node:fs';
console.log(answer, here, typeof readFileSync === typeof fs.readFileSync, import.meta.url.endsWith('/main.mjs'));
const later = await import('./dep.cjs');
console.log(later.default.answer);
JS
run "$work/main.mjs"
expect "import" "$out:$code" $'42 dep.cjs true true\n42:0'
script main.cjs <<<'console.log(require("./dep.cjs").answer, module.children.length, require.main === module)'
run "$work/main.cjs"
expect "require" "$out" "42 1 true"

# A main module whose path is whole runs in a directory that is gone.
mkdir "$work/gone"
rondo=$(realpath "$RONDO")
out=$(cd "$work/gone" && rmdir "$work/gone" && "$rondo" "$work/main.mjs" 2>&1) && code=0 || code=$?
expect "import in a directory that is gone" "$out:$code" $'42 dep.cjs true true\n42:0'
