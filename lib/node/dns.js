// natives: none
'use strict';

module.exports = require('internal/dns/dns');
