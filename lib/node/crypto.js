// natives: none
'use strict';

module.exports = require('internal/crypto/crypto');
