// natives: none
'use strict';

module.exports = require('internal/util/util');
