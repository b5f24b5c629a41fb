// natives: none
'use strict';

module.exports = require('internal/repl/repl');
