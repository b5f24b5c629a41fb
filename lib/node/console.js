// natives: none
// node:console is the global console.
'use strict';

module.exports = require('internal/console/program');
