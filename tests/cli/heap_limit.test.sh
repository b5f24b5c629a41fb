#!/usr/bin/env bash
# skip-asan: measures memory.
# A heap that keeps more than its limit ends the process in Node's words, exit code 134. The limit is --max-old-space-size, else
# half of what the machine or the control group has; v8 tells it. Buffers and garbage do not count.
source tests/cli/help.bash
ulimit -c 0
leak='const kept = []; for (;;) kept.push({ at: kept.length, text: "t" + kept.length });'
words='JavaScript heap out of memory'

run --max-old-space-size=64 -e "$leak"
expect "exit code at the limit" $code 134
has "last words" "$err" "FATAL ERROR: "
has "last words" "$err" "$words"

run --max-old-space-size=64 -e 'const kept = []; for (;;) kept.push("x".repeat(1000) + kept.length);'
expect "exit code, strings" $code 134
has "last words, strings" "$err" "$words"

cat >"$work/buffers.js" <<'JS'
const kept = [];
for (let i = 0; i < 100; i++) kept.push(Buffer.alloc(1 << 20, 1), new Uint8Array(1 << 20), new ArrayBuffer(1 << 20));
let garbage;
for (let i = 0; i < 4e6; i++) garbage = [{ i }, garbage && garbage[0]];
gc();
console.log(kept.length, require('v8').getHeapStatistics().heap_size_limit);
JS
run --expose-gc --max_old_space_size=64 "$work/buffers.js"
expect "buffers and garbage" "$out" "300 $((64 << 20))"
expect "exit code, buffers" $code 0

run -p 'v8.getHeapStatistics().heap_size_limit <= os.totalmem() / 2 && v8.getHeapStatistics().heap_size_limit > 1e7'
expect "limit by default" "$out" true

unshare -m bash -c 'mount -t tmpfs none /sys/fs/cgroup && echo $((192 << 20)) >/sys/fs/cgroup/memory.max || exit 99
  "$0" -p "[process.constrainedMemory(), v8.getHeapStatistics().heap_size_limit].join()"
  "$0" -e "$1"; exit $?' "$RONDO" "$leak" >"$work/out" 2>"$work/err"
code=$? out=$(cat "$work/out") err=$(cat "$work/err")
if [ $code = 99 ] || [ $code = 1 ]; then echo "the control group's limit skipped: this machine lets nobody mount"; exit 0; fi
expect "limit of the control group" "$out" "$((192 << 20)),$((96 << 20))"
expect "exit code in the control group" $code 134
has "last words in the control group" "$err" "$words"

# A group that allows next to nothing: the least heap, with which a program can start.
out=$(unshare -m bash -c 'mount -t tmpfs none /sys/fs/cgroup && echo 100 >/sys/fs/cgroup/memory.max || exit 99
  "$0" -p "v8.getHeapStatistics().heap_size_limit"' "$RONDO" 2>&1)
expect "limit in a control group of 100 bytes" "$out" $((32 << 20))
