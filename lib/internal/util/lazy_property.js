// natives: runtime
// A property whose value is made when it is first read; from then on, or once somebody writes to it, it is an ordinary one.
// For what most programs never touch: parts of process, the web globals, names of the REPL's kind. lazyValuesOn: to a program
// data properties, and the cheapest to define. defineLazy: accessors until then.
'use strict';

const { addLazyValue, setLazyLoader } = native('runtime');

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

// A function (name, load, enumerable) that adds such properties to `target`.
const loadersOf = new WeakMap();
function lazyValuesOn(target) {
  let loaders = loadersOf.get(target);
  if (loaders === undefined) {
    loaders = { __proto__: null };
    loadersOf.set(target, loaders);
    setLazyLoader(target, (name) => {
      const value = loaders[name]();
      delete loaders[name];
      return value;
    });
  }
  return (name, load, enumerable) => {
    loaders[name] = load;
    addLazyValue(target, name, enumerable);
  };
}

module.exports = { defineLazy, lazyValuesOn };
