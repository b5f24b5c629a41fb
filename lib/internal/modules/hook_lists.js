// natives: none
//
// The hooks that internal/modules/hooks has registered, in their order. Apart from it, because the loaders look here at every module,
// and most programs have none.

'use strict';

module.exports = { resolveHooks: [], loadHooks: [] };
