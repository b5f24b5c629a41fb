#!/usr/bin/env bash
# skip-asan
# Where the process may have no thread, or hardly any memory, it says so and ends with a code, or does without: no signal ends it.
set -uo pipefail
ulimit -c 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
failed=0
fail() { echo "FAIL: $*"; failed=1; }

cat >"$work/busy.js" <<'JS'
const { Worker } = require('worker_threads');
const worker = new Worker('require("worker_threads").parentPort.postMessage("ok")', { eval: true });
worker.on('error', () => console.log('ok'));
worker.on('message', (message) => console.log(message));
require('fs').readFile(__filename, () => {});
JS

# judge NAME CODE OUT ERR: either the program ran, or one sentence and code 1. The dynamic linker comes before us, with 127.
judge() {
  case $2 in
    0) [ "$3" = ok ] || fail "$1: printed '$3'" ;;
    1) grep -qE '^rondo: (cannot start a thread: |[0-9]+ MB of address space)' <<<"$4" || fail "$1: said '$4'" ;;
    127) grep -q 'error while loading shared libraries' <<<"$4" || fail "$1: said '$4'" ;;
    *) fail "$1: ended with $2: $4" ;;
  esac
}

# Root may have as many processes as it likes.
as_other=()
[ "$(id -u)" != 0 ] || as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ ${#as_other[@]} -gt 0 ] && ! "${as_other[@]}" "$RONDO" -e 0 2>/dev/null; then
  echo "skipped: another user cannot run $RONDO"
else
  for most in 1 2 3 4 6; do
    out=$("${as_other[@]}" bash -c "ulimit -u $most && exec \"\$RONDO\" \"$work/busy.js\"" 2>"$work/err")
    judge "ulimit -u $most" $? "$out" "$(cat "$work/err")"
  done
  [ ${#as_other[@]} -eq 0 ] || {
    "${as_other[@]}" bash -c "ulimit -u 1 && exec \"\$RONDO\" -e 0" >/dev/null 2>"$work/err"
    code=$?
    [ $code = 1 ] && grep -q 'cannot start a thread' "$work/err" || fail "ulimit -u 1 ended with $code: $(cat "$work/err")"
  }
fi

for kilobytes in 150000 600000 700000 1000000; do
  for kind in v d; do
    out=$(ulimit -$kind $kilobytes; "$RONDO" "$work/busy.js" 2>"$work/err")
    judge "ulimit -$kind $kilobytes" $? "$out" "$(cat "$work/err")"
  done
done
exit $failed
