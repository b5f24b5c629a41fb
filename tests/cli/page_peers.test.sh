#!/usr/bin/env bash
# The page's view of peers: who has sent messages of rondo:mesh to a thread, and which task caused which.
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$scratch" || exit 1
fail() { echo "$*"; exit 1; }

cat >mesh.js <<'END'
const { connect } = require('rondo:mesh');
(async () => {
  const [one, two] = [await connect(), await connect()];
  const [news, target] = [one.channel('news'), two.channel('news')];
  let count = 0;
  target.onmessage = () => {
    if (++count < 3) return news.postMessage(count);
    news.close();
    target.close();
    return Promise.all([one.close(), two.close()]);
  };
  setTimeout(function first() {
    news.postMessage(0);
  }, 1);
})();
END
timeout 60 "$RONDO" trace -o run.html mesh.js >out 2>&1 || fail "trace: $(cat out)"
out=$(timeout 60 "$RONDO" "$here/fixtures/peers_check.js" run.html 2>&1) || fail "$out"
[ "$out" = ok ] || fail "$out"
grep -q 'data-view="peers"' run.html || fail "no tab for the peers"
