// natives: runtime
// A property whose value is made when it is first read; from then on, or once somebody writes to it, it is an ordinary one.
// For what most programs never touch: parts of process, the web globals, names of the REPL's kind. lazyValuesOn, addLazy: to
// a program data properties, and the cheapest to define. defineLazy: accessors until then.
'use strict';

const { addLazyValues } = native('runtime');

function defineLazy(target, name, load, enumerable) {
  const settle = (value) => {
    Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
    return value;
  };
  // Written as a literal so that the accessors carry the property's name.
  const { get, set } = Object.getOwnPropertyDescriptor(
    {
      get [name]() {
        return settle(load());
      },
      set [name](value) {
        settle(value);
      },
    },
    name,
  );
  Object.defineProperty(target, name, { __proto__: null, get, set, configurable: true, enumerable });
}

// A function (name, load, enumerable) that adds such a property to `target`.
function lazyValuesOn(target) {
  return (name, load, enumerable) => {
    addLazyValues(target, [name], load, enumerable, false);
  };
}

// Several that are loaded by one function (name).
function addLazy(target, names, load, enumerable) {
  addLazyValues(target, names, load, enumerable, false);
}

module.exports = { defineLazy, lazyValuesOn, addLazy };
