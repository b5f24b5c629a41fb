#!/usr/bin/env bash
# skip-asan: the sanitizer itself reads /proc.
# A container may lack /sys, /proc or the devices: the runtime starts, both output streams work, and what needs no file of these works.
source tests/cli/help.bash
if ! unshare -m true 2>/dev/null; then echo "skipped: this machine lets nobody unshare a mount namespace"; exit 0; fi
# Node answers these without them, too.
cat >"$work/facts.js" <<'JS'
const os = require('os');
const facts = [Math.random() < 1, crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(9)).length,
  process.memoryUsage().heapUsed > 0, process.constrainedMemory() >= 0, process.availableMemory() > 0, os.totalmem() > 0,
  os.uptime() > 0, (function deep(n) { try { return deep(n + 1); } catch { return n > 1000; } })(0)];
console.log(facts.join());
require('child_process').exec('echo child', (error, text) => console.error(error ?? text.trim()));
JS
for missing in /sys /proc /dev "/sys /proc"; do
  unshare -m bash -c 'for folder in $2; do mount -t tmpfs none $folder || exit 99; done
    [ -e /dev/null ] || mknod -m 666 /dev/null c 1 3 || exit 99
    "$0" "$1" </dev/null' "$RONDO" "$work/facts.js" "$missing" >"$work/out" 2>"$work/err"
  code=$? err=$(cat "$work/err")
  if [ $code = 99 ]; then echo "skipped: this machine lets nobody mount"; exit 0; fi
  expect "exit code without $missing" $code 0
  expect "answers without $missing" "$(cat "$work/out")" "true,36,9,true,true,true,true,true,true"
  expect "stderr without $missing" "$err" child
done
