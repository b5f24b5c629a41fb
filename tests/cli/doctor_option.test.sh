#!/usr/bin/env bash
# --doctor, also in NODE_OPTIONS: a program is told of its own faults on standard error and by process.on('doctor'); output and exit code are its
# own, and the doctor neither keeps it alive nor stays behind.
# skip-asan
source tests/cli/help.bash

# Blocks again and again until it has been told.
script blocks.js <<'JS'
const end = Date.now() + 50_000;
process.on('doctor', (finding) => {
  if (finding.class !== 'synchronous-block') return;
  console.log(finding.kind, finding.class, finding.function, /blocks\.js:9:\d+$/.test(finding.place));
  process.exit(3);
});
function spin() {
  const since = process.threadCpuUsage(); // the doctor counts what the thread runs, however busy the machine is
  while (process.threadCpuUsage(since).user + process.threadCpuUsage(since).system < 400_000);
}
(function again() {
  spin();
  if (Date.now() < end) setTimeout(again, 20);
})();
JS
run --doctor "$work/blocks.js"
expect "the event" "$code $out" "3 finding synchronous-block spin true"
has "standard error" "$err" "doctor: synchronous-block: spin ("

export NODE_OPTIONS=--doctor
run "$work/blocks.js"
expect "NODE_OPTIONS" "$code $out" "3 finding synchronous-block spin true"

script quick.js <<'JS'
console.log('quick');
process.exitCode = 4;
JS
run "$work/quick.js"
expect "a program that ends at once" "$code $out $err" "4 quick "
run doctor --json "$work/quick.js"
expect "watched by a doctor already" "$code $out $err" "4 quick "

script alone.js <<'JS'
setTimeout(() => console.log(process.getActiveResourcesInfo().join()), 300);
JS
run "$work/alone.js"
expect "nothing more is alive" "$code $out $err" "0 Timeout "
unset NODE_OPTIONS
