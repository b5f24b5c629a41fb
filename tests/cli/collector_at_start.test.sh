#!/usr/bin/env bash
# A collection that another thread asks for while the runtime starts is put off, and does not wait for ever.
source tests/cli/help.bash
for i in 1 2 3 4 5 6; do
  code=0
  JSC_collectContinuously=1 timeout -s KILL 50 "$RONDO" -e 'setTimeout(() => {}, 1)' 2>"$work/err" || code=$?
  err=$(cat "$work/err")
  expect "run $i" $code 0
done
