#!/usr/bin/env bash
# skip-asan: long pages.
# Browsers nest 512 elements; what is deeper is a neighbour, so that a page of opening tags takes no longer than another.
source tests/cli/help.bash
nested() {
  { printf '<!doctype html><body>'; yes "$1" | head -n "$2" | tr -d '\n'; cat; } >"$work/nested.html" <<'H'
<script>
let depth = 0;
for (let at = document.currentScript; at !== null; at = at.parentNode) depth++;
console.log(document.querySelectorAll('body *').length, depth <= 520);
</script>
H
  run --loop=html "$work/nested.html"
  expect "$2 nested $1" "$code $out$err" "0 $3 true"
}
nested '<div>' 100000 100001
nested '<b>' 10000 10001
nested '<ul><li>' 5000 10001
