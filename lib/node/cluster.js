// natives: none
'use strict';

module.exports = require('internal/cluster/cluster');
