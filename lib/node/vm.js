// natives: none
'use strict';

module.exports = require('internal/vm/vm');
