// natives: none
// LazyTransform: a Transform whose stream half is built on first use, for objects
// (hashes, ciphers) that mostly serve as plain objects and only sometimes as streams.
'use strict';

const Transform = require('internal/streams/transform');

module.exports = LazyTransform;

function LazyTransform(options) {
  this._options = options;
}
Object.setPrototypeOf(LazyTransform.prototype, Transform.prototype);
Object.setPrototypeOf(LazyTransform, Transform);

for (const name of each(['_readableState', '_writableState'])) {
  Object.defineProperty(LazyTransform.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      call1(Transform, this, this._options);
      this._writableState.decodeStrings = false;
      return this[name];
    },
    set(value) {
      Object.defineProperty(this, name, {
        __proto__: null,
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    },
  });
}
