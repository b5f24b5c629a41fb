#!/usr/bin/env bash
# S14: a block inside native code, a regular expression or WebAssembly is told while it lasts, with the program's function that called it:
# none of these calls ends before the finding is there.
# skip-asan
source tests/cli/help.bash
fixture=tests/fixtures/doctor/native_calls.js
mkfifo "$work/pipe"

# tells KIND [FUNCTION]
tells() {
  local kind=$1 function=${2:-$1} found=$work/found.$1
  : >"$found"
  "$RONDO" doctor --json "$fixture" "$kind" "$work/pipe" >/dev/null 2>"$found" &
  local doctor=$!
  for _ in $(seq 1200); do grep -q synchronous-block "$found" && break; kill -0 $doctor 2>/dev/null || break; sleep 0.05; done
  kill -0 $doctor 2>/dev/null || { echo "$kind: the program has ended: $(cat "$found")" >&2; exit 1; }
  kill -TERM $doctor
  wait $doctor
  local line place
  line=$(grep synchronous-block "$found" | head -1)
  has "$kind: function" "$line" "\"function\":\"$function\""
  has "$kind: cause" "$line" "in native code"
  # The line of the call.
  place=$(sed -n 's/.*native_calls.js:\([0-9]*\):.*/\1/p' <<<"$line")
  sed -n "${place}p" "$fixture" | grep -Eq 'return|execSync' || { echo "$kind: place in $line" >&2; exit 1; }
}

for kind in exec read hash match compress sleep wasm later; do tells $kind; done
tells then afterwards
