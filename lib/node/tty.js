// natives: none
'use strict';

module.exports = require('internal/tty/tty');
