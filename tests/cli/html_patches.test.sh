#!/usr/bin/env bash
# Every change to jsdom and fake-indexeddb is a row of lib/html/jsdom/patch_table.js, and tools/html_pack.js, a step of the build, refuses by
# name a row whose place is gone, that jsdom has become an owner of, or that no file of lib/html applies.
source tests/cli/help.bash
mkdir -p "$work/tools" "$work/lib"
cp tools/html_pack.js "$work/tools/"

# refuses EDIT ERROR: the tool refuses a table that has been edited.
refuses() {
  rm -rf "$work/lib/html"
  cp -r lib/html "$work/lib/"
  sed -i "$1" "$work/lib/html/jsdom/patch_table.js"
  ! cmp -s lib/html/jsdom/patch_table.js "$work/lib/html/jsdom/patch_table.js" || { echo "nothing edited: $1" >&2; exit 1; }
  run "$work/tools/html_pack.js" node_modules "$work/pack"
  expect "code of $1" "$code" 1
  has "error of $1" "$err" "$2"
}
refuses "s/prototype\._notify/prototype._notifyAll/" "patch 'queue: empty': jsdom/lib/jsdom/browser/resources/resource-queue.js has no prototype._notifyAll"
refuses "s/'+load'/'+implementation'/" "patch 'frame: load': jsdom/lib/jsdom/living/nodes/HTMLFrameElement-impl.js has a member of its own, implementation"
refuses "s/'form: submit'/'form: sent'/" "patch 'form: sent' is applied by no file of lib/html"
refuses "s/\['fetchCollected'\]/['fetchAll']/" "patch 'network: resources': jsdom/lib/jsdom/browser/resources/jsdom-dispatcher.js exports no fetchAll"
refuses "s/      Function(body);'/      Function(text);'/" "patch 'handler: compiled in the page' does not fit exactly once"
