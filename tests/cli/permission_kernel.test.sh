#!/usr/bin/env bash
# skip-asan
# --permission=kernel: native code in the process is held to the program's rights, children inherit them, and what the kernel cannot hold
# is refused at the start.
source tests/cli/help.bash
cc -O1 -w -shared -fPIC -o "$work/attempts.so" tests/fixtures/permission/native_attempts.c -lpthread -lrt || exit 1
run --permission=kernel -p 1
if [[ $err == *"the kernel has no Landlock"* ]]; then
  echo "this kernel cannot hold a program: $err"
  exit 0
fi
mkdir -p "$work/app" "$work/data"
echo 'console.log("ran")' >"$work/app/app.js"
is_refused=': (EPERM|EACCES|ENOSYS|EXDEV)$'
attempt() {
  rm -rf "$work/other"
  mkdir -p "$work/other/empty"
  echo secret >"$work/other/secret"
  echo other >"$work/other/other"
  code=0
  LD_PRELOAD=$work/attempts.so ATTEMPT_FOLDER=$work/other "$RONDO" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  out=$(cat "$work/out") err=$(cat "$work/err")
}

attempt --permission=kernel "$work/app/app.js"
expect "the program runs" "$code:$out" "0:ran"
[ "$(grep -c '^attempt P\?K' <<<"$err")" -ge 100 ] || expect "attempts" "$(grep -c '^attempt P\?K' <<<"$err")" "at least 100"
expect "what native code could do" "$(grep '^attempt P\?K' <<<"$err" | grep -vE "$is_refused")" ""
expect "files elsewhere" "$(cd "$work/other" && ls && cat secret other)" "$(printf 'empty\nother\nsecret\nsecret\nother')"

# With the checks alone the same code is free: that is what the kernel adds.
RONDO_POLLER=epoll attempt --permission "$work/app/app.js"
[ "$(grep '^attempt' <<<"$err" | grep -cvE "$is_refused")" -ge 60 ] || expect "attempts that work without the kernel" few many

# Rights that were given hold for native code too.
attempt --permission=kernel --allow-fs-read="$work/other" --allow-net --no-warnings "$work/app/app.js"
has "a folder that may be read" "$err" "attempt PK open to read: done"
has "a folder that may not be written" "$err" "attempt PK open to write: EACCES"
has "the network" "$err" "attempt K TCP: done"
has "rings stay closed" "$err" "attempt PK a ring: ENOSYS"

# A child has the same rights, whatever it is told.
cat >"$work/app/parent.js" <<'JS'
const { spawnSync } = require('child_process');
const child = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8' });
console.log(child('-p', 'process.permission.has("fs.read", "/etc/passwd")').stdout.trim());
console.log(child('--permission', '--allow-fs-read=*', '-e', 'try { require("fs").readFileSync("/etc/passwd") } catch (e) { console.log(e.code) }').stdout.trim());
console.log(spawnSync('/bin/cat', ['/etc/passwd']).status !== 0, spawnSync('/bin/echo', ['x'], { encoding: 'utf8' }).stdout.trim());
JS
run --permission=kernel --no-warnings --allow-child-process "$work/app/parent.js"
expect "children" "$code:$out" "$(printf '0:false\nEACCES\ntrue x')"

# What a program does within its rights works.
cat >"$work/app/work.js" <<'JS'
const fs = require('fs');
const [folder] = process.argv.slice(2);
fs.writeFileSync(`${folder}/a`, 'text');
fs.renameSync(`${folder}/a`, `${folder}/b`);
fs.mkdirSync(`${folder}/c/d`, { recursive: true });
fs.rmSync(`${folder}/c`, { recursive: true });
fs.truncateSync(`${folder}/b`, 2);
fs.promises.readFile(`${folder}/b`, 'utf8').then(console.log);
new (require('worker_threads').Worker)(`console.log(require('fs').readFileSync('${folder}/b', 'utf8'))`, { eval: true });
JS
run --permission=kernel --no-warnings --allow-worker --allow-fs-read="$work/data" --allow-fs-write="$work/data" "$work/app/work.js" "$work/data"
expect "a program within its rights" "$code:$out" "$(printf '0:te\nte')"

run --permission=kernel "--allow-fs-read=$work/da*" "$work/app/app.js"
expect "a beginning of names: code" "$code:$out" "1:"
has "a beginning of names" "$err" "no rule for a beginning of names"
run --permission=kernel "--allow-fs-write=$work/none" "$work/app/app.js"
has "what does not exist" "$code:$err" "1:"
has "what does not exist" "$err" "does not exist yet"

# A kernel with less, and what is refused although files may be read, or written.
cc -O1 -w -shared -fPIC -o "$work/older.so" tests/fixtures/permission/older_kernel.c -ldl || exit 1
for version in 0 2; do
  code=0
  err=$(LD_PRELOAD=$work/older.so LANDLOCK_VERSION=$version "$RONDO" --permission=kernel "$work/app/app.js" 2>&1) || code=$?
  expect "Landlock $version: code" "$code" 1
  has "Landlock $version" "$err" "no Landlock of version 3 or newer"
done
attempt --permission=kernel --allow-fs-read="$work/other" --allow-fs-write="$work/other" "$work/app/app.js"
for name in "change mode" "change owner" "change times" "attributes" "remove attributes" "change mode of what was open" "flags of what was open"; do
  has "within a folder that may be written" "$err" "attempt PK $name: EPERM"
done
has "within a folder that may be written" "$err" "attempt PK open to write: done"
cat >"$work/app/watch.js" <<'JS'
try {
  require('fs').watch(process.argv[2]).close();
  console.log('watched');
} catch (error) {
  console.log(error.code);
}
JS
run --permission=kernel --allow-fs-read="$work/data" "$work/app/watch.js" "$work/data"
expect "fs.watch in a folder that may be read" "$code:$out" "0:EPERM"
run --permission=kernel "--allow-fs-read=*" "$work/app/watch.js" "$work/data"
expect "fs.watch where all may be read" "$code:$out" "0:watched"

# Between a check and its use: a folder is exchanged for a link while reading waits for the one thread of the pool. The checks alone let it through.
mkdir -p "$work/race/folder" "$work/elsewhere"
echo own >"$work/race/folder/file"
echo secret >"$work/elsewhere/file"
ln -s "$work/elsewhere" "$work/race/link"
cat >"$work/app/race.js" <<'JS'
const fs = require('fs');
process.chdir(process.argv[2]);
(async () => {
  const seen = new Set();
  for (let i = 0; i < 20; i++) {
    require('crypto').pbkdf2('x', 'y', 20_000, 32, 'sha256', () => {});
    const read = fs.promises.readFile('folder/file', 'utf8').catch((error) => error.code);
    fs.renameSync('folder', 'away');
    fs.renameSync('link', 'folder');
    seen.add((await read).trim());
    fs.renameSync('folder', 'link');
    fs.renameSync('away', 'folder');
  }
  console.log(seen.has('secret'));
})();
JS
export RONDO_FS=pool RONDO_POLLER=epoll UV_THREADPOOL_SIZE=1
run --permission --allow-fs-read="$work/race" --allow-fs-write="$work/race" "$work/app/race.js" "$work/race"
expect "exchanged with the checks alone" "$code:$out" "0:true"
run --permission=kernel --allow-fs-read="$work/race" --allow-fs-write="$work/race" "$work/app/race.js" "$work/race"
expect "exchanged with the kernel's rules" "$code:$out" "0:false"
