// natives: none
// node:inspector/promises.
'use strict';

module.exports = require('internal/inspector/promises');
