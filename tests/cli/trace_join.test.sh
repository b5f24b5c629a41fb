#!/usr/bin/env bash
# rondo trace --join: recordings of several processes as one report, a message's cause named across them.
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
fail() { echo "$*"; exit 1; }

# A recording has a record for the peer and one for each message, with its sender's tag and task.
cat >mesh.js <<'END'
const { connect } = require('rondo:mesh');
(async () => {
  const [one, two] = [await connect(), await connect()];
  await two.serve('square', (n) => n * n);
  setTimeout(async function ask() {
    await one.call('square', 3);
    await Promise.all([one.close(), two.close()]);
  }, 1);
})();
END
timeout 20 "$RONDO" trace --json -o own.json mesh.js 2>err || fail "trace: $(cat err)"
[ "$(grep -c '"task.queued".*"mesh peer [0-9a-f]\{8\}, [0-9]* ms"' own.json)" = 2 ] || fail "no record of the peers"
grep -q '"task.queued".*"mesh message ← [0-9a-f]\{8\} #[1-9]' own.json || fail "no record of a message with a task: $(grep message own.json)"

row() { printf '{"time":%s,"kind":"%s","runtime":0,"iteration":1,"phase":"poll","id":%s,"cause":%s,"depth":1,"what":"%s","name":"%s","payload":0}\n' "$@"; }
task() { row "$1" task.queued "$2" "$3" event "$4"; row "$1" task.begin "$2" "$3" event "$4"; row $(($1 + 500000)) task.end "$2" "$3" event "$4"; }
{ task 1000000 1 0 'mesh peer aaaaaaaa, 1000 ms'; task 2000000 2 0 'asks (a.js:1:1)'; } >a.json
{ task 9000000 1 0 'mesh peer bbbbbbbb, 1000 ms'; task 11000000 2 0 'mesh message ← aaaaaaaa #2'; task 11200000 3 2 'works (b.js:1:1)'; } >b.json
{ task 5000000 1 0 'mesh peer cccccccc, 1000 ms'; task 8000000 4 0 'mesh message ← bbbbbbbb #3'; task 9000000 5 0 'mesh message ← dddddddd #3'; } >c.json
out=$(timeout 20 "$RONDO" trace --join a.json b.json c.json) || fail "--join ends with $?"
grep -q '^3 processes, 8 tasks, 3 messages: 2 from another process, 1 of unknown senders$' <<<"$out" || fail "counts: $out"
grep -q 'b.json #2 ← a.json #2  mesh message, sent in asks (a.js:1:1)' <<<"$out" || fail "the first message: $out"
grep -q 'c.json #4 ← b.json #3  mesh message, sent in works (b.js:1:1)' <<<"$out" || fail "the second message: $out"
grep -q 'c.json #5 ← dddddddd, of no recording here' <<<"$out" || fail "the third message: $out"
# In the order of time, whatever each recording's zero.
[ "$(sed -nE 's/^ +[0-9.]+ +[0-9.]+  ([abc]\.json #[2-5]) .*/\1/p' <<<"$out" | tr '\n' ' ')" = 'a.json #2 b.json #2 b.json #3 c.json #4 c.json #5 ' ] || fail "the order: $out"

timeout 20 "$RONDO" trace --join a.json 2>err && fail "one recording was taken"
grep -q 'two or more' err || fail "$(cat err)"
timeout 20 "$RONDO" trace --join a.json mesh.js 2>err && fail "a script was taken for a recording"
grep -q 'no recording in lines of JSON' err || fail "$(cat err)"
timeout 20 "$RONDO" trace --join a.json none.json 2>err && fail "a file that is not there was taken"
grep -q ENOENT err || fail "$(cat err)"
