# skip-asan
# A hundred random pages run in an order that Chromium could give. A shell script, because one way (poller, files) is enough.
set -eu
"$RONDO" tests/browser/golden.js
