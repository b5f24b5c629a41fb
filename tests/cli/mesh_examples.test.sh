#!/usr/bin/env bash
# The examples of rondo:mesh that need no package, in the embedded mesh: as their first lines say to run them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
fail() { echo "$*"; exit 1; }
unset RONDO_MESH
out=$(timeout 30 "$RONDO" examples/mesh/pictures.js both 12) || fail "pictures: $? $out"
grep -q '^12 done; picture 3 has 1024 pixels$' <<<"$out" || fail "pictures: $out"
out=$(timeout 30 "$RONDO" examples/mesh/cron.js 2) || fail "cron: $? $out"
grep -q '^the backup runs at ....-..-..T03:15:00.000Z$' <<<"$out" || fail "cron: $out"
[ "$(grep -c 'runs the one of' <<<"$out")" = 2 ] || fail "cron: $out"
out=$(echo hello | timeout 30 "$RONDO" examples/mesh/chat.js ada) || fail "chat: $? $out"
grep -q '^1 here' <<<"$out" || fail "chat: $out"

# With a journal the queue outlives the process, and a damaged end counts as not written.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export RONDO_MESH=file:$scratch/journal
out=$(timeout 30 "$RONDO" examples/mesh/pictures.js push 5) || fail "push: $? $out"
printf '\x05\x00\x00\x00broken' >>"$scratch/journal"
out=$(timeout 30 "$RONDO" examples/mesh/pictures.js push 6) || fail "push again: $? $out"
grep -q '^6 pushed, 6 in the queue$' <<<"$out" || fail "the queue was not kept, or keys were forgotten: $out"
out=$(timeout 30 "$RONDO" examples/mesh/pictures.js both 6) || fail "work: $? $out"
grep -q '^6 done; picture 3 has 1024 pixels$' <<<"$out" || fail "work: $out"
head -c 20 /dev/urandom >"$scratch/other"
RONDO_MESH=file:$scratch/other timeout 30 "$RONDO" examples/mesh/pictures.js push 1 2>"$scratch/err" && fail "a file of another kind was taken"
grep -q 'ERR_MESH_STORAGE' "$scratch/err" || fail "$(cat "$scratch/err")"
