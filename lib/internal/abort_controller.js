// natives: none
// Node's internal name for web/abort, for the modules of lib/ that ask for it under that name.
'use strict';

module.exports = require('web/abort');
