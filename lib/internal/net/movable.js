// natives: structured_clone
// Tells structured clone that objects of a class may stand in a transfer list. How they go is in internal/net/moving, which few programs
// need.
'use strict';

const { kTransfer, kTransferList } = require('internal/symbols/messaging');

const { setMode, kTransferable } = native('structured_clone');

function define(prototype, symbol, value) {
  Object.defineProperty(prototype, symbol, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

// `kind` is 'Socket' or 'Server'.
function makeMovable(prototype, kind) {
  const how = () => require('internal/net/moving')[kind];
  define(prototype, kTransferList, function () {
    how().check(this);
  }); // before anything is taken from its owner
  define(prototype, kTransfer, function () {
    how().check(this);
    return how().send(this);
  });
  setMode(prototype, kTransferable);
}

module.exports = { makeMovable };
