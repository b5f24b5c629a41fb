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
