#!/usr/bin/env bash
# skip-asan: a hundred starts.
# With hardly a descriptor left every call that needs one fails with an error; nothing ends the process.
source tests/cli/help.bash
ulimit -c 0
cat >"$work/few.js" <<'JS'
const fs = require('fs'), child = require('child_process'), net = require('net'), dns = require('dns'), os = require('os');
const [, , here, left, which] = process.argv;
const say = (value) => fs.writeSync(1, `${value?.code ?? 'ok'}\n`);
const attempt = (call) => { try { call(); say(); } catch (error) { say(error); } };
const calls = {
  spawnSync: () => say(child.spawnSync('true').error),
  execFileSync: () => attempt(() => child.execFileSync('true')),
  spawn: () => child.spawn('true').on('error', say).on('exit', (code) => code === 0 && say()),
  listen: () => net.createServer().on('error', say).listen(0, function () { say(); this.close(); }),
  listenPath: () => net.createServer().on('error', say).listen(`${here}/socket`, function () { say(); this.close(); }),
  connect: () => net.connect(`${here}/nobody`).on('error', say),
  lookup: () => dns.lookup('localhost', say),
  resolve: () => dns.resolve4('nowhere.invalid', say),
  readFile: () => fs.readFile(__filename, say),
  promise: () => fs.promises.readFile(__filename).then(() => say(), say),
  readdir: () => fs.readdir(here, say),
  readdirSync: () => attempt(() => fs.readdirSync(here)),
  opendir: () => fs.opendir(here, (error, folder) => { say(error); folder?.closeSync(); }),
  copyFile: () => fs.copyFile(__filename, `${here}/copy`, say),
  cp: () => fs.cp(`${here}/tree`, `${here}/tree2`, { recursive: true }, say),
  rm: () => fs.rm(`${here}/nothing`, { recursive: true, force: true }, say),
  rmSync: () => attempt(() => fs.rmSync(`${here}/tree`, { recursive: true })),
  mkdtemp: () => fs.mkdtemp(`${here}/made`, say),
  watch: () => attempt(() => fs.watch(here).on('error', say).close()),
  watchFile: () => { fs.watchFile(__filename, say); setImmediate(() => { fs.unwatchFile(__filename); say(); }); },
  require: () => attempt(() => require('./other.js')),
  import: () => import('./other.js').then(() => say(), say),
  builtins: () => attempt(() => require('vm').runInNewContext('1')),
  machine: () => attempt(() => [os.cpus(), os.networkInterfaces(), os.userInfo(), process.memoryUsage(), process.resourceUsage()]),
  stdin: () => process.stdin.on('error', say).on('end', say).resume(),
  signal: () => attempt(() => process.once('SIGUSR2', say).kill(process.pid, 'SIGUSR2')),
  readStream: () => fs.createReadStream(__filename).on('error', say).on('end', say).resume(),
  writeStream: () => fs.createWriteStream(`${here}/w`).on('error', say).on('finish', say).end('x'),
  channel: () => { const { port1, port2 } = new MessageChannel(); port1.on('message', () => { say(); port1.close(); }); port2.postMessage(1); },
};
if (which === 'names') return console.log(Object.keys(calls).join(' '));
process.stdout;
const held = [];
try { for (;;) held.push(fs.openSync('/dev/null')); } catch { for (let i = 0; i < left; i++) fs.closeSync(held.pop()); }
calls[which]();
JS
echo >"$work/other.js"
names=$("$RONDO" "$work/few.js" "$work" 0 names)
for way in "epoll 0" "uring 1" "epoll 2"; do
  read -r poller left <<<"$way"
  for which in $names; do
    mkdir -p "$work/tree/inner"
    code=0
    out=$(ulimit -n 36; RONDO_POLLER=$poller "$RONDO" "$work/few.js" "$work" $left $which 2>"$work/err" </dev/null) || code=$?
    err=$(cat "$work/err")
    [[ $code -lt 124 ]] || { printf '%s with %s left, %s: exit code %s\n%s\n' $which $left $poller $code "$err" >&2; exit 1; }
    [[ -n $out || $code != 0 ]] || { printf '%s with %s left, %s: no answer\n' $which $left $poller >&2; exit 1; }
  done
done
