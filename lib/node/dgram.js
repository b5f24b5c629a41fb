// natives: none
'use strict';

module.exports = require('internal/dgram/dgram');
