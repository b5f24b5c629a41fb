#!/usr/bin/env bash
# node.config.json: --experimental-config-file, --experimental-default-config-file; which options, in which order of precedence, and what is refused.
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1
config() { printf '%s' "$1" >some.json; }
echo 'globalThis.loaded = "yes";' >pre.cjs

config '{ "$schema": "x", "nodeVersion": 26, "nodeOptions": { "require": "./pre.cjs", "stack-trace-limit": 3, "warnings": false } }'
run --experimental-config-file=some.json -p '[loaded, Error.stackTraceLimit, process.execArgv.length].join()'
expect "nodeOptions" "$out:$code" "yes,3,3:0"
config '{ "nodeOptions": { "require": [".\u002Fpre.cjs"] } }'
cp some.json node.config.json
run --experimental-default-config-file -p loaded
expect "default name" "$out:$code" "yes:0"
run --experimental-config-file -p loaded
expect "default name, without a path" "$out:$code" "yes:0"
run -p 'typeof loaded'
expect "not asked for" "$out" undefined
run -p 'typeof loaded' -- --experimental-config-file=some.json
expect "of the program" "$out" undefined
run --experimental-default-config-file=some.json -p 1
expect "no path" "$code" 9

# A field implies its option; the command line has the last word, lists are joined.
config '{ "permission": { "allow-fs-read": ["/none"], "allow-worker": true } }'
run --experimental-config-file=some.json -p '[process.permission.has("worker"), process.permission.has("child"), process.permission.has("fs.read", "/none"), process.permission.has("fs.read", "/etc/passwd")].join()'
expect "permission" "$out" "true,false,true,false"
run --experimental-config-file=some.json --no-allow-worker --allow-fs-read=/etc/passwd -p '[process.permission.has("worker"), process.permission.has("fs.read", "/none"), process.permission.has("fs.read", "/etc/passwd")].join()'
expect "joined" "$out" "false,true,true"
config '{ "permission": { "permission": false } }'
run --experimental-config-file=some.json -p 'typeof process.permission'
expect "not implied" "$out" undefined
config '{ "configs": [{ "nodeVersion": 25, "config": { "x": 1 } }, { "nodeVersion": 26, "config": { "nodeOptions": { "require": "./pre.cjs" } } }] }'
run --experimental-config-file=some.json -p loaded
expect "of this version" "$out" yes

# refuses TEXT MESSAGE: nothing runs.
refuses() {
  config "$1"
  run --experimental-config-file=some.json -p '"ran"'
  expect "$1" "$code:$out" "9:"
  has "$1" "$err" "$2"
  has "$1" "$err" "some.json: invalid content"
}
for text in '' '{' '{}x' '{"a":}' '{"a" 1}' '[1,]' '{"nodeOptions":{"title":"\x"}}' '{"nodeOptions":{"title":"\ud800"}}' '{"nodeOptions":{"title":"'$'\n''"}}' '{"a":01}' "{'a':1}" 'nul' "$(printf '[%.0s' {1..200})"; do
  refuses "$text" "Can't parse some.json"
done
refuses '[]' "Root value unexpected not an object for some.json"
refuses '{ "nodeOptions": [] }' '"nodeOptions" value unexpected for some.json (should be an object)'
refuses '{ "nodeOptions": { "eval": "1" } }' "Unknown or not allowed option eval for namespace nodeOptions"
refuses '{ "nodeOptions": { "test": true } }' "Unknown or not allowed option test for namespace nodeOptions"
refuses '{ "nodeOptions": { "require x": "y" } }' "Unknown or not allowed option"
refuses '{ "permission": { "require": "./pre.cjs" } }' "Unknown or not allowed option require for namespace permission"
refuses '{ "other": {} }' "Unknown namespace other"
refuses '{ "testRunner": {} }' 'Use "test" instead'
refuses '{ "nodeOptions": { "require": 1 } }' "Invalid value for --require"
refuses '{ "nodeOptions": { "warnings": "false" } }' "Invalid value for --warnings"
refuses '{ "nodeOptions": { "watch": true }, "watch": { "watch": true } }' "Option --watch is already defined"
refuses '{ "nodeVersion": 25 }' "does not match"
refuses '{ "configs": [], "nodeOptions": {} }' "cannot be mixed"
refuses '{ "configs": [{ "nodeVersion": 25, "config": {} }] }' "No config found"
run --experimental-config-file=none.json -p 1
expect "no file" "$code" 9
has "no file" "$err" "none.json: not found"
NODE_OPTIONS=--experimental-config-file=some.json run -p 1
has "by the environment" "$err" "not allowed in NODE_OPTIONS"
