// natives: none
// node:util/types: the type checks as users see them.
'use strict';

const types = require('internal/util/types');

module.exports = { ...types };

