#!/usr/bin/env bash
# skip-asan
# A page on an older kernel: Landlock's version decides what the fence holds; what is missing is said in one line, and is too little for --fence=require.
source tests/cli/help.bash
echo 'console.log(1)' >"$work/script.js"
run --loop=html --fence=require "$work/script.js"
[ "$code" = 0 ] || { echo "this kernel cannot hold a page: $err"; exit 0; }
cc -O1 -w -shared -fPIC -o "$work/older.so" tests/fixtures/permission/older_kernel.c -ldl || exit 1
older() {
  local version=$1
  shift
  code=0
  LD_PRELOAD=$work/older.so LANDLOCK_VERSION=$version "$RONDO" --loop=html "$@" "$work/script.js" >"$work/out" 2>"$work/err" </dev/null || code=$?
  out=$(cat "$work/out") err=$(cat "$work/err")
}
outside="signals and abstract sockets of others"
while IFS='|' read -r version missing; do
  older "$version"
  expect "Landlock $version: the page" "$code:$out" 0:1
  expect "Landlock $version: lines" "$(wc -l <<<"$err")" 1
  has "Landlock $version" "$err" "; not enforced: $missing"
  [[ $err == *"system calls; not"* ]] || expect "Landlock $version: system calls" "$err" "enforced"
  older "$version" --fence=require
  expect "Landlock $version: --fence=require" "$code:$out" "1:"
done <<ROWS
0|files, truncation of files, control of devices, listening on ports, $outside
2|truncation of files, control of devices, listening on ports, $outside
4|control of devices, $outside
5|$outside
ROWS
older 6
expect "Landlock 6" "$code:$err" "0:"
