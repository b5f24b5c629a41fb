// natives: none
//
// The hooks that internal/modules/hooks has registered, in their order. Apart from it, because the loaders look here at every module,
// and most programs have none. And node:fs, once it is loaded, with the readFileSync that it came with: a program's own reads modules,
// as in Node.

'use strict';

module.exports = { resolveHooks: [], loadHooks: [], files: { module: undefined, readFileSync: undefined } };
