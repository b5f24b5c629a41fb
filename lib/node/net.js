// natives: none
'use strict';

module.exports = require('internal/net/net');
