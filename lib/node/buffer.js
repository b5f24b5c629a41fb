// natives: none
'use strict';

module.exports = require('internal/buffer/buffer');
