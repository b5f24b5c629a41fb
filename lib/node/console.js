// natives: none
// node:console is the global console.
'use strict';

module.exports = require('bootstrap/30_console');
