#!/usr/bin/env bash
# Standard streams that were closed are open on /dev/null before anything else opens a file: no file, socket or ring gets their
# numbers. As in Node.
source tests/cli/help.bash
cat >"$work/closed.js" <<'JS'
const fs = require('fs');
const nowhere = fs.statSync('/dev/null').rdev;
const closed = process.argv[2].split(',').map(Number);
const wrong = closed.filter((fd) => fs.fstatSync(fd).rdev !== nowhere);
const fd = fs.openSync(__filename);
console.log('out');
console.error('err');
process.stdin.resume();
process.stdin.on('end', () => require('net').createServer().listen(0, function () {
  this.close(() => fs.readFile(__filename, (error) => {
    fs.writeFileSync(process.argv[3], `${wrong.join()}|${fd > 2}|${error?.code ?? 'read'}`);
  }));
}));
JS
for poller in epoll uring; do
  for closed in 0 1 2 0,1 1,2 0,1,2; do
    rm -f "$work/report"
    ( exec </dev/null >"$work/out" 2>"$work/err"
      for fd in ${closed//,/ }; do eval "exec $fd>&-"; done
      RONDO_POLLER=$poller exec "$RONDO" "$work/closed.js" "$closed" "$work/report" )
    expect "exit code, $closed closed, $poller" $? 0
    expect "report, $closed closed, $poller" "$(cat "$work/report")" "|true|read"
    [[ $closed == *1* ]] || expect "stdout, $closed closed" "$(cat "$work/out")" out
    [[ $closed == *2* ]] || expect "stderr, $closed closed" "$(cat "$work/err")" err
  done
done
