#!/usr/bin/env bash
# A file that may not grow further is an error of the write (EFBIG), not the end of the process by SIGXFSZ; children have the
# signal's default action again.
source tests/cli/help.bash
cat >"$work/grow.js" <<'JS'
const fs = require('fs');
const big = Buffer.alloc(1 << 16);
try { fs.writeFileSync(process.argv[2] + '.sync', big); } catch (error) { console.log(error.code, error.syscall); }
fs.writeFile(process.argv[2], big, (error) => {
  console.log(error?.code, error?.syscall);
  const stream = fs.createWriteStream(process.argv[2] + '.stream');
  stream.on('error', (failed) => {
    console.log(failed.code, failed.syscall);
    console.log(require('child_process').spawnSync('sh', ['-c', 'kill -XFSZ $$']).signal);
  });
  stream.end(big);
});
JS
for way in ring pool; do
  code=0
  out=$(ulimit -f 8; RONDO_FS=$way "$RONDO" "$work/grow.js" "$work/grown" 2>"$work/err") || code=$?
  err=$(cat "$work/err")
  expect "exit code, $way" $code 0
  expect "errors, $way" "$out" $'EFBIG write\nEFBIG write\nEFBIG write\nSIGXFSZ'
done
