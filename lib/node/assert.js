// natives: none
'use strict';

module.exports = require('internal/assert/assert');
