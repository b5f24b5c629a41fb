#!/usr/bin/env bash
# SIGUSR1 starts the inspector of a running program; a program may take the signal for itself; --disable-sigusr1 leaves it deadly.
source tests/cli/help.bash
cd "$work" || exit 1
cat >wait.js <<'JS'
// Starts itself without an inspector, sends the signal when it is there, and ends it when it listens.
const { spawn } = require('child_process');
if (process.argv[2] === 'child') {
  setInterval(() => {}, 1000);
  console.log('ready');
} else {
  const child = spawn(process.execPath, ['--inspect-port=0', __filename, 'child']);
  let text = '', isFound = false;
  child.stdout.on('data', () => child.kill('SIGUSR1'));
  child.stderr.on('data', (part) => {
    text += part;
    const found = /Debugger listening on (ws:\S+)\n/.exec(text);
    if (!found || isFound) return;
    isFound = true;
    const socket = new WebSocket(found[1]);
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: '6 * 7' } }));
    socket.onmessage = ({ data }) => {
      console.log(JSON.parse(data).result.result.value);
      child.kill();
    };
  });
}
JS
run wait.js
expect "the inspector of a running program" "$out" 42
run -e 'process.on("SIGUSR1", () => { console.log("mine"); process.exit(); }); process.kill(process.pid, "SIGUSR1"); setInterval(() => {}, 1000)'
expect "a program's own listener" "$out" mine
