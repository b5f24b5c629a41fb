// natives: none
'use strict';

module.exports = require('internal/zlib/iter');
