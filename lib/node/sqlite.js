// natives: none
'use strict';

module.exports = require('internal/sqlite/sqlite');
