// natives: none
'use strict';

module.exports = require('internal/os/os');
