#!/usr/bin/env bash
# Standard streams on a terminal: recognised, complete at exit, raw mode put back. `script` makes the terminal.
source tests/cli/help.bash
in_terminal() { command script -qec "$1" /dev/null; }
[ "$(in_terminal 'echo works' </dev/null 2>/dev/null | tr -d '\r')" == works ] || exit 0  # no pseudo-terminals here

script facts.js <<'JS'
const tty = require('tty');
const { stdin, stdout, stderr } = process;
const facts = [stdin.isTTY, stdout.isTTY, stderr.isTTY, stdout instanceof tty.WriteStream, stdin instanceof tty.ReadStream,
               stdout._type, stdout.fd, stdin.fd, tty.isatty(1), tty.isatty(99), stdout.getWindowSize().length];
stdout.write(facts.join(' ') + '\n');
JS
expect "what it is" "$(in_terminal "'$RONDO' '$work/facts.js'" </dev/null | tr -d '\r')" "true true true true true tty 1 0 true false 2"

script big.js <<'JS'
for (let i = 0; i < 1000; i++) process.stdout.write('x'.repeat(1022) + '\n');
process.stderr.write('end\n');
process.exit(3);
JS
expect "bytes to a slow terminal" "$(in_terminal "'$RONDO' '$work/big.js'" </dev/null | (sleep 0.2; tr -d '\r' | wc -c))" 1023004

script raw.js <<'JS'
const { execFileSync } = require('child_process');
const echoes = () => / echo /.test(execFileSync('stty', ['-a'], { stdio: ['inherit', 'pipe', 'inherit'] }).toString());
process.stdin.setRawMode(true);
console.log('raw', process.stdin.isRaw === true, echoes());
process.stdin.once('data', (key) => {
  console.log('key', key.toString());
  process.exit();
});
JS
until_printed() { until grep -qs "$1" "$work/printed"; do sleep 0.05; done; }
in_terminal "'$RONDO' '$work/raw.js'; stty -a | grep -o ' echo '" < <(until_printed raw; printf 'k'; until_printed key) >"$work/printed"
printed=$(tr -d '\r' <"$work/printed" | sed 's/\x1b\[[0-9]*m//g')
has "raw mode" "$printed" "raw true false"
has "a key" "$printed" "key k"
has "afterwards" "$printed" " echo"
run -e 'try { new (require("tty").WriteStream)(99) } catch (e) { console.log(e.code, e.message) }'
expect "no terminal" "$out" "ERR_TTY_INIT_FAILED TTY initialization failed: uv_tty_init returned EINVAL (invalid argument)"
