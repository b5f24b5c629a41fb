// natives: none
// The web globals, each loaded when first touched. internal/web_globals names them.
'use strict';

const { webGlobals } = require('internal/web_globals');

function settle(name, value, enumerable) {
  Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
}

for (const [name, module, exported, enumerable = false] of webGlobals) {
  const face = {
    get [name]() {
      const value = require(module)[exported];
      settle(name, value, enumerable);
      return value;
    },
    set [name](value) { settle(name, value, enumerable); },
  };
  const descriptor = Object.getOwnPropertyDescriptor(face, name);
  descriptor.enumerable = enumerable;
  Object.defineProperty(globalThis, name, descriptor);
}
