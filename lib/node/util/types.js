// natives: none
// node:util/types: the type checks as users see them.
'use strict';

const types = require('internal/util/types');

// There are no keys of either kind yet, so nothing is one.
module.exports = { ...types, isCryptoKey: () => false, isKeyObject: () => false };

