#!/usr/bin/env bash
# skip-asan: the sanitizer needs terabytes of addresses.
# The engine likes to set aside a hundred gigabytes of addresses; where ulimit -v forbids it, it starts and compiles with less.
source tests/cli/help.bash
cat >"$work/work.js" <<'JS'
let sum = 0;
const shapes = [];
for (let i = 0; i < 3e5; i++) { sum += (i * 7) % 13; if (i < 5000) shapes.push({ ['p' + i]: i }); }
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
setTimeout(() => console.log(sum, shapes.length, new WebAssembly.Module(bytes) instanceof WebAssembly.Module), 1);
JS
for kilobytes in 6000000 2000000 1000000; do
  for i in 1 2 3; do  # where things land is random
    code=0
    out=$(ulimit -v $kilobytes; "$RONDO" "$work/work.js" 2>"$work/err") || code=$?
    err=$(cat "$work/err")
    expect "exit code with $kilobytes kB" $code 0
    expect "output with $kilobytes kB" "$out" "1800000 5000 true"
  done
done

# Too little to start with is said, whatever was to be run.
for what in "-p 1" "trace -e 1" "--version"; do
  code=0
  err=$(ulimit -v 300000; "$RONDO" $what 2>&1 >/dev/null) || code=$?
  expect "exit code of $what with 300000 kB" $code 1
  expect "words of $what with 300000 kB" "$err" "rondo: 292 MB of address space (ulimit -v, -d) are too few; the engine needs 512 MB to start"
done

# Pages need more than scripts do, and say so.
echo '<!doctype html><p>text</p><script>console.log(document.querySelector("p").textContent)</script>' >"$work/page.html"
code=0
err=$(ulimit -v 600000; "$RONDO" --loop=html "$work/page.html" 2>&1) || code=$?
expect "exit code of a page with 600000 kB" $code 1
expect "words of a page with 600000 kB" "$err" "rondo: 585 MB of address space (ulimit -v, -d) are too few; a page needs 768 MB"
out=$(ulimit -v 800000; "$RONDO" --loop=html "$work/page.html" 2>&1)
expect "a page with 800000 kB" "$out" "text"
