// natives: process
//
// process.title, which ps shows, and process.argv0, the word by which the
// program was called. The kernel keeps both in the same memory, so the second
// is read before the first is written.

'use strict';

const binding = native('process');

let first;
let current;

function argv0() {
  if (first === undefined) {
    try {
      first = stringSplit.call(require('internal/fs/fs').readFileSync('/proc/self/cmdline', 'utf8'), '\0', 1)[0];
    } catch {
      first = process.execPath;
    }
  }
  return first;
}

function title() {
  current ??= argv0();
  return current;
}

function setTitle(value) {
  const text = `${value}`;
  argv0();
  current = binding.setTitle(text);
}

module.exports = { argv0, title, setTitle };
