// natives: none
'use strict';

module.exports = require('internal/http/http');
