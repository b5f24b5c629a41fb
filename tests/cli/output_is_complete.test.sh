#!/usr/bin/env bash
# Everything written to stdout and stderr arrives, also when the process exits right after and the reader is slow.
source tests/cli/help.bash
script big.js <<'JS'
for (let i = 0; i < 20000; i++) console.log('line', i, 'x'.repeat(80));
process.exit(0);
JS
lines=$("$RONDO" "$work/big.js" | (sleep 0.2; wc -l))
expect "lines through a pipe" "$lines" 20000
run -e 'process.stdout.write("no newline"); process.exit()'
expect "last bytes" "$out" "no newline"

# A reader that sleeps does not stop the loop: write says so, the loop ticks, 'drain' comes, and exit loses nothing.
script slow.js <<'JS'
const took = process.stdout.write('x'.repeat(1 << 20));
let ticks = 0;
const counting = setInterval(() => {
  if (++ticks === 5) require('fs').writeFileSync(process.argv[2], '');  // now the reader may read
}, 1);
process.stdout.on('drain', () => {
  clearInterval(counting);
  process.stderr.write(`${took} ${ticks >= 5}`);
});
JS
for poller in uring epoll; do
  rm -f "$work/go"
  read -r bytes < <(RONDO_POLLER=$poller "$RONDO" "$work/slow.js" "$work/go" 2>"$work/err" | { until [ -e "$work/go" ]; do sleep 0.01; done; wc -c; })
  expect "bytes ($poller)" "$bytes" 1048576
  expect "write, ticks before drain ($poller)" "$(cat "$work/err")" "false true"
  bytes=$(RONDO_POLLER=$poller "$RONDO" -e 'process.stdout.write("x".repeat(1 << 20)); console.log("end"); process.exit()' | (sleep 0.2; wc -c))
  expect "bytes before exit ($poller)" "$bytes" 1048580
done

# A reader that has gone, and a full disk, end a program that does not listen for it; the first error of console is passed over, as in Node.
for print in 'console.log(1)' 'console.log({ a: 1 })' 'process.stdout.write("1\n")'; do
  { timeout 20 "$RONDO" -e "setInterval(() => { $print }, 1)" 2>"$work/err"; echo $? >"$work/code"; } | head -1 >"$work/out"
  expect "exit code without a reader ($print)" "$(cat "$work/code")" 1
  has "error without a reader ($print)" "$(cat "$work/err")" "Error: write EPIPE"
  "$RONDO" -e "$print; setTimeout(() => { $print })" >/dev/full 2>"$work/err"
  expect "exit code on a full disk ($print)" "$?" 1
  has "error on a full disk ($print)" "$(cat "$work/err")" "Error: ENOSPC: no space left on device, write"
  case $print in console*) code=0 ;; *) code=1 ;; esac
  "$RONDO" -e "$print" >/dev/full 2>"$work/err"
  expect "exit code of one line on a full disk ($print)" "$?" "$code"
  # Lines of one turn are one failure.
  "$RONDO" -e "$print; $print" >/dev/full 2>"$work/err"
  expect "exit code of two lines on a full disk ($print)" "$?" "$code"
done
"$RONDO" -e 'process.stdout.on("error", (e) => console.error(e.code)); console.log(1)' >/dev/full 2>"$work/err"
expect "a listener" "$? $(cat "$work/err")" "0 ENOSPC"
