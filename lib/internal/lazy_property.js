// natives: none
// A property whose value is made when it is first read; from then on, or once somebody writes to it, it is an ordinary one.
// For what most programs never touch: parts of process, the web globals, names of the REPL's kind.
'use strict';

function defineLazy(target, name, load, enumerable) {
  const settle = (value) => {
    Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
    return value;
  };
  // Written as a literal so that the accessors carry the property's name.
  const { get, set } = Object.getOwnPropertyDescriptor({
    get [name]() { return settle(load()); },
    set [name](value) { settle(value); },
  }, name);
  Object.defineProperty(target, name, { __proto__: null, get, set, configurable: true, enumerable });
}

module.exports = { defineLazy };
