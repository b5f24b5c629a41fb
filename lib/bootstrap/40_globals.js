// natives: none
// The web globals, each loaded when first touched. internal/web_globals names them.
'use strict';

const { defineLazy } = require('internal/lazy_property');
const { webGlobals } = require('internal/web_globals');

for (const [name, module, exported, enumerable = false] of webGlobals) {
  defineLazy(globalThis, name, () => require(module)[exported], enumerable);
}
