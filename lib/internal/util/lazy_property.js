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

// A function (name, load, enumerable) that adds such properties to `target`; one for each target.
function lazyValuesOn(target) {
  const loaders = new Map();
  setLazyLoader(target, (name) => {
    const value = loaders.get(name)();
    loaders.delete(name);
    return value;
  });
  return (name, load, enumerable) => {
    loaders.set(name, load);
    addLazyValue(target, name, enumerable);
  };
}

module.exports = { defineLazy, lazyValuesOn };
