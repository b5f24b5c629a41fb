#!/usr/bin/env bash
# Native addons: compiled here with Node-API's headers, loaded, used, refused. tests/addons/check.js has the assertions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
headers=node_modules/node-api-headers/include
[ -d "$headers" ] || headers=$(dirname "${JSC_ROOT:-none/none}")/node-api-headers/include
build() { cc -shared -fPIC -O1 -I "$headers" -o "$folder/$1.node" "$2" -lpthread; }

build sample tests/addons/sample.c
echo 'int nothing;' >"$folder/plain.c"
build plain "$folder/plain.c"
echo 'int node_api_module_get_api_version_v1(void) { return 99; } void* napi_register_module_v1(void* e, void* x) { return x; }' >"$folder/future.c"
build future "$folder/future.c"
echo 'extern int _ZN2v87Isolate10GetCurrentEv; void* napi_register_module_v1(void* e, void* x) { return &_ZN2v87Isolate10GetCurrentEv; }' >"$folder/engine.c"
build engine "$folder/engine.c"
# Bound when it is called, by a constructor: the dynamic linker would end the process.
cat >"$folder/constructor.c" <<'C'
extern void node_module_register(void*);
__attribute__((constructor)) static void start(void) { node_module_register(0); }
C
cc -shared -fPIC -Wl,-z,lazy -o "$folder/constructor.node" "$folder/constructor.c"
# A function of libuv that is not there, which would end the process when it is called.
cat >"$folder/library.c" <<'C'
extern void uv_no_such_function(void);
void* napi_register_module_v1(void* env, void* exports) { uv_no_such_function(); return exports; }
C
cc -shared -fPIC -Wl,-z,lazy -o "$folder/library.node" "$folder/library.c"

out=$("$RONDO" --expose-gc tests/addons/check.js "$folder")
# The hooks of the worker's environment run at its end, those of the main one at the end of the process; newest first.
[ "$out" = $'first\nsecond\nchecked\nfirst\nsecond' ] || { echo "$out"; exit 1; }

# A job of an addon has a row in the trace, under its name.
cat >"$folder/traced.js" <<'JS'
require(process.argv[2]).square(3).then(() => {});
JS
"$RONDO" trace "$folder/traced.js" "$folder/sample.node" 2>&1 | grep -q "addon work"

# A crash inside an addon says which; one in the C library that it called, too.
for how in false true; do
  code=0
  err=$("$RONDO" -e "require('$folder/sample.node').crash($how)" 2>&1) || code=$?
  grep -q "rondo: crash (SIG[A-Z]*) in the native addon $folder/sample.node" <<<"$err" || { echo "crash($how): $code $err"; exit 1; }
  [ "$code" -gt 128 ] || { echo "crash($how): code $code"; exit 1; }
done
