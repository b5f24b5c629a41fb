// natives: none
// Methods of a constructor function that Node has as a function, not as a class: enumerable under names, not under symbols.
'use strict';

module.exports = function defineMethods(Constructor, methods) {
  for (const name of each(Reflect.ownKeys(methods))) {
    Object.defineProperty(Constructor.prototype, name, {
      __proto__: null,
      configurable: true,
      enumerable: typeof name === 'string',
      writable: true,
      value: methods[name],
    });
  }
};
