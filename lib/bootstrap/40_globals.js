// natives: none
// The web globals, each loaded when first touched. internal/process/web_globals names them.
'use strict';

const { defineLazy, lazyValuesOn } = require('internal/util/lazy_property');
const { webGlobals } = require('internal/process/web_globals');

const accessors = new Set(['performance', 'navigator', 'crypto', 'Buffer']);  // as in Node
const lazyValue = lazyValuesOn(globalThis);

for (const [name, module, exported, enumerable = false] of eachEntry(webGlobals)) {
  const load = () => require(module)[exported];
  if (accessors.has(name)) defineLazy(globalThis, name, load, enumerable);
  else lazyValue(name, load, enumerable);
}
