#!/usr/bin/env bash
# Options that NODE_OPTIONS may not have, as in Node: those that would be about every child process too.
source tests/cli/help.bash
command_line_only=$(sed -n '/kCommandLineOnly\[\]/,/^};/p' src/cli/option_scopes.h | grep -o -e '--[a-z-]*')
[[ $(wc -w <<<"$command_line_only") -gt 10 ]] || expect "the table of options for the command line" short long
cd "$work" || exit 1
for option in $command_line_only; do
  NODE_OPTIONS=$option run -p 1
  expect "NODE_OPTIONS=$option" "$code:$out" "9:"
  has "NODE_OPTIONS=$option" "$err" "$option is not allowed in NODE_OPTIONS"
done
run -p 'process.argv.slice(1).filter((option) => process.allowedNodeEnvironmentFlags.has(option)).join()' -- $command_line_only
expect "allowedNodeEnvironmentFlags" "$out" ""
NODE_OPTIONS="--stack-trace-limit=3 --no-warnings" run -p Error.stackTraceLimit
expect "an option that may" "$out" 3
