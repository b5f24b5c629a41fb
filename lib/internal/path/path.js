// natives: none
// node:path: this platform's paths, with `posix` and `win32` for either kind.
'use strict';

const posix = require('internal/path/posix');
const lazyWin32 = () => require('internal/path/win32');

// Each flavour names both; win32 is loaded when somebody asks for it.
for (const flavour of each([posix])) {
  flavour.posix = posix;
  Object.defineProperty(flavour, 'win32', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const win32 = lazyWin32();
      win32.posix = posix;
      win32.win32 = win32;
      for (const flavour of each([posix, win32])) {
        Object.defineProperty(flavour, 'win32', { __proto__: null, value: win32, writable: true, configurable: true, enumerable: true });
      }
      return win32;
    },
  });
}

module.exports = posix;
