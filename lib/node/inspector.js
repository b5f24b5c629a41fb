// natives: none
// node:inspector.
'use strict';

module.exports = require('internal/inspector/inspector');
