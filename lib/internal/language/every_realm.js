// natives: vm, runtime, modules
// Gives a realm what the language has and the engine lacks: runs realm.js in it, and keeps what all realms share.
'use strict';

const { addLazyValues } = native('runtime');

const { apply } = Reflect;
const { get, set } = WeakMap.prototype;
const symbols = { __proto__: null };
const prototypes = new WeakMap();
const accessTo = (map) => ({
  get: (object) => apply(get, map, [object]),
  set: (object, value) => {
    apply(set, map, [object, value]);
  },
});
const realms = accessTo(prototypes);

// Whether this binary carries a file: a build without npm's packages lacks theirs.
const hasFile = (id) => native('modules').hasBuiltin(id);

let onContext;

// `context`: a vm context's global object; none is the program's own realm.
function addLanguage(context) {
  const load = context === undefined ? require : (id) => native('vm').loadInContext(context, id);
  load('internal/language/realm')({ load, addLazyValues, hasFile, native, realms, symbols });
  if (context !== undefined) onContext?.(context);
}

// `callback` gets the global object of each context that is made.
function watchContexts(callback) {
  onContext = callback;
}

module.exports = { addLanguage, watchContexts };
