#!/usr/bin/env bash
# --run: a script of the nearest package.json, in a shell that takes the place of the process.
source tests/cli/help.bash
cd "$work" || exit 1
mkdir -p node_modules/.bin sub/node_modules/.bin sub/deep broken none odd
cat >package.json <<'JSON'
{ "scripts": { "say": "echo", "where": "pwd", "code": "exit 3", "vars": "echo $NODE_RUN_SCRIPT_NAME $NODE_RUN_PACKAGE_JSON_PATH",
  "path": "echo $PATH", "signal": "kill -TERM $$", "pipe": "yes | head -1", "number": 7 } }
JSON
echo '{' >broken/package.json
echo '{}' >none/package.json
echo '{"scripts": []}' >odd/package.json

run --run say -- "it's" '$HOME' 'two words' '' --help
expect "arguments" "$code:$out" "0:it's \$HOME two words  --help"
run --run=say -- one
expect "--run=" "$code:$out" "0:one"
run --run code
expect "exit code" "$code" 3
run --run pipe
expect "SIGPIPE has its default" "$code:$out:$err" "0:y:"
run --run vars
expect "variables" "$out" "vars $PWD/package.json"
run --run signal
expect "a signal is the script's own" "$code" 143

cd sub/deep || exit 1
run --run where
expect "runs in the folder of package.json" "$out" "$work"
run --run path
expect "PATH begins with the programs of packages" "${out#"$work/sub/node_modules/.bin:$work/node_modules/.bin:"}" "$PATH"
cd ../..

run --run nothing
expect "no such script: code" "$code" 1
has "no such script" "$err" "Missing script: \"nothing\" for $PWD/package.json"
has "no such script: others" "$err" "  say: echo"
run --run
expect "without a name: code" "$code" 9
has "without a name" "$err" "Available scripts are:
  say: echo"
run --run number
expect "no text: code" "$code" 1
has "no text" "$err" "Script \"number\" is unexpectedly not a string for $PWD/package.json"
for folder in "broken:Can't parse" "none:Can't find \"scripts\" field in" "odd:Can't find \"scripts\" field in"; do
  cd "${folder%%:*}" || exit 1
  run --run say
  expect "${folder%%:*}" "$code:$err" "1:${folder#*:} $PWD/package.json"
  cd ..
done
run --run say more
expect "arguments stand after --" "$code" 9
run --watch --run say
expect "--watch --run" "$code" 9
NODE_OPTIONS="--run say" run -p 1
expect "not in NODE_OPTIONS" "$code" 9
echo 'FROM_FILE=yes' >some.env
run --env-file=some.env --run vars
has "--env-file is not for scripts" "$out" "vars"
