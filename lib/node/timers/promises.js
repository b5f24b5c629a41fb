// natives: none
'use strict';

module.exports = require('internal/timers/promises');
