#!/usr/bin/env bash
# S35: `rondo -i` prompts, keeps the loop alive between its lines, and shows it; a text of -e runs beside the prompt; without a terminal a
# program is read from standard input.
source tests/cli/help.bash
export HOME=$work NODE_REPL_HISTORY=
unset NODE_OPTIONS
said() { out=$("$RONDO" "$@" 2>"$work/err"); code=$?; err=$(cat "$work/err"); }

said -i <<<'1 + 1'
has "banner" "$out" "Welcome to Rondo v"
has "value" "$out" "> 2"
expect "exit code" "$code" 0

said -i <<'END'
interface Named {
  name: string
}
const named: Named = { name: 'typed' }
named.name + (5 as number)
END
has "TypeScript lines" "$out" "> 'typed5'"

# The timer runs while the REPL waits for its next line, which comes from the other end of a pipe once it has run.
mkfifo "$work/lines"
"$RONDO" -i <"$work/lines" >"$work/out" 2>&1 &
pid=$!
exec 7>"$work/lines"
echo 'setTimeout(() => console.log("the loop ran"), 1); 0' >&7
for _ in $(seq 1200); do grep -q 'the loop ran' "$work/out" && break; sleep 0.05; done
has "loop between lines" "$(cat "$work/out")" "the loop ran"
echo '.trace on' >&7
echo 'setTimeout(function traced() {}, 1); 0' >&7
for _ in $(seq 1200); do grep -q 'timer #.* traced (REPL' "$work/out" && break; sleep 0.05; done
has "trace" "$(cat "$work/out")" ": setTimeout(function traced() {}, 1); 0"
echo '.trace off' >&7
echo '.phase on' >&7
echo 'setImmediate(() => console.log("where")); 0' >&7
for _ in $(seq 1200); do grep -q 'check [0-9]*\] where' "$work/out" && break; sleep 0.05; done
has "phase" "$(cat "$work/out")" "] where"
echo 'cleared = setTimeout(function never() {}, 1e6); clearTimeout(cleared); timer = setTimeout(function waits() {}, 1e6); 0' >&7
echo 'server = net.createServer().listen(0); 0' >&7
echo '.loop' >&7
for _ in $(seq 1200); do grep -q 'TCPServerWrap' "$work/out" && break; sleep 0.05; done
exec 7>&-
wait "$pid"
expect "exit of the REPL" "$?" 0
out=$(cat "$work/out")
has "queued timer" "$out" "waits (REPL"
has "alive" "$out" "TCPServerWrap (REPL"
[[ $out != *'never (REPL'* ]] || { echo "a cleared timer is shown" >&2; exit 1; }

said -i -e 'var given = 42' <<<'given'
has "-i with -e" "$out" "42"
said <<<'console.log("a program")'
expect "bare" "$out" "a program"
NODE_REPL_MODE=strict said -i <<<'undeclared = 1'
has "strict mode" "$out" "Uncaught ReferenceError"
said -i <<<'import("node:path").then((path) => console.log(path.sep))'
has "import()" "$out" "/"
expect "warnings" "$err" ""
said --no-experimental-repl-await -i <<<'await 1'
has "no await" "$out" "Uncaught SyntaxError"
