// natives: none
'use strict';

module.exports = require('internal/v8/v8');
