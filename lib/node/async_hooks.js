// natives: none
'use strict';

module.exports = require('internal/async_hooks/async_hooks');
