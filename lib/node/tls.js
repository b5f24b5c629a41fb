// natives: none
'use strict';

module.exports = require('internal/tls/tls');
