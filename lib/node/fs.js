// natives: none
'use strict';

module.exports = require('internal/fs/fs');
