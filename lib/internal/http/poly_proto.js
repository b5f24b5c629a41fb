// natives: none
// Express and its kin give every request and response another prototype. JavaScriptCore makes a new shape for each object that this
// happens to, and all the code that meets such objects loses what it has learnt; unless the object keeps its prototype in a field,
// which the engine arranges for a constructor that it has seen with two prototypes. So it is shown two (decision 0031).
'use strict';

// `make` returns the constructor, `sample` are arguments for it that have no effect elsewhere.
function withOwnPrototypes(make, Parent, sample) {
  const classes = [make(), make()];
  for (const Class of each(classes)) {
    Object.setPrototypeOf(Class.prototype, Parent.prototype);
    Object.setPrototypeOf(Class, Parent);
  }
  for (const Class of each([...each(classes), ...each(classes)])) new Class(...each(sample));
  return classes[1];
}

module.exports = { withOwnPrototypes };
