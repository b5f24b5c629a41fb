// natives: none
'use strict';

module.exports = require('internal/readline/promises');
