// natives: none
// node:path: this platform's paths, with `posix` and `win32` for either kind.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const posix = require('internal/path/posix');

function loadWin32() {
  const win32 = require('internal/path/win32');
  win32.posix = posix;
  win32.win32 = win32;
  return win32;
}

// Each flavour names both; win32 is loaded when a program asks for it.
posix.posix = posix;
addLazy(posix, ['win32'], loadWin32, true);

module.exports = posix;
