#!/usr/bin/env bash
# Called by a link named "node", process.execPath and process.argv[0] are the link's path: programs such as yargs look for that name. By
# any other name they are the binary's own.
source tests/cli/help.bash
own=$(realpath "$RONDO") folder=$(realpath "$work")
ln -s "$own" "$folder/node"
ln -s "$own" "$folder/other"
show='process.argv[0] === process.execPath ? process.execPath : "differ"'

expect "a whole path" "$("$folder/node" -p "$show")" "$folder/node"
expect "a relative path" "$(cd "$folder" && ./node -p "$show")" "$folder/node"
expect "by PATH" "$(PATH=$folder:$PATH node -p "$show")" "$folder/node"
expect "another name" "$("$folder/other" -p "$show")" "$own"
expect "a child" "$("$folder/node" -p "require('child_process').execFileSync(process.execPath, ['-p', 'process.execPath']).toString().trim()")" "$folder/node"
expect "a worker" "$("$folder/node" -e 'new (require("worker_threads").Worker)("console.log(process.execPath)", { eval: true })')" "$folder/node"

# A file of that name that is not the binary is not taken for it.
mkdir "$folder/else"
printf '#!/bin/sh\n' >"$folder/else/node"
chmod +x "$folder/else/node"
expect "a name that leads elsewhere" "$(export PATH=$folder/else:$PATH; exec -a node "$own" -p "$show")" "$own"
