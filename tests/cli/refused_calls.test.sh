#!/usr/bin/env bash
# Containers and old kernels refuse single system calls, with EPERM or ENOSYS. The runtime goes another way: timers, files, sockets,
# children, watchers and signals work on.
source tests/cli/help.bash
refuse=$(dirname "$RONDO")/refuse
[ -x "$refuse" ] || { echo "no $refuse: build the tests" >&2; exit 1; }
"$refuse" EPERM pidfd_open true
if [ $? = 99 ]; then echo "skipped: this machine allows no seccomp filter"; exit 0; fi
cat >"$work/everything.js" <<'JS'
const fs = require('fs'), net = require('net'), child = require('child_process'), path = require('path');
const here = process.argv[2], made = path.join(here, 'made');
const done = [];
const says = (what) => (error) => done.push(error ? `${what} ${error.code ?? error}` : what);
setTimeout(says('timer'), 1);
fs.writeFile(made, 'text', () => fs.copyFile(made, made + '2', () => fs.rename(made + '2', made + '3', () =>
  fs.stat(made + '3', (error, found) => says(`file ${found?.size}`)(error)))));
const server = net.createServer((socket) => socket.pipe(socket)).listen(0, () => {
  const socket = net.connect(server.address().port, () => socket.end('echo'));
  socket.on('data', (text) => says(`socket ${text}`)()).on('close', () => server.close());
});
child.execFile('sh', ['-c', 'echo out; exit 3'], (error, out) => done.push(`child ${error.code} ${out.trim()}`));
child.spawn('sh', ['-c', 'kill -TERM $$']).on('exit', (code, signal) => done.push(`killed ${signal}`));
const whole = fs.statSync(process.argv[1]), opened = fs.openSync(process.argv[1]);
done.push(`status ${whole.isFile()} ${whole.ino === fs.fstatSync(opened).ino} ${fs.lstatSync(process.argv[1]).mtimeMs === whole.mtimeMs}`);
done.push(`sync ${child.spawnSync('sh', ['-c', 'exit 4']).status}`);
process.once('SIGUSR2', () => done.push('signal'));
process.kill(process.pid, 'SIGUSR2');
process.on('exit', () => console.log(done.sort().join('\n')));
const wait = setInterval(() => { if (done.includes('signal')) clearInterval(wait); }, 1);
JS
wanted='child 3 out
file 4
killed SIGTERM
signal
socket echo
status true true true
sync 4
timer'
for calls in io_uring_setup io_uring_enter io_uring_register io_uring_setup,io_uring_enter,io_uring_register pidfd_open \
    pidfd_open,pidfd_send_signal,io_uring_enter close_range,copy_file_range,renameat2 membarrier statx io_uring_setup,statx; do
  for errno in EPERM ENOSYS; do
    rm -rf "$work/made"*
    code=0
    out=$("$refuse" $errno $calls timeout -k 1 20 "$RONDO" "$work/everything.js" "$work" 2>"$work/err" </dev/null) || code=$?
    err=$(cat "$work/err")
    expect "exit code without $calls ($errno)" $code 0
    expect "output without $calls ($errno)" "$out" "$wanted"
  done
done
